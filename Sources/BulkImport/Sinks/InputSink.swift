/// Consumes the inputs of a run: creates products from each input on any thread, and receives the products in
/// the order of the inputs.
public protocol InputSink {
  /// A part of the result of an input, which is created on any thread.
  associatedtype Product: Sendable

  /// Reads an input and emits its products, on any thread.
  var work: InputRun<Product>.Work { get }

  /// Sets the options of a run that the sink requires.
  static func prepare(_ run: inout InputRun<Product>)

  /// Consumes an event on the caller's thread.
  ///
  /// - Returns: whether more of the input is wanted.
  mutating func take(_ event: InputEvent<Product>) -> Bool
}

extension InputSink {
  /// Keeps the default options.
  public static func prepare(_ run: inout InputRun<Product>) {}
}

extension InputRun {
  /// Processes all inputs with a sink.
  public func run<Sink: InputSink>(into sink: inout Sink) where Sink.Product == Result {
    var run = self
    Sink.prepare(&run)
    run.run(sink.work) { sink.take($0) }
  }
}

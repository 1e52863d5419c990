/// Consumes the inputs of a run: creates products from each input on any thread, and receives the products in
/// the order of the inputs.
public protocol InputSink {
  /// A part of the result of an input, which is created on any thread.
  associatedtype Product: Sendable

  /// Reads an input and emits its products, on any thread.
  var work: InputRun<Product>.Work { get }

  /// Consumes an event on the caller's thread.
  ///
  /// - Returns: whether more of the input is wanted.
  mutating func take(_ event: InputEvent<Product>) -> Bool
}

extension InputRun {
  /// Processes all inputs with a sink.
  public func run<Sink: InputSink>(into sink: inout Sink) where Sink.Product == Result {
    run(sink.work) { sink.take($0) }
  }
}

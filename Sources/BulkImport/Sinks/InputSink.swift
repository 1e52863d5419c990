/// Consumes the inputs of a run: makes a product of each on any thread, and takes the products in the order
/// of the inputs.
public protocol InputSink {
  associatedtype Product: Sendable

  /// Reads an input and emits its products, on any thread.
  var work: InputRun<Product>.Work { get }

  /// Consumes an event, on the thread of the caller.
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

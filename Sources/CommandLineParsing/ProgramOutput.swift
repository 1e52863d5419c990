/// Where a program prints help, its version and usage errors.
public struct ProgramOutput {
  public enum Stream: Sendable { case output, error }

  /// The column at which text is wrapped.
  public var width: Int
  /// Whether headings are bold.
  public var isStyled: Bool
  /// Writes a text and returns whether that succeeded.
  public var write: (String, Stream) -> Bool

  public init(width: Int = 80, isStyled: Bool = false, write: @escaping (String, Stream) -> Bool) {
    self.width = width
    self.isStyled = isStyled
    self.write = write
  }
}

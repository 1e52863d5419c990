/// Where a program prints help, its version and usage errors.
package struct ProgramOutput {
  package enum Stream: Sendable { case output, error }

  /// The column at which text is wrapped.
  package var width: Int
  /// Whether headings are bold.
  package var isStyled: Bool
  /// Writes a text and returns whether that succeeded.
  package var write: (String, Stream) -> Bool

  package init(width: Int = 80, isStyled: Bool = false, write: @escaping (String, Stream) -> Bool) {
    self.width = width
    self.isStyled = isStyled
    self.write = write
  }
}

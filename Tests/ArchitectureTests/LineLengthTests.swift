import Testing

@Suite("Line length")
struct LineLengthTests {
  /// `swift format` wraps code at this length, but not comments.
  private static let limit = 110

  @Test("Comments have at most 110 columns")
  func comments() throws {
    for file in try SourceTree.files() {
      let long = file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().filter {
        _, line in
        line.count > Self.limit && line.drop { $0 == " " }.hasPrefix("//")
      }
      #expect(long.map { $0.offset + 1 } == [], "\(file.path)")
    }
  }
}

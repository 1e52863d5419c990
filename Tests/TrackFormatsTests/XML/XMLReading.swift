import TrackModel

@testable import TrackFormats

/// The result of reading a document with one of the two parsers: everything that a format's grammar can see.
struct XMLReading: Equatable, CustomStringConvertible {
  /// The end of a reading.
  enum Verdict: Equatable {
    /// The root element is complete; `hasMore` if it is followed by content that is not XML.
    case whole(hasMore: Bool)
    case fault
  }

  /// A token as seen by a format's grammar.
  struct Token: Equatable, CustomStringConvertible {
    let line: UInt32
    let kind: XMLToken.Kind
    var name: XMLName?
    var text: String?

    var description: String {
      let name = name.map { " {\($0.namespace ?? "")}\($0.qualified)" } ?? ""
      return "\(line) \(kind)\(name)\(text.map { " " + $0.debugDescription } ?? "")"
    }
  }

  private(set) var tokens: [Token] = []
  private(set) var verdict = Verdict.whole(hasMore: false)
  /// The reason why the document was rejected, worded differently by each parser.
  private(set) var error: TrackError?

  init(
    _ bytes: [UInt8], chunk: Int = ByteInput.defaultChunk, usesLibrary: Bool,
    limits: ReadingLimits = ReadingLimits()
  ) {
    var stream = XMLTokenStream(
      ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions(limits: limits), usesLibrary: usesLibrary
    ) { _, _ in 0 }
    do throws(TrackError) {
      while let token = try stream.next() {
        var found = Token(line: token.line, kind: token.kind)
        if token.kind != .text { found.name = stream.name(of: token) }
        switch token.kind {
        case .leaf, .text, .attribute, .namespace: found.text = stream.text(of: token)
        case .start, .end, .unresolvedEntity: break
        }
        tokens.append(found)
      }
      verdict = .whole(hasMore: stream.log.warnings.contains { $0.code == .trailingContent })
    } catch {
      self.error = error
      verdict = .fault
    }
  }

  static func == (left: XMLReading, right: XMLReading) -> Bool {
    left.verdict == right.verdict && left.tokens == right.tokens
  }

  var description: String {
    tokens.map(\.description).joined(separator: "\n") + "\n\(verdict)" + (error.map { " (\($0))" } ?? "")
  }
}

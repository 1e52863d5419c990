/// Lays out headings, wrapped paragraphs and two-column lists. Lines are at most `width` columns wide unless
/// a single word is longer.
struct TextLayout {
  let width: Int
  /// Whether headings are bold.
  let styled: Bool
  private(set) var text = ""

  /// The widest label with its text on the same line, leaving at least 20 columns; text goes below wider
  /// labels.
  private var widestLabel: Int { min(26, max(width - 24, 8)) }

  init(width: Int, styled: Bool) {
    self.width = width
    self.styled = styled
  }

  /// Appends a blank line and a heading.
  mutating func heading(_ title: String) {
    if !text.isEmpty { text += "\n" }
    text += bold(title + ":") + "\n"
  }

  /// Appends a heading followed by text on the same line.
  mutating func headed(_ title: String, _ line: String) {
    text += bold(title + ":") + " " + line + "\n"
  }

  /// Appends paragraphs, each preceded by a blank line.
  mutating func paragraphs(_ prose: String) {
    for paragraph in splitParagraphs(prose) {
      text += "\n"
      if paragraph.first?.first == " " {
        for line in paragraph { text += line + "\n" }
      } else {
        append(wrap(paragraph.joined(separator: " "), to: width), indentation: 0)
      }
    }
  }

  /// Appends labels and their text in two aligned columns.
  mutating func columns(_ rows: [(label: String, text: String)]) {
    let column = rows.map(\.label.count).filter { $0 <= widestLabel }.max() ?? 0
    let start = 2 + column + 2
    for row in rows {
      let lines = wrap(row.text, to: max(width - start, 20))
      text += "  " + row.label
      if row.label.count <= column, let first = lines.first, !first.isEmpty {
        text += String(repeating: " ", count: start - 2 - row.label.count) + first + "\n"
        append(lines.dropFirst(), indentation: start)
      } else {
        text += "\n"
        append(lines[...], indentation: start)
      }
    }
  }

  /// Appends example command lines, each followed by its caption.
  mutating func examples(_ examples: [Example]) {
    for example in examples {
      text += "  \(example.line)\n"
      append(wrap(example.explanation, to: width - 6), indentation: 6)
    }
  }

  private mutating func append(_ lines: some Sequence<String>, indentation: Int) {
    for line in lines { text += String(repeating: " ", count: indentation) + line + "\n" }
  }

  private func bold(_ title: String) -> String {
    styled ? "\u{1b}[1m\(title)\u{1b}[0m" : title
  }
}

/// Splits `prose` at blank lines into paragraphs, each an array of lines.
func splitParagraphs(_ prose: String) -> [[String]] {
  prose.split(separator: "\n", omittingEmptySubsequences: false)
    .split { $0.allSatisfy(\.isWhitespace) }
    .map { $0.map(String.init) }
}

/// Wraps `text` into lines of at most `width` characters. A longer word gets its own line.
func wrap(_ text: String, to width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(whereSeparator: \.isWhitespace) {
    if !line.isEmpty, line.count + 1 + word.count > width {
      lines.append(line)
      line = ""
    }
    line += (line.isEmpty ? "" : " ") + word
  }
  return line.isEmpty ? lines : lines + [line]
}

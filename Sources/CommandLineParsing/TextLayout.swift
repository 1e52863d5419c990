/// Text in headings, wrapped paragraphs and two columns, no line wider than `width` columns unless one word
/// is.
struct TextLayout {
  let width: Int
  /// Whether headings are bold.
  let styled: Bool
  private(set) var text = ""

  /// The widest label that text still stands beside; text goes below wider ones. It leaves text 20 columns.
  private var widestLabel: Int { min(26, max(width - 24, 8)) }

  init(width: Int, styled: Bool) {
    self.width = width
    self.styled = styled
  }

  /// A heading after a blank line.
  mutating func heading(_ title: String) {
    if !text.isEmpty { text += "\n" }
    text += bold(title + ":") + "\n"
  }

  /// A heading with a line beside it.
  mutating func headed(_ title: String, _ line: String) {
    text += bold(title + ":") + " " + line + "\n"
  }

  /// Paragraphs, a blank line before each.
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

  /// Labels with text beside them, in two aligned columns.
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

  /// Command lines with what they do below them.
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

/// The paragraphs of `prose`, each as its lines; blank lines separate them.
func splitParagraphs(_ prose: String) -> [[String]] {
  prose.split(separator: "\n", omittingEmptySubsequences: false)
    .split { $0.allSatisfy(\.isWhitespace) }
    .map { $0.map(String.init) }
}

/// The words of `text` on lines of at most `width` characters; a longer word has a line of its own.
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

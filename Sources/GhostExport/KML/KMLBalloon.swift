import TrackFormats
import TrackModel

/// The contents of balloons: HTML as text.
enum KMLBalloon {
  /// The layout of all balloons. Google Earth replaces `$[name]` with the unescaped name.
  static let style = style(heading: "$[name]")

  /// Returns a style for a placemark with a name that Google Earth would treat as markup, or nil for other
  /// names.
  static func style(named name: String) -> String? {
    guard name.contains(where: { "<>&".contains($0) }) || name.contains("$[") else { return nil }
    return "<Style>\(style(heading: escaped(name)))</Style>"
  }

  private static func style(heading: String) -> String {
    "<BalloonStyle><text>\(Escaping.html("<h3>\(heading)</h3>$[description]"))</text></BalloonStyle>"
  }

  /// A table with one row per fact, and one column per drive if there are several.
  static func html(_ table: FactTable) -> String {
    guard !table.rows.isEmpty else { return "" }
    var html = "<table border=\"0\" cellpadding=\"3\">"
    if !table.headings.isEmpty {
      html += "<tr><td></td>"
      for heading in table.headings { html += "<th align=\"right\">\(escaped(heading))</th>" }
      html += "</tr>"
    }
    let columns = max(table.headings.count, 1)
    for row in table.rows {
      html += "<tr><th align=\"left\">\(escaped(row.title))</th>"
      if row.facts.count == columns {
        for fact in row.facts { html += "<td align=\"right\">\(escaped(fact.text))</td>" }
      } else {
        let text = row.facts.map { escaped($0.text) }.joined(separator: " – ")
        html += "<td colspan=\"\(columns)\" align=\"right\">\(text)</td>"
      }
      html += "</tr>"
    }
    return html + "</table>"
  }

  /// The legend of the colours.
  static func html(_ legend: Legend) -> String {
    var html = "<table border=\"0\" cellpadding=\"2\">"
    for section in legend.sections {
      html += "<tr><th colspan=\"2\" align=\"left\">\(escaped(section.title))</th></tr>"
      for entry in section.entries {
        html +=
          "<tr><td bgcolor=\"\(entry.color.hexadecimal)\">&nbsp;&nbsp;&nbsp;&nbsp;</td><td>\(escaped(entry.text))</td></tr>"
      }
    }
    return html + "</table>"
  }

  static func html(_ notes: [String]) -> String { notes.map { "<p>\(escaped($0))</p>" }.joined() }

  /// Escapes text as HTML. Inserts a zero-width space into `$[`, which would start a variable in Google
  /// Earth.
  private static func escaped(_ text: String) -> String {
    Escaping.html(text).replacing("$[", with: "$\u{200B}[")
  }
}

extension TrackFormat {
  /// Text logs of Racelogic VBOX loggers. Read and written.
  public static let vbo = TrackFormat(
    name: "vbo", title: "Racelogic VBOX logs", fileExtensions: ["vbo"],
    recognizes: { $0.holdsVBO },
    reading: { input, options in VBOReader(input, options: options) },
    writing: { VBOWriter($0) })
}

extension FileOpening {
  /// Whether the lines of the opening include the headings of at least two sections of a VBO file.
  var holdsVBO: Bool { sectionsOfVBO.count > 1 && holdsSectionOfVBO }

  /// Whether the lines of the opening include the heading of a section that only VBO files have.
  var holdsSectionOfVBO: Bool { !sectionsOfVBO.isDisjoint(with: [.columnNames, .data, .header]) }

  private var sectionsOfVBO: Set<VBOHead.Section> {
    guard rootElement == nil, !isJSON else { return [] }
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }
    return Set(lines.compactMap { VBOHead.Section($0.span) })
  }
}

import TrackFormats
import TrackModel

/// Writes a comparison as KML 2.2 with Google's extensions, valid against their schemas.
///
/// Folders in this order: *Drives* (each as a line that every viewer draws, and as a `gx:Track` that moves),
/// *Gap*, *Detours*, *Anchors*, *Stops*. All times are those of the ``SharedClock``, so that play makes the
/// drives race; the initial view has its time slider open over the whole race.
///
/// The legend is the balloon of the document and, in an archive, the tree of folders: those of the drives
/// have icons in their colours, and the folder *Colours* lists those of the gap.
struct KMLExport: ~Copyable {
  private var output: KMLOutput
  private let layers: ComparisonLayers
  private let tour: KMLTour?
  private(set) var styles = KMLStyleTable()
  /// Whether icons are stored beside the document, in an archive.
  private let hasFiles: Bool

  init(
    _ output: consuming KMLOutput, _ layers: ComparisonLayers, tour: KMLTour?, hasFiles: Bool
  ) {
    self.output = output
    self.layers = layers
    self.tour = tour
    self.hasFiles = hasFiles
  }

  /// Writes everything up to the end of the document.
  mutating func write() throws(TrackError) {
    var body = ByteBuffer(capacity: 1 << 16)
    output.buffer.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
      <Document>

      """)
    output.buffer.append(element: "name", layers.title)
    output.buffer.append("<open>1</open>\n")
    let description = KMLBalloon.html(layers.notes) + KMLBalloon.html(layers.legend)
    output.buffer.append(element: "description", description)
    output.buffer.append("\n")
    KMLView(layers.drives.flatMap(\.runs), span: layers.span)?.append(to: &output.buffer)
    // Styles come before what they are used by, which is made first to know them; the drives are the
    // exception, because they can be large.
    for drive in layers.drives {
      _ = styles.ghost(drive.color)
      if hasFiles { _ = styles.folder(drive.color) }
      _ = styles.line(drive.color, width: 3, opacity: 0.7)
      if !drive.trimmed.isEmpty { _ = styles.line(.muted, width: 3, opacity: 0.8) }
    }
    appendLegend(&body)
    appendGaps(&body)
    appendFolder("Detours", layers.detours, isOpen: false, to: &body)
    appendFolder("Anchors", layers.anchors, isOpen: false, to: &body)
    appendFolder("Stops", layers.stops, isOpen: false, to: &body)
    styles.append(to: &output.buffer, hasFiles: hasFiles)
    try writeDrives()
    output.buffer.append(contentsOf: body.bytes)
    tour?.append(to: &output.buffer)
    output.buffer.append("</Document>\n</kml>\n")
    try output.finishEntry()
  }

  /// Ends the output and gives what was written to memory.
  consuming func finish() throws(TrackError) -> [UInt8] {
    try output.finish()
    return output.bytes
  }

  // MARK: Folders

  private mutating func writeDrives() throws(TrackError) {
    output.buffer.append("<Folder><name>Drives</name><open>1</open>\n")
    for drive in layers.drives {
      output.buffer.append("<Folder>")
      output.buffer.append(element: "name", drive.label)
      if hasFiles { output.buffer.append("<styleUrl>#\(styles.folder(drive.color))</styleUrl>") }
      output.buffer.append("\n")
      if !drive.runs.isEmpty {
        begin("\(drive.label), line", drive.table, styles.line(drive.color, width: 3, opacity: 0.7))
        output.buffer.append(kmlLines: drive.runs.flatMap(\.cutAtAntimeridian), drawOrder: 2)
        output.buffer.append("</Placemark>\n")
        try output.flush()
        begin(drive.label, drive.table, styles.ghost(drive.color))
        output.buffer.append(kmlTracks: drive.runs)
        output.buffer.append("</Placemark>\n")
        try output.flush()
      }
      for trimmed in drive.trimmed {
        begin("\(drive.label), \(trimmed.name)", FactTable(), styles.line(.muted, width: 3, opacity: 0.8))
        output.buffer.append(kmlLines: trimmed.lines.flatMap(\.cutAtAntimeridian), drawOrder: 1)
        output.buffer.append("</Placemark>\n")
      }
      output.buffer.append("</Folder>\n")
      try output.flush()
    }
    output.buffer.append("</Folder>\n")
  }

  private mutating func begin(_ name: String, _ table: FactTable, _ style: String) {
    KMLExport.beginPlacemark(name, table, style, to: &output.buffer)
  }

  /// Appends a folder per colour of the gap; those of the drives are in their own folders.
  private mutating func appendLegend(_ bytes: inout ByteBuffer) {
    let sections = layers.legend.sections.dropFirst()
    guard hasFiles, !sections.isEmpty else { return }
    bytes.append("<Folder><name>Colours</name>\n")
    for section in sections {
      bytes.append("<Folder>")
      bytes.append(element: "name", section.title)
      bytes.append("\n")
      for entry in section.entries {
        bytes.append("<Folder>")
        bytes.append(element: "name", entry.text)
        bytes.append("<styleUrl>#\(styles.folder(entry.color))</styleUrl></Folder>\n")
      }
      bytes.append("</Folder>\n")
    }
    bytes.append("</Folder>\n")
  }

  private mutating func appendGaps(_ bytes: inout ByteBuffer) {
    bytes.append("<Folder><name>Gap</name>\n")
    for (index, gap) in layers.gaps.enumerated() {
      // The pairs lie on one another: the first is shown, the others wait to be switched on.
      let isVisible = index == 0
      if layers.gaps.count > 1 {
        bytes.append("<Folder>")
        bytes.append(element: "name", gap.name)
        if !isVisible { bytes.append("<visibility>0</visibility>") }
        bytes.append("\n")
      }
      for feature in gap.features { append(feature, isVisible: isVisible, to: &bytes) }
      if layers.gaps.count > 1 { bytes.append("</Folder>\n") }
    }
    bytes.append("</Folder>\n")
  }

  private mutating func appendFolder(
    _ name: StaticString, _ features: [LayerFeature], isOpen: Bool, to bytes: inout ByteBuffer
  ) {
    bytes.append("<Folder><name>")
    bytes.append(name)
    bytes.append("</name>\n")
    for feature in features { append(feature, isVisible: true, to: &bytes) }
    bytes.append("</Folder>\n")
  }

  // MARK: Placemarks

  private mutating func append(_ feature: LayerFeature, isVisible: Bool, to bytes: inout ByteBuffer) {
    let style =
      switch feature.shape {
      case .lines: styles.line(feature.color, width: feature.width, opacity: feature.opacity)
      case .point: styles.pin(feature.color, feature.kind == "stop" ? .stop : .anchor)
      }
    KMLExport.beginPlacemark(
      feature.name, feature.table, style, kind: feature.kind, isVisible: isVisible, to: &bytes)
    switch feature.shape {
    case .lines(let lines): bytes.append(kmlLines: lines, drawOrder: feature.kind == "gap" ? 0 : 1)
    case .point(let place):
      bytes.append("<Point><coordinates>")
      bytes.append(degrees: place.longitude)
      bytes.append(UInt8(ascii: ","))
      bytes.append(degrees: place.latitude)
      bytes.append("</coordinates></Point>\n")
    }
    bytes.append("</Placemark>\n")
  }

  /// Appends a placemark up to its geometry: balloon for people, `ExtendedData` for programs.
  private static func beginPlacemark(
    _ name: String, _ table: FactTable, _ style: String, kind: String? = nil, isVisible: Bool = true,
    to bytes: inout ByteBuffer
  ) {
    bytes.append("<Placemark>")
    bytes.append(element: "name", name)
    if !isVisible { bytes.append("<visibility>0</visibility>") }
    if !table.rows.isEmpty {
      bytes.append("<Snippet maxLines=\"0\"></Snippet>")
      bytes.append(element: "description", KMLBalloon.html(table))
    }
    bytes.append("<styleUrl>#\(style)</styleUrl>")
    if let balloon = KMLBalloon.style(named: name) { bytes.append(balloon) }
    if kind != nil || !table.rows.isEmpty {
      bytes.append("<ExtendedData>")
      if let kind { append("kind", kind, to: &bytes) }
      for fact in table.facts {
        if let number = fact.number {
          bytes.append("<Data name=\"\(fact.key)\"><value>")
          bytes.append(decimal: number)
          bytes.append("</value></Data>")
        } else {
          append(fact.key, fact.text, to: &bytes)
        }
      }
      bytes.append("</ExtendedData>")
    }
    bytes.append("\n")
  }

  private static func append(_ key: String, _ text: String, to bytes: inout ByteBuffer) {
    bytes.append("<Data name=\"\(key)\"><value>")
    bytes.append(xmlText: text)
    bytes.append("</value></Data>")
  }
}

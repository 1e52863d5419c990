import TrackFormats
import TrackModel

/// Writes a comparison as KML 2.2 with Google's extensions, valid against their schemas.
///
/// The folders are *Drives* (each as a line for all viewers, and as an animated `gx:Track`), *Gap*,
/// *Detours*, *Anchors* and *Stops*. All times are on the ``ExportClock``, so that playing the time slider
/// races the drives. The initial view opens the slider over the whole race.
///
/// The legend is the balloon of the document. In a KMZ it is also the folder tree: folders of drives have
/// icons in their colours, and the folder *Colours* lists the colours of the gap.
struct KMLExport: ~Copyable {
  private var output: KMLOutput
  private let layers: ComparisonLayers
  private let tour: KMLTour?
  private(set) var styles = KMLStyleTable()
  /// Whether icons are stored next to the document, in a KMZ.
  private let hasFiles: Bool

  init(
    _ output: consuming KMLOutput, _ layers: ComparisonLayers, tour: KMLTour?, hasFiles: Bool
  ) {
    self.output = output
    self.layers = layers
    self.tour = tour
    self.hasFiles = hasFiles
  }

  /// Writes the whole document.
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
    // Styles precede the features that use them, so the features are encoded first. The drives are the
    // exception, because they can be large.
    for drive in layers.drives {
      _ = styles.ghost(drive.color)
      if hasFiles { _ = styles.folder(drive.color) }
      _ = styles.line(drive.color, width: 3, opacity: 0.7)
      if !drive.trimmed.isEmpty { _ = styles.line(.muted, width: 3, opacity: 0.8) }
    }
    appendLegend(&body)
    appendGaps(&body)
    appendFolder("Detours", layers.detours, to: &body)
    appendFolder("Anchors", layers.anchors, to: &body)
    appendFolder("Stops", layers.stops, to: &body)
    styles.append(to: &output.buffer, hasFiles: hasFiles)
    try writeDrives()
    output.buffer.append(contentsOf: body.bytes)
    tour?.append(to: &output.buffer)
    output.buffer.append("</Document>\n</kml>\n")
    try output.finishEntry()
  }

  /// Finishes the output and returns the bytes written to memory.
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

  /// Appends one folder per colour of the gap. The drives' folders show their colours as icons.
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
      // The pairs overlap, so only the first is visible initially.
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
    _ name: StaticString, _ features: [LayerFeature], to bytes: inout ByteBuffer
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

  /// Appends a placemark up to its geometry, with a balloon for people and `ExtendedData` for programs.
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

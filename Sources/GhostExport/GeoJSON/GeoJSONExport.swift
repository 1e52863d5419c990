import TrackFormats
import TrackModel

extension ComparisonOutput {
  /// GeoJSON (RFC 7946) with a property `layer` and the colours of simplestyle 1.1.
  public static let geojson = ComparisonOutput(
    name: "geojson", title: "GeoJSON with colours, for maps in browsers and QGIS"
  ) { document, options, sink throws(TrackError) in
    var export = GeoJSONExport(sink, ComparisonLayers(document, full: options.full))
    try export.write()
    return export.bytes
  }
}

/// Writes a comparison as GeoJSON (RFC 7946) with simplestyle 1.1 colours, times of lines as `coordTimes`,
/// and lines cut at the antimeridian.
///
/// The property `layer` names each feature's layer. Features are in drawing order: gap, detours, drives,
/// anchors, stops.
private struct GeoJSONExport: ~Copyable {
  private var sink: ByteSink
  private let layers: ComparisonLayers
  private var isFirst = true

  init(_ sink: consuming ByteSink, _ layers: ComparisonLayers) {
    self.sink = sink
    self.layers = layers
  }

  var bytes: [UInt8] { sink.bytes }

  mutating func write() throws(TrackError) {
    sink.buffer.append("{\"type\":\"FeatureCollection\"")
    sink.buffer.append(member: "name", layers.title)
    sink.buffer.append(member: "description", layers.notes.joined(separator: " "))
    sink.buffer.append(",\"features\":[")
    for gap in layers.gaps {
      for feature in gap.features { try write(feature, layer: "gap", with: ["pair": gap.name]) }
    }
    for feature in layers.detours { try write(feature, layer: "detours") }
    for drive in layers.drives { try write(drive) }
    for feature in layers.anchors { try write(feature, layer: "anchors") }
    for feature in layers.stops { try write(feature, layer: "stops") }
    sink.buffer.append("\n]}\n")
    try sink.finish()
  }

  private mutating func write(_ drive: DriveLayer) throws(TrackError) {
    for trimmed in drive.trimmed {
      let feature = LayerFeature(
        kind: "trimmed", name: "\(drive.label), \(trimmed.name)",
        shape: .lines(trimmed.lines.flatMap(\.cutAtAntimeridian)), color: .muted, width: 3)
      try write(feature, layer: "drives", with: ["drive": drive.label])
    }
    guard !drive.runs.isEmpty else { return }
    let feature = LayerFeature(
      kind: "drive", name: drive.label, shape: .lines(drive.runs.flatMap(\.cutAtAntimeridian)),
      color: drive.color, width: 3, table: drive.table)
    try write(feature, layer: "drives", with: ["drive": drive.label])
  }

  private mutating func write(
    _ feature: LayerFeature, layer: String, with more: KeyValuePairs<String, String> = [:]
  ) throws(TrackError) {
    sink.buffer.append(isFirst ? "\n" : ",\n")
    isFirst = false
    sink.buffer.append("{\"type\":\"Feature\",\"geometry\":")
    switch feature.shape {
    case .point(let place):
      sink.buffer.append("{\"type\":\"Point\",\"coordinates\":")
      sink.buffer.append(position: place.longitude, place.latitude)
    case .lines(let lines):
      let isMultiple = lines.count != 1
      sink.buffer.append("{\"type\":\"\(isMultiple ? "MultiLineString" : "LineString")\",\"coordinates\":")
      try nest(lines) { bytes, line, row in bytes.append(position: line.longitudes[row], line.latitudes[row])
      }
    }
    sink.buffer.append("},\"properties\":{")
    sink.buffer.append(member: "layer", layer)
    sink.buffer.append(member: "kind", feature.kind)
    sink.buffer.append(member: "name", feature.name)
    for (key, value) in more { sink.buffer.append(member: key, value) }
    if !feature.table.rows.isEmpty { sink.buffer.append(member: "description", feature.table.text) }
    for fact in feature.table.facts {
      if let number = fact.number {
        sink.buffer.append(member: fact.key, number)
      } else {
        sink.buffer.append(member: fact.key, fact.text)
      }
    }
    try writeStyle(feature)
    sink.buffer.append("}}")
    try sink.flush()
  }

  /// Appends simplestyle properties and times.
  private mutating func writeStyle(_ feature: LayerFeature) throws(TrackError) {
    switch feature.shape {
    case .point:
      if let time = feature.time { sink.buffer.append(member: "time", ExportClock.instant(time)) }
      sink.buffer.append(
        member: "marker-color", feature.kind == "stop" ? feature.color.hexadecimal : "#404040")
      sink.buffer.append(member: "marker-size", feature.kind == "stop" ? "small" : "medium")
      sink.buffer.append(member: "marker-symbol", feature.kind == "stop" ? "square" : "circle")
    case .lines(let lines):
      sink.buffer.append(member: "stroke", feature.color.hexadecimal)
      sink.buffer.append(member: "stroke-width", feature.width)
      sink.buffer.append(member: "stroke-opacity", feature.opacity)
      guard lines.contains(where: { !$0.times.isEmpty }) else { return }
      sink.buffer.append(member: "coordTimes")
      try nest(lines) { bytes, line, row in bytes.append(json: ExportClock.instant(line.times[row])) }
    }
  }

  /// Appends one element per position: a flat array for one line, an array per line for several.
  private mutating func nest(
    _ lines: [LayerLine], _ append: (inout ByteBuffer, LayerLine, Int) -> Void
  ) throws(TrackError) {
    let isMultiple = lines.count != 1
    if isMultiple { sink.buffer.append("[") }
    for (index, line) in lines.enumerated() {
      sink.buffer.append(index > 0 ? ",[" : "[")
      for row in 0..<line.count {
        if row > 0 { sink.buffer.append(UInt8(ascii: ",")) }
        append(&sink.buffer, line, row)
      }
      sink.buffer.append("]")
      try sink.flush()
    }
    if isMultiple { sink.buffer.append("]") }
  }
}

extension ByteBuffer {
  /// Appends a position, rounded to 1e-7 degrees.
  fileprivate mutating func append(position longitude: Double, _ latitude: Double) {
    append(UInt8(ascii: "["))
    append(degrees: longitude)
    append(UInt8(ascii: ","))
    append(degrees: latitude)
    append(UInt8(ascii: "]"))
  }
}

import TrackFormats
import TrackModel

extension ByteBuffer {
  /// Appends a `LineString` on the ground, or a `MultiGeometry` for several lines.
  mutating func append(kmlLines lines: [LayerLine], drawOrder: Int) {
    let isMultiple = lines.count != 1
    if isMultiple { append("<MultiGeometry>") }
    for line in lines {
      append("<LineString><gx:drawOrder>\(drawOrder)</gx:drawOrder>")
      append("<tessellate>1</tessellate><coordinates>\n")
      for row in 0..<line.count {
        append(degrees: line.longitudes[row])
        append(UInt8(ascii: ","))
        append(degrees: line.latitudes[row])
        append(UInt8(ascii: row % 8 == 7 ? "\n" : " "))
      }
      append("</coordinates></LineString>")
    }
    if isMultiple { append("</MultiGeometry>") }
    append("\n")
  }

  /// Appends a `gx:Track`, or a `gx:MultiTrack` if the recording was interrupted. All times precede all
  /// positions, because Google Earth shows nothing if they alternate.
  mutating func append(kmlTracks lines: [LayerLine]) {
    let isMultiple = lines.count != 1
    // With interpolation the drive stays visible while its recording paused.
    if isMultiple { append("<gx:MultiTrack><gx:interpolate>1</gx:interpolate>\n") }
    for line in lines {
      append("<gx:Track>\n")
      for time in line.times {
        append("<when>")
        ISO8601.append(ExportClock.instant(time), to: &self)
        append("</when>\n")
      }
      for row in 0..<line.count {
        append("<gx:coord>")
        append(degrees: line.longitudes[row])
        append(UInt8(ascii: " "))
        append(degrees: line.latitudes[row])
        append(" 0</gx:coord>\n")
      }
      append("</gx:Track>\n")
    }
    if isMultiple { append("</gx:MultiTrack>\n") }
  }

  /// Appends degrees rounded to 1e-7, which is a centimetre.
  mutating func append(degrees value: Double) { append(decimal: (value * 1e7).rounded() / 1e7) }
}

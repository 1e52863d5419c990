import Testing
import TrackModel

@testable import TrackFormats

@Suite("Values of channels in files")
struct ChannelNamesTests {
  @Test(
    "Degrees west of north count from north, clockwise",
    arguments: [
      (-180.0, 180.0), (-90, 270), (-0.25, 359.75), (-1e-20, 0), (0, 0), (359.5, 359.5), (360, 0),
    ])
  func degrees(written: Double, expected: Double) {
    for channel in [Channel.course, .bearing, .magneticVariation] {
      #expect(channel.known(written) == expected)
    }
  }

  @Test(
    "Values that mean \"unknown\" are not read",
    arguments: [
      (Channel.course, -1.0), (.bearing, -1), (.course, 360.5), (.course, -180.5), (.magneticVariation, 361),
      (.speed, -1), (.horizontalAccuracy, -1), (.verticalAccuracy, -0.5), (.elevation, -9999),
      (.elevation, -32768),
    ])
  func unknown(channel: Channel, value: Double) {
    #expect(channel.known(value) == nil)
  }

  @Test("A magnetic variation of 1° west and elevations below the sea are known")
  func known() {
    #expect(Channel.magneticVariation.known(-1) == 359)
    #expect(Channel.elevation.known(-430.5) == -430.5 && Channel.elevation.known(-10_920) == -10_920)
  }

  @Test("Numbers that are not finite set nothing")
  func nonFinite() {
    var batch = PointBatch()
    batch.append(latitude: 1, longitude: 2, time: Instant.absent)
    for value in [Double.nan, .infinity, -.infinity] { batch.set(.elevation, ifKnown: value) }
    batch.set(.speed, ifKnown: nil)
    #expect(batch.value(.elevation, at: 0) == nil && batch.value(.speed, at: 0) == nil)
    batch.set(.elevation, ifKnown: 4)
    #expect(batch.value(.elevation, at: 0) == 4)
  }

  @Test("Formats agree about a course of -90° and a void elevation")
  func formats() throws {
    let gpx =
      #"<gpx version="1.0" xmlns="http://www.topografix.com/GPX/1/0"><trk><trkseg>"#
      + #"<trkpt lat="47" lon="8"><ele>-9999</ele><course>-90</course></trkpt></trkseg></trk></gpx>"#
    var reader = GPXReader(ByteInput(bytes: Array(gpx.utf8)))
    let points = try TrackDocument(reading: &reader).tracks[0].segments[0].points
    #expect(points.value(.course, at: 0) == 270 && points.value(.elevation, at: 0) == nil)
    #expect(CSVTable.points("lat,lon,course,ele\n47,8,-90,-9999") == ["point 47 8 course 270"])
  }
}

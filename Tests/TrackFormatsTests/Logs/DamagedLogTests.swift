import Testing
import TrackModel

@testable import TrackFormats

@Suite("Damaged logs")
struct DamagedLogTests {
  /// A log of 40 points of the same length, one per line.
  struct TextLog: CustomTestStringConvertible, Sendable {
    let format: TrackFormat
    let head: String
    let row: @Sendable (Int) -> String

    var testDescription: String { format.name }
    var rows: [String] { (10..<50).map(row) }
    var text: String { head + rows.map { $0 + "\n" }.joined() }
  }

  static let logs = [
    TextLog(format: .igc, head: "AXXX001\nHFDTE170524\n") { "B0812\($0)4630\($0)0N00715\($0)0EA0154501571" },
    TextLog(
      format: .plt,
      head: "OziExplorer Track Point File Version 2.1\nWGS 84\nAltitude is in Feet\n\n0,2,255,a,0\n0\n"
    ) { "  46.5\($0),   7.2\($0),0, 1771.0,45429.34\($0),17-May-24,08:12:\($0)" },
    TextLog(
      format: .wpt, head: "OziExplorer Waypoint File Version 1.1\nWGS 84\nReserved 2\nReserved 3\n"
    ) { "\($0),N\($0),46.5\($0),7.2\($0),45429.34\($0),0,1,3,0,65535,text,0,0,0,1771,6,0,17" },
    TextLog(
      format: .vbo,
      head: "[header]\nsatellites\n[column names]\nsats time lat long velocity\n[data]\n"
    ) { "009 0812\($0).00 +2790.\($0)000 -00432.\($0)000 050.\($0)" },
    TextLog(format: .huawei, head: "") {
      "tp=lbs;k=\($0);lat=46.5\($0);lon=7.2\($0);alt=540.0;t=17857900\($0)000"
    },
    TextLog(format: .dashcam70mai, head: "$V02\n") { "17159407\($0),A,46.5\($0),7.2\($0),0,0,0,0,0,0,0,0,0" },
    TextLog(format: .owntracks, head: "") {
      "2024-05-17T08:12:\($0)Z\t*\t{\"_type\":\"location\",\"lat\":46.5\($0),\"lon\":7.2\($0),\"tst\":17159335\($0)}"
    },
    TextLog(format: .csv, head: "time,lat,lon,altitude\n") {
      "2024-05-17T08:12:\($0)Z,46.5\($0),7.2\($0),540.\($0)"
    },
    TextLog(format: .nmea, head: "") { DamagedLogTests.sentence($0) },
  ]

  private static func sentence(_ number: Int) -> String {
    let text = "GPRMC,0812\(number),A,4630.\(number),N,00715.\(number),E,10.0,90.0,170524,,"
    let checksum = text.utf8.reduce(0, ^)
    let digits = String(checksum, radix: 16, uppercase: true)
    return "$\(text)*\(digits.count == 1 ? "0" : "")\(digits)"
  }

  @Test("The logs are complete", arguments: logs)
  func complete(_ log: TextLog) throws {
    #expect(detected(Array(log.text.utf8)) == log.format.name)
    let transcript = try Transcript(log.format, log.text)
    #expect(transcript.points.count == 40)
    #expect(transcript.warnings.filter { $0.code != .missingDate } == [])
  }

  @Test(
    "Lines with a block of zeros are left out with a warning, and the others are kept", arguments: logs)
  func zeros(_ log: TextLog) throws {
    let whole = try Transcript(log.format, log.text)
    // From the middle of row 10 to the middle of row 13.
    let start = log.head.utf8.count + log.rows[..<10].reduce(0) { $0 + $1.utf8.count + 1 }
    let length = log.rows[10].utf8.count + 1
    var bytes = Array(log.text.utf8)
    let block = (start + length / 2)..<(start + 3 * length + length / 2)
    bytes.replaceSubrange(block, with: repeatElement(0, count: block.count))
    let damaged = try Transcript(log.format, bytes)
    var kept = whole.points
    kept.removeSubrange(10..<14)
    #expect(damaged.points == kept)
    #expect(!damaged.warnings.filter { [.damaged, .cutSentence, .wrongChecksum].contains($0.code) }.isEmpty)
    #expect(damaged.violations == [])
  }

  @Test(
    "Lost lines of a head are reported, and the rows after them are read",
    arguments: logs.filter { [.plt, .wpt, .csv].contains($0.format) })
  func head(_ log: TextLog) throws {
    let whole = try Transcript(log.format, log.text)
    // From the end of the head to the middle of the third row. The heading of a table keeps its columns.
    let isTable = log.format == .csv
    let start = isTable ? log.head.utf8.count - 4 : log.head.utf8.count / 2
    let end = log.head.utf8.count + log.rows[..<2].reduce(10) { $0 + $1.utf8.count + 1 }
    var bytes = Array(log.text.utf8)
    bytes.replaceSubrange(start..<end, with: repeatElement(0, count: end - start))
    let damaged = try Transcript(log.format, bytes)
    #expect(damaged.points.count == 37)
    let starts = damaged.points.map { $0.prefix(18) }
    #expect(starts == whole.points[3...].map { $0.prefix(18) })
    #expect(damaged.warnings.contains { $0.code == .damaged })
    #expect(damaged.violations == [])
  }

  @Test("Zeros inside a cell are damage, and those around it or in quotes are not")
  func cells() throws {
    let head = "time,lat,lon,name\n"
    let rows = ["2024-05-17T08:12:10Z,46.5,7.2,\0\0a\0\0", "2024-05-17T08:12:11Z,46.6,7.2,\"b\0c\""]
    let padded = try Transcript(.csv, head + rows.joined(separator: "\n"))
    #expect(padded.points.count == 2)
    #expect(padded.warnings == [])
    let damaged = try Transcript(
      .csv, head + rows.joined(separator: "\n") + "\n2024-05-17T08:12:12Z,46.7,7.2,d\0e\n")
    #expect(damaged.points == padded.points)
    #expect(damaged.warnings.map(\.code) == [.damaged])
    let heading = try Transcript(.csv, "time,lat,lon,al\0\0tude\n2024-05-17T08:12:10Z,46.5,7.2,540\n")
    #expect(heading.points.count == 1)
    #expect(heading.warnings.contains { $0.code == .damaged })
  }

  @Test("Zeros at the end of a log are reserved space", arguments: logs)
  func reservedSpace(_ log: TextLog) throws {
    let whole = try Transcript(log.format, log.text)
    let padded = try Transcript(log.format, Array(log.text.utf8) + Array(repeating: 0, count: 5000))
    #expect(padded.text == whole.text)
  }

  @Test(
    "A log that is cut anywhere in its last line gives the points of the other lines, or all",
    arguments: logs)
  func cut(_ log: TextLog) throws {
    let whole = try Transcript(log.format, log.text)
    for dropped in 2..<(log.row(49).utf8.count + 1) {
      let bytes = Array(log.text.utf8.dropLast(dropped))
      let damaged = try Transcript(log.format, bytes)
      let isWhole = damaged.points == whole.points
      #expect(isWhole || damaged.points == whole.points.dropLast(), "\(dropped) bytes are missing")
      let codes = damaged.warnings.map(\.code).filter { $0 != .missingDate }
      #expect(isWhole || !codes.isEmpty, "\(dropped) bytes are missing")
    }
  }
}

import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackArchives
@testable import TrackFormats

@Suite("Unsupported track formats")
struct UnsupportedFormatTests {
  static let contents: [(file: String, content: [UInt8], name: String)] = [
    ("a.txt", text("OziExplorer Route File Version 1.0\nWGS 84\nReserved 1\n"), "RTE"),
    ("a", text("<hCNF") + [0, 12, 0, 0], "AiM"), ("a.hrm", text("[Params]\nVersion=106\n"), "HRM"),
    ("a.xml", text("<?xml version=\"1.0\"?><loc version=\"1.0\"></loc>"), "LOC"),
    ("a.OV2", [2, 24, 0, 0, 0, 1, 2, 3], "TomTom"), ("a.trk", text("anything"), "TRK"),
    ("a.wpt", [0, 1], "WPT"), ("a.OVL", [0, 1], "Top50"), ("a.trc", [0, 1], "TRC"),
    ("a.sbn", [0, 1], "Locosys"),
    ("a.pvt", [0, 1, 2, 3], "PVT"), ("a.sdf", [0, 1], "SDF"),
    ("a.log", text("$PGRME,15.0,M,45.0,M,25.0,M*1C\n$PABCD,1*33\n"), "sentences"),
    (
      "a.json", text(#"[{"lat":1.5,"lng":2.5},{"lat":1.6,"lng":2.6},{"lat":1.7,"lng":2.7},{"t":[{"x":1}]}]"#),
      "positions"
    ),
    ("a", [0xB5, 0x62, 1, 7], "UBX"), ("a", [0x40, 0, 0, 0, 0, 0, 0, 0, 0x68, 0x35, 0, 0], "MoTeC"),
    (
      "a.srt",
      text("1\n00:00:00,000 --> 00:00:00,033\n[iso : 100] [latitude: 46.948] [longitude: 7.447]\n"), "SRT"
    ),
    ("a.json", text("[[46.9481,7.4474],[46.9482,7.4475], [46.9483,7.4476]]"), "positions"),
    (
      "a.json",
      text(
        #"{"p": [{"Latitude": 46.9, "Longitude": 7.4}, {"Latitude": 46.9, "Longitude": 7.4}, "#
          + #"{"Latitude": "46.9", "Longitude": "7.4"}]}"#),
      "positions"
    ),
    (
      "a.rungap.json",
      text(
        #"{"formatVersion":3,"laps":[{"points":[{"lat":52.0,"lon":-1.0,"ele":100.0,"time":1718530800}]}]}"#),
      "RunGap"
    ),
    ("a.json", text(#"{"latlng": {"data": [[46.9, 7.4]], "series_type": "distance"}}"#), "Strava"),
    ("a.json", text(#"[{"type":"time","data":[0,1,2,3"#), "Strava"),
    ("a.osm", text(#"<?xml version="1.0"?><osm version="0.6"></osm>"#), "OpenStreetMap"),
    ("a.csv", text("52.0,13.0,2024-05-14T06:30:00Z\n52.1,13.1,2024-05-14T06:30:10Z\n"), "table"),
    ("a.csv", text("1715668200;13.5;52.0\r\n1715668210;13.6;52.1\r\n"), "table"),
    ("a.txt", text("52.0 13.0\n52.1 13.1\n52.2 13.2\n"), "table"),
    (
      "a.json",
      text(
        #"{"points":[{"latitude":52,"longitude":13,"t":0},{"latitude":52.1,"longitude":13,"t":10}]}"#),
      "positions"
    ),
    ("a.dat", Array(repeating: 0, count: 16) + text("BUILD Aug 12 2017"), "DJI"),
    ("a.DAT", text("LOGH") + [1, 0, 0, 0], "DJI"),
    ("a.bin", telemetry(0xFE, overhead: 8) + telemetry(0xFE, overhead: 8), "MAVLink"),
    ("a", telemetry(0xFD, overhead: 12) + telemetry(0xFD, overhead: 12), "MAVLink"),
    (
      "a.bin",
      // 1351 points, the mask, the policy, and the interval of 5 s.
      [0x47, 5, 0x7F, 0x1E, 0x0E, 0, 4, 1, 50, 0, 0, 0] + Array(repeating: 0xFF, count: 501), "MTK"
    ),
    ("a.dat", destinatorPoint + destinatorPoint, "Destinator"),
    ("a.bin", [0xAA, 0x44, 0x12, 0x1C, 0x2A, 0, 2, 0x20], "NovAtel"),
    ("a.bin", [0xA0, 0xA2, 0, 2, 6, 1, 0, 7, 0xB0, 0xB3], "SiRF"),
    ("a.bin", [0xA0, 0xA1, 0, 2, 0x83, 2, 0x81, 0x0D, 0x0A], "SkyTraq"),
    ("a.log", text("DOMGVGPS Logfile V1.0:") + [0], "Geogrid"),
    ("a.mmo", [2, 0, 0xFF, 0xFF, 0x12, 0, 9, 0] + text("CObjIcons"), "Memory-Map"),
    ("a.xml", text("<?xml version=\"1.0\"?>\n<History>\n<Run>"), "Logbook"),
    ("a.gps", text("<hiketech version=\"1.2\">\n<gpsdata>"), "HikeTech"),
    ("a.rdn", text("<?xml version=\"1.0\"?><RANDONNEE>"), "IGN Rando"),
    ("a.xol", text("<?xml version=\"1.0\"?><overlays>"), "Swiss Map"),
    (
      "a.srt", text("1\n00:00:00,000 --> 00:00:01,000\nLat: 46.94810 Lon: 7.44740 12 km/h\n"), "SRT"
    ),
    (
      "a.dat",
      text(
        (0..<6).map { "11.5001\($0),48.10000,400.0,1,20-05-2024 06:12:3\($0)\n" }.joined()), "table"
    ),
    ("a.mxf", text((0..<6).map { "48.1000\($0), 11.50000, \"\", ff0000, 47\n" }.joined()), "table"),
    ("a.wkt", text("LINESTRING(7.4 46.9, 7.5 47.0)\n"), "WKT"),
    ("a.txt", text("SRID=4326;MultiLineString ZM ((7.4 46.9 1 2, 7.5 47.0 1 2))"), "WKT"),
  ]

  @Test(
    "The error names the export that can be read",
    arguments: [
      ("a.xrk", "<hCNF", "is an AiM", "CSV from RaceStudio"),
      ("a.ldx", "", "is by its name a MoTeC", "CSV from MoTeC i2"),
      ("a.rcz", "", "is by its name a RaceChrono", "CSV v3"),
      ("a.gdb", "MsRcf", "is a Garmin MapSource", "GPX from Garmin BaseCamp"),
      ("a.alf", "", "is by its name an Alfano", "CSV"), ("a.tes", "", "is by its name a Wintec", "GPX"),
    ])
  func advice(file: String, signature: String, name: String, advice: String) throws {
    var input = ByteInput(bytes: Array(signature.utf8) + [0, 1, 2, 3], name: file)
    let error = #expect(throws: TrackError.self) { try FormatRegistry.standard.detect(&input) }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains(name) == true)
    guard case .text(let text) = error?.suggestion else {
      Issue.record("no suggestion")
      return
    }
    #expect(text.contains(advice))
  }

  @Test("The checkpoint of a recording is named, with the way to restore the recording")
  func checkpoint() throws {
    let line = #"{"checkpoint":1,"state":"driving","stretches":[{"start":0,"firstRow":0}],"points":[]}"#
    var input = ByteInput(bytes: Array((line + "\n").utf8), name: "a.gpx.checkpoint")
    let error = #expect(throws: TrackError.self) { try FormatRegistry.standard.detect(&input) }
    #expect(error?.message == "is the checkpoint of a recording, which cannot be read")
    #expect(error?.suggestion == .restoreRecording(checkpoint: "a.gpx.checkpoint"))
  }

  @Test(
    "Formats with a signature are not named by the names of files",
    arguments: ["a.gdb", "a.xrk", "a.ld", "a.ubx"])
  func otherContent(file: String) throws {
    var input = ByteInput(bytes: [0x91, 0x17, 3, 0xE2, 0, 7], name: file)
    let error = #expect(throws: TrackError.self) { try FormatRegistry.standard.detect(&input) }
    #expect(error?.code == .unknownFormat)
    #expect(error?.message == "unsupported format: binary data")
  }

  @Test(
    "A table of times and other values has no positions",
    arguments: [
      "# StartTime = 06/30/2025 11:58:30.0000 PM\nTime (sec), Engine RPM (RPM), Vehicle speed (km/h)\n0.0,1000,0\n1.0,1001,1\n",
      "\"Time (s)\";\"Acceleration x (m/s^2)\"\n0.0E0;1.0E0\n1.0E0;1.0E0\n",
    ])
  func tableWithoutPositions(text: String) throws {
    var input = ByteInput(bytes: Array(text.utf8), name: "a.csv")
    let error = #expect(throws: TrackError.self) { try FormatRegistry.standard.detect(&input) }
    #expect(error?.code == .unknownFormat)
    #expect(error?.message == "the table has no positions")
  }

  @Test("Prose with commas is not a table")
  func prose() throws {
    var input = ByteInput(
      bytes: Array("Time, gentlemen\nplease, it is late\nso late, 7 or 8\n".utf8), name: "a.txt")
    let error = #expect(throws: TrackError.self) { try FormatRegistry.standard.detect(&input) }
    #expect(error?.message == "unsupported format: text")
  }

  @Test("A file that begins with empty lines is of no known format", arguments: [0x0A, 0x0D] as [UInt8])
  func emptyLines(byte: UInt8) throws {
    for count in [100, 16_384, 20_000] {
      var input = ByteInput(bytes: Array(repeating: byte, count: count), name: "a.csv")
      #expect(throws: TrackError.self) { try FormatRegistry.standard.detect(&input) }
    }
  }

  @Test("Lines that begin with the first byte of packets of a transport stream are text")
  func linesLikePackets() throws {
    let line = "GPS 46.94810 7.44740 2024-05-17T06:12:30Z"
    let text = String(repeating: line.padding(toLength: 187, withPad: " ", startingAt: 0) + "\n", count: 100)
    let isText = TransportStream(Array(text.utf8).span) == nil
    #expect(isText)
    var packets = Array(repeating: UInt8(0xFF), count: 188 * 5)
    for packet in 0..<5 {
      packets.replaceSubrange(packet * 188..<packet * 188 + 4, with: [0x47, 0x40, 0, 0x10])
    }
    let isStream = TransportStream(packets.span) != nil
    #expect(isStream)
  }

  @Test("The binary record of the DJI app is detected by its name")
  func flightRecord() throws {
    let name = "in/DJIFlightRecord_2024-05-17_[10-00-00].txt"
    for (content, code) in [
      ([0x90, 1, 0, 0, 12, 9], TrackError.Code.unsupported), (Self.text("a"), .unknownFormat),
    ] {
      var input = ByteInput(bytes: content, name: name)
      let error = #expect(throws: TrackError.self) { try FormatRegistry.standard.detect(&input) }
      #expect(error?.code == code)
    }
  }

  /// A box of an MP4 file: its size, its type and its content (ISO/IEC 14496-12, 4.2).
  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let size = content.count + 8
    return stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: size >> $0) } + text(type)
      + content
  }

  /// A video with its tables at the end, as cameras write it.
  private static func video(telemetry: Bool) -> [UInt8] {
    func track(_ format: String) -> [UInt8] {
      let description = box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + box(format, [0, 0, 0, 0, 0, 0, 0, 1]))
      return box("trak", box("tkhd", [0]) + box("mdia", box("minf", box("stbl", description))))
    }
    return box("ftyp", text("mp41")) + box("mdat", Array(repeating: 7, count: 40_000))
      + box("moov", track("avc1") + (telemetry ? track("gpmd") : []))
  }

  /// A packet of MAVLink with a payload of 9 bytes, after 2024-05-17T06:12:30Z in microseconds.
  private static func telemetry(_ marker: UInt8, overhead: Int) -> [UInt8] {
    let time: UInt64 = 1_715_926_350_000_000
    return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: time >> $0) } + [
      marker, 9, 0,
    ]
      + Array(repeating: 1, count: overhead + 9 - 3)
  }

  /// A point of Destinator at 7.4474° east and 46.948° north.
  private static var destinatorPoint: [UInt8] {
    let place = [7.4474, 46.948].flatMap { value in
      stride(from: 0, through: 56, by: 8).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64($0)) }
    }
    return place + Array(repeating: 0, count: 120) + text("TXT") + Array(repeating: 0, count: 13)
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("Formats are detected by content, structure or file name", arguments: contents.indices)
  func named(index: Int) throws {
    let (file, content, name) = Self.contents[index]
    var input = ByteInput(bytes: content, name: file)
    let error = #expect(throws: TrackError.self) { try FormatRegistry.standard.detect(&input) }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
  }

  @Test("In a folder, unsupported track formats are errors, and films without positions are skipped")
  func folder() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("in"), withIntermediateDirectories: true)
    var expected: [String] = []
    for (index, (file, content, _)) in Self.contents.enumerated() {
      let name = "\(index + 100)-\(file)"
      try Data(content).write(to: URL(filePath: folder.file("in/" + name)))
      expected.append("!" + name)
    }
    let place = #"{"latitude":1.5,"longitude":2.5,"latitudeSpan":0.1,"longitudeSpan":0.1}"#
    let photo = #"{"photoTakenTime":{"timestamp":"1"},"geoData":\#(place),"geoDataExif":\#(place)}"#
    let others: [(String, [UInt8])] = [
      ("200-README", Self.text("IGC files are here\n")), ("201.jpg", [0xFF, 0xD8, 0xFF, 0xE1]),
      ("202.json", Self.text(photo)), ("203.mp4", Self.video(telemetry: false)), ("204.txt", []),
      ("205.json", Self.text("[[1,2],[3,4],[5,6],[7,8]]")),
      ("206.json", Self.text("[[0.12345,90.5],[80.5,0.12345],[0.12345,70.5],[60.5,0.12345]]")),
      ("207.txt", Self.text("Points (see below)\n")),
      // A photo, noise, zeros, a film's subtitles, notes, measurements and a single message.
      ("208.dat", [0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10] + Self.text("JFIF") + Array(repeating: 3, count: 600)),
      ("209.bin", (0..<4000).map { UInt8(truncatingIfNeeded: $0 * $0 * 31 + $0 / 7) }),
      ("210.bin", Array(repeating: 0, count: 4000)),
      ("211.srt", Self.text("1\n00:00:00,000 --> 00:00:01,000\nToo late: 46 of 50 left.\n")),
      ("212.dat", Self.text("LOGHouse opens\nDJIFlightRecord\nBUILD 12\n")),
      ("213.dat", Self.text((0..<6).map { "1.0123\($0) 2.0123\($0) 0.5 x\n" }.joined())),
      ("214.bin", Self.telemetry(0xFE, overhead: 8) + [1, 2, 3, 4]),
    ]
    for (name, content) in others {
      try Data(content).write(to: URL(filePath: folder.file("in/" + name)))
      expected.append("-" + name)
    }
    for (sign, name, content) in [
      ("!", "300.db", Self.text("SQLite format 3\0")), ("+", "301.mp4", Self.video(telemetry: true)),
    ] {
      try Data(content).write(to: URL(filePath: folder.file("in/" + name)))
      expected.append(sign + name)
    }
    let walk = InputEnumerator([folder.file("in")])
    var steps: [String] = []
    func name(_ label: InputLabel) -> String { String(label.path.split(separator: "/").last ?? "") }
    while let step = walk.next() {
      switch step {
      case .container: break
      case .input(let input): steps.append("+" + name(input.label))
      case .skipped(_, let label, _): steps.append("-" + name(label))
      case .left: break
      case .failed(_, let label, let error):
        #expect(error.code == .unsupported)
        steps.append("!" + name(label))
      }
    }
    #expect(steps == expected)
  }

  @Test(
    "A workbook is reported as an error if it has positions",
    arguments: [("Latitude", "!"), ("Expenses", "-")])
  func spreadsheet(heading: String, expected: String) throws {
    var zip = ZIPBuilder()
    zip.add("xl/workbook.xml", Self.text("<workbook/>"))
    zip.add("xl/sharedStrings.xml", Self.text("<sst><si><t>\(heading)</t></si></sst>"))
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("in"), withIntermediateDirectories: true)
    try Data(zip.bytes).write(to: URL(filePath: folder.file("in/a.xlsx")))
    let walk = InputEnumerator([folder.file("in")])
    var steps: [String] = []
    while let step = walk.next() {
      switch step {
      case .failed(_, _, let error): steps.append("!\(error.code)")
      case .skipped(_, _, let reason): steps.append("-\(reason.code)")
      default: break
      }
    }
    #expect(steps == [expected == "!" ? "!unsupported" : "-no-track-file"])
    // A file named by the user must be an input.
    let named = InputEnumerator([folder.file("in/a.xlsx")]).next()
    guard case .failed = named else {
      Issue.record("no failure")
      return
    }
  }
}

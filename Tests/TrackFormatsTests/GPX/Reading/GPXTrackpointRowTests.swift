import Foundation
import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

/// Compares trackpoints read without tokens with the same trackpoints read as tokens.
@Suite("GPX reader: trackpoints without tokens")
struct GPXTrackpointRowTests {
  private static func read(_ bytes: [UInt8], usesRows: Bool, chunk: Int = 65536, capacity: Int = 64)
    -> Transcript
  {
    var reader = GPXReader(
      ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions(), usesRows: usesRows)
    return Transcript(reading: &reader, capacity: capacity)
  }

  /// Reads the positions, times and accuracies, and the warnings and error.
  private static func needed(_ bytes: [UInt8], _ channels: ChannelSet) -> [String] {
    var options = ReadingOptions()
    options.channels = channels
    var reader = GPXReader(ByteInput(bytes: bytes), options: options, usesRows: true)
    var batch = PointBatch(capacity: 64)
    var result: [String] = []
    do throws(TrackError) {
      while let event = try reader.next(into: &batch) {
        guard case .points = event else { continue }
        for row in 0..<batch.count {
          result.append(
            "\(batch.latitudes[row]) \(batch.longitudes[row]) \(batch.times[row]) "
              + "\(batch.value(.horizontalAccuracy, at: row) as Any)")
        }
      }
    } catch {
      result.append("\(error)")
    }
    return result + reader.warnings.map(\.description)
  }

  private static func check(_ bytes: [UInt8], chunk: Int = 65536, capacity: Int = 64, _ comment: Comment) {
    let tokens = read(bytes, usesRows: false)
    let rows = read(bytes, usesRows: true, chunk: chunk, capacity: capacity)
    #expect(rows.text == tokens.text, comment)
    #expect(rows.violations == [], comment)
  }

  /// Writes a document in one of many styles, in which some points differ from the others.
  private static func document(_ random: inout SeededGenerator) -> String {
    let lineEnd = ["\n", "\r\n", "", "\n\t  ", "\r"].randomElement(using: &random) ?? ""
    let quote = Bool.random(using: &random) ? "\"" : "'"
    let isLatitudeFirst = Bool.random(using: &random)
    let children: [String] = [
      "<ele>12.5</ele>", "<time>2024-05-17T06:12:3%Z</time>", "<speed>1.%</speed>", "<hdop>0.%</hdop>",
      "<x:speed>-1</x:speed>",
      "<extensions>\(lineEnd)<x:TrackPointExtension><x:hr>12%</x:hr></x:TrackPointExtension></extensions>",
      "<extensions><power>21%</power>\(lineEnd)</extensions>", "<course>360</course>", "<magvar>-%</magvar>",
    ].filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
    let odd: [String] = [
      "<name>n%</name>", "<ele>high</ele>", "<time>2024-05-17T06:12:30</time>", "<!-- c -->", "<x:foreign/>",
      "<ele/>", "<time>%</time>", "<time>\n2024-05-17T06:12:3%Z </time>", "text", "<![CDATA[x]]>",
      "<extensions><a>%</a></extensions>",
      "<y:hr>1</y:hr>",
      "<extensions></extensions>", "<ele> 1%</ele>", "<ele>1</ele><ele>2%</ele>", "<trkpt lat='1' lon='2'/>",
      "<link href='h'/>", "&unknown;", "</trkpt><trkpt>", "</trkseg><trkseg>", "<lat>1.%</lat>",
      "<x:lon>2</x:lon>", "<trkpt>%</trkpt>",
    ]
    let rate: Double = [0, 0.02, 0.3].randomElement(using: &random) ?? 0
    var text =
      "<gpx xmlns='http://www.topografix.com/GPX/1/1' creator='c'"
      + " xmlns:x='http://www.garmin.com/xmlschemas/TrackPointExtension/v2'>\n<trk>\n<trkseg>"
    for index in 0..<Int.random(in: 2...60, using: &random) {
      let isOdd = Double.random(in: 0..<1, using: &random) < rate
      let latitude = isOdd && index % 3 == 0 ? 91 : Double.random(in: -90...90, using: &random)
      let longitude = Double.random(in: -180...180, using: &random)
      let attributes = [("lat", latitude), ("lon", longitude)].map { "\($0.0)=\(quote)\($0.1)\(quote)" }
      text +=
        lineEnd + "<trkpt " + (isLatitudeFirst ? attributes : attributes.reversed()).joined(separator: " ")
      var content = children.filter { _ in Double.random(in: 0..<1, using: &random) > rate / 4 }
      if isOdd { content.append(odd.randomElement(using: &random) ?? "") }
      let inside = content.joined(separator: lineEnd).replacing("%", with: "\(index % 10)")
      text += inside.isEmpty ? "/>" : ">\(inside)\(lineEnd)</trkpt>"
    }
    text += "</trkseg></trk></gpx>"
    if Double.random(in: 0..<1, using: &random) < 0.2 {
      text = String(text.prefix(Int.random(in: 150...text.count, using: &random)))
    }
    return text
  }

  @Test("Leaving out values that are not needed changes nothing else")
  func neededChannels() {
    let seed = SeededGenerator.printedSeed()
    var random = SeededGenerator(seed: seed)
    for index in 0..<Effort.rounds(150) {
      let bytes = Array(GPXTrackpointRowTests.document(&random).utf8)
      let all = GPXTrackpointRowTests.needed(bytes, .all)
      let some = GPXTrackpointRowTests.needed(bytes, ChannelSet(.horizontalAccuracy))
      #expect(some == all, "seed \(seed), document \(index)")
    }
  }

  @Test("Numbers that are not needed are skipped in points without tokens, and must be valid")
  func skippedNumbers() throws {
    let numbers = ["1", "-2", "3.25", "540.019999999629590", "1e3", "+4", ".5"]
    let points = numbers.map { "<trkpt lat='1' lon='2'><ele>\($0)</ele><speed>5</speed></trkpt>\n" }
    let text =
      "<gpx><trk><trkseg>\n\(points[0])\(points.joined())<trkpt lat='1' lon='2'><ele>high</ele></trkpt>"
    var options = ReadingOptions()
    options.channels = ChannelSet(.speed)
    var reader = GPXReader(
      ByteInput(bytes: Array("\(text)</trkseg></trk></gpx>".utf8)), options: options, usesRows: true)
    var batch = PointBatch(capacity: 64)
    var read: [(elevation: Double?, speed: Double?)] = []
    while let event = try reader.next(into: &batch) {
      guard case .points = event else { continue }
      read += (0..<batch.count).map { (batch.value(.elevation, at: $0), batch.value(.speed, at: $0)) }
    }
    #expect(read.map(\.speed) == Array(repeating: 5, count: 8) + [nil])
    // Only the first point is read as tokens.
    #expect(read.dropFirst().allSatisfy { $0.elevation == nil })
    #expect(reader.warnings.count == 1)
  }

  @Test("Documents of all styles give the same events, warnings and errors", arguments: 0..<4)
  func styles(_ part: Int) {
    let seed = SeededGenerator.printedSeed("\(#function) \(part)")
    var random = SeededGenerator(seed: seed)
    for index in 0..<Effort.rounds(150) {
      let text = GPXTrackpointRowTests.document(&random)
      let chunk = [65536, 4096, 1000, 700][index % 4]
      GPXTrackpointRowTests.check(
        Array(text.utf8), chunk: chunk, capacity: [64, 1, 7][index % 3],
        "seed \(seed), document \(index): \(text)")
    }
  }

  @Test("An element with the name of an attribute, and an attribute with that of an element, are not values")
  func exchangedNames() {
    let points = ["<trkpt lat='1' lon='2'><lat>3</lat></trkpt>", "<trkpt lat='4' ele='5'></trkpt>"]
      .map { String(repeating: $0 + "\n", count: 5) }.joined()
    let text =
      "<gpx><trk><trkseg>\n<trkpt lat='1' lon='2'><ele>3</ele></trkpt>\n\(points)</trkseg></trk></gpx>"
    GPXTrackpointRowTests.check(Array(text.utf8), "\(text)")
    #expect(GPXTrackpointRowTests.read(Array(text.utf8), usesRows: true).points.count == 6)
  }

  @Test("The fixtures give the same events, warnings and errors")
  func fixtures() throws {
    let fixtures = Fixture.all(of: "gpx")
    #expect(fixtures.count > 10)
    for fixture in fixtures { GPXTrackpointRowTests.check(try fixture.bytes(), "\(fixture)") }
  }

  @Test(
    "Real files give the same events, warnings and errors",
    .enabled(if: Fixture.hasShared, "the shared corpus is missing"))
  func corpus() throws {
    let files = Fixture.files(in: Fixture.shared.appending(path: "corpus/gpx"), ending: ".gpx")
    #expect(files.count > 50)
    for file in files { GPXTrackpointRowTests.check(try file.bytes(), capacity: 4096, "\(file)") }
  }

  @Test("All but the first of many plain trackpoints are read without tokens")
  func share() throws {
    let points = (0..<100).map { "<trkpt lat=\"1.\($0)\" lon=\"2\"><ele>3</ele></trkpt>\n" }.joined()
    var tokens = XMLTokenStream(
      ByteInput(bytes: Array("<gpx><trk><trkseg>\n\(points)</trkseg></trk></gpx>".utf8)),
      options: ReadingOptions(), rows: GPXTrackpointRow.learning(.all)
    ) {
      GPXElement.classify($0, core: $1).rawValue
    }
    var rows = 0
    while try tokens.next() != nil {
      while tokens.nextRow() {
        rows += 1
        #expect(tokens.row.numbers[1] == 2)
        #expect(tokens.row.numbers[2] == 3)
      }
    }
    // The last bytes of a chunk are too few to compare whole words.
    #expect(rows == 99)
  }
}

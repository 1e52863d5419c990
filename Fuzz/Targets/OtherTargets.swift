import CommandLineParsing
import DriveLibrary
import DriveMatching
import Foundation
import GhostModel
import TestSupport
import TrackArchives
import TrackFormats
import TrackModel

extension FuzzTarget {
  /// A folder for the files of this process.
  private static let folder = try? TemporaryFolder()

  /// The path of a file that no earlier run has left.
  static func scratch(_ name: String) throws -> String {
    guard let folder else { throw FuzzFinding("no temporary folder") }
    let path = folder.file(name)
    for ending in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: path + ending)
    }
    return path
  }

  /// A format is recognised in any bytes, or an error says why not.
  static let detection = FuzzTarget("detection") { input in
    try timed(input.count) {
      for name in [nil, "a.gpx", "a.json", "a.csv"] as [String?] {
        var whole = ByteInput(bytes: input, name: name)
        var cut = ByteInput(bytes: input, name: name, chunk: 7)
        let first = Result { try FormatRegistry.withArchives.detect(&whole).name }
        let second = Result { try FormatRegistry.withArchives.detect(&cut).name }
        guard (try? first.get()) == (try? second.get()) else {
          throw FuzzFinding("detected \(first) and, in pieces, \(second)")
        }
      }
    }
  }

  /// JSON is valid or not however it arrives in pieces, and the lexer ends.
  static let json = FuzzTarget("json") { input in
    try timed(input.count) {
      let whole = jsonError(input, chunk: ByteInput.defaultChunk)
      let cut = jsonError(input, chunk: 3)
      guard whole == cut else { throw FuzzFinding("\(whole ?? "valid"), in pieces \(cut ?? "valid")") }
    }
  }

  /// The error of the first text of an input; nil if it is valid.
  private static func jsonError(_ input: [UInt8], chunk: Int) -> String? {
    var lexer = JSONLexer(ByteInput(bytes: input, chunk: chunk), options: ReadingOptions(isStrict: true))
    do {
      _ = try lexer.nextText()
      try lexer.skip()
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// The blob of a drive is decoded as Foundation decodes it, and what is encoded decodes to the same.
  static let blob = FuzzTarget("blob") { input in
    struct Point: Decodable { var lat, lon: Double }
    try timed(input.count) {
      let own = try? CoordinateBlob.decode(input)
      if let own {
        guard try CoordinateBlob.decode(CoordinateBlob.encode(own)) == own else {
          throw FuzzFinding("encoded and decoded, the coordinates differ")
        }
        guard let points = try? JSONDecoder().decode([Point].self, from: Data(input)) else {
          // Foundation refuses what is nested deeply and numbers beyond Double.
          return
        }
        // Of a key that comes twice Foundation takes the first.
        guard points.count == own.count else { throw FuzzFinding("\(own.count) points of \(points.count)") }
      } else if let points = try? JSONDecoder().decode([Point].self, from: Data(input)),
        // The decoder does not check numbers that it does not decode.
        (try? JSONSerialization.jsonObject(with: Data(input))) != nil,
        points.allSatisfy({ abs($0.lat) <= 90 && abs($0.lon) <= 180 }),
        // Foundation reads UTF-16 and UTF-32.
        !input.contains(0), !input.starts(with: [0xEF, 0xBB, 0xBF]),
        // Of a key that comes twice Foundation decodes the first value only.
        !isRepeating("lat", in: input, points.count), !isRepeating("lon", in: input, points.count),
        // Foundation does not check the text of keys and values that it does not decode.
        let text = String(validating: input, as: UTF8.self), !text.lowercased().contains("\\ud")
      {
        do throws(TrackError) { _ = try CoordinateBlob.decode(input) } catch {
          // Deeper than the limit, or a number that Foundation rounds into range.
          if [.limitExceeded, .invalidValue].contains(error.code) { return }
          throw FuzzFinding("refused what Foundation reads: \(error)")
        }
      }
    }
  }

  /// Whether a key occurs more often than there are points.
  private static func isRepeating(_ key: String, in input: [UInt8], _ count: Int) -> Bool {
    String(decoding: input, as: UTF8.self).components(separatedBy: "\"\(key)\"").count - 1 > count
  }

  /// A drive that Foundation decodes from a document is encoded and decoded to the same drive.
  static let drive = FuzzTarget("drive-document") { input in
    try timed(input.count) {
      guard let drive = try? JSONDecoder().decode(Drive.self, from: Data(input)) else { return }
      let again = try JSONDecoder().decode(Drive.self, from: Data(DriveDocument.encode(drive)))
      guard again == drive else { throw FuzzFinding("encoded and decoded, the drive differs") }
      _ = drive.coordinates
    }
  }

  /// Two drives of any coordinates and times can be compared.
  static let comparison = FuzzTarget(
    "comparison", allocation: AllocationBudget(total: (base: 1 << 30, perByte: 1_000_000))
  ) { input in
    guard input.count >= 16 else { return }
    var traces: [TimedDrive] = []
    for half in [input[..<(input.count / 2)], input[(input.count / 2)...]] {
      guard let trace = trace(Array(half)) else { return }
      traces.append(trace)
    }
    try timed(20 * input.count) {
      for mode in [nil, ComparisonMode.startLocation] {
        try check(DriveComparison.compare(traces, mode: mode))
      }
      // With times of day, they are also compared as recordings of one ride.
      let rides = traces.compactMap { recorded($0) }
      guard let first = rides.first else { return }
      for other in rides + [recorded(traces[0], isMirrored: true)].compactMap(\.self) {
        try check(DriveComparison.compare([first, other]))
      }
    }
  }

  private static func check(_ comparison: DriveComparison) throws {
    for pair in comparison.pairs {
      guard pair.profile.gaps.allSatisfy(\.isFinite), pair.sharedDistance.isFinite else {
        throw FuzzFinding("a gap or a distance that is not finite")
      }
    }
    guard comparison.margin?.isFinite != false else { throw FuzzFinding("the margin is not finite") }
  }

  /// Laps of any drive can be searched and timed.
  static let laps = FuzzTarget(
    "laps",
    // Jumps are sampled in up to 400,000 places.
    allocation: AllocationBudget(
      held: (base: 192 << 20, perByte: 2_000), total: (base: 1 << 30, perByte: 1_000_000))
  ) { input in
    // Circuits are searched in all pairs of places.
    let steps = Array(input.prefix(2048))
    guard steps.count >= 16, let trace = trace(steps, longestStep: 1e6), let drive = recorded(trace) else {
      return
    }
    try timed(1000 * steps.count) {
      let gate = Gate(drive.coordinate(at: drive.count / 2))
      for gate in [nil, gate] {
        guard let course = try? LapCourse(gate: gate, in: [drive]),
          let laps = try? LapRanking(course, of: SessionDrive.joined([drive]))
        else { continue }
        guard laps.entries.allSatisfy({ $0.lap.duration.isFinite && $0.lap.duration > 0 }) else {
          throw FuzzFinding("a lap without a duration")
        }
      }
    }
  }

  /// Returns a drive as a recording of a day near the antimeridian, or of the same time on its other side.
  private static func recorded(_ drive: TimedDrive, isMirrored: Bool = false) -> TimedDrive? {
    var segment = Recording.Segment()
    for row in 0..<drive.count {
      let place = drive.coordinate(at: row)
      let east = place.longitude > 10 ? place.longitude - 190 : place.longitude + 170
      segment.append(
        Coordinate(latitude: place.latitude, longitude: isMirrored ? -east : east),
        time: Instant(microseconds: 1_700_000_000_000_000 + Int64(drive.elapsed[row] * 1e6)))
    }
    return try? TimedDrive(Recording(segments: [segment]), label: "b")
  }

  /// A drive of steps: four bytes each, two of direction, one of time and one that now and then jumps.
  ///
  /// - Parameter longestStep: the seconds of a step with the largest byte.
  private static func trace(_ bytes: [UInt8], longestStep: Double = 255.0 / 16) -> TimedDrive? {
    var place = (latitude: 46.9, longitude: 7.4)
    var time = 0.0
    var coordinates: [Coordinate] = []
    var elapsed: [Double] = []
    for index in stride(from: 0, to: bytes.count - 3, by: 4) {
      let scale = bytes[index + 3] < 250 ? 1e-5 : bytes[index + 3] < 254 ? 1e-2 : 1
      place.latitude += Double(Int8(bitPattern: bytes[index])) * scale
      place.longitude += Double(Int8(bitPattern: bytes[index + 1])) * scale
      place.latitude = min(max(place.latitude, -90), 90)
      if abs(place.longitude) > 180 { place.longitude -= place.longitude > 0 ? 360 : -360 }
      time += bytes[index + 2] == 255 ? longestStep : Double(bytes[index + 2]) / 16
      coordinates.append(Coordinate(latitude: place.latitude, longitude: place.longitude))
      elapsed.append(time)
    }
    return try? TimedDrive(label: "a", coordinates: coordinates, elapsed: elapsed)
  }

  /// Opens any bytes as a library, reads and checks them. A refused file is unchanged.
  static let library = FuzzTarget("library") { input in
    let path = try scratch("library.gpkg")
    try Data(input).write(to: URL(filePath: path))
    try timed(40 * input.count) {
      guard let library = try? DriveLibrary(path: path, mode: .reading) else { return }
      guard let drives = try? library.drives() else { return }
      for drive in drives.prefix(16) {
        _ = try? library.drive(drive.id)?.coordinates
        _ = try? library.recording(drive.id)
      }
      _ = try? library.check()
      library.close()
    }
  }

  /// An archive or a file of any bytes is walked, and everything in it is read.
  static let walk = FuzzTarget("walk") { input in
    let path = try scratch("input")
    try Data(input).write(to: URL(filePath: path))
    try timed(20 * input.count) {
      let walk = InputEnumerator([path])
      var steps = 0
      while let step = walk.next(), steps < 100_000 {
        steps += 1
        guard case .input(let found) = step else { continue }
        do throws(TrackError) {
          var stream = try found.isStreamed ? walk.takeStream() : found.open()
          // More than any input of the fuzzer, unless an archive unpacks to too much.
          while try stream.fill(), stream.offset < 1 << 28 { stream.consumeAll() }
        } catch {
          continue
        }
      }
      if steps >= 100_000 { throw FuzzFinding("100,000 steps") }
    }
  }

  /// Arguments are parsed or refused; help, manual and completions hold.
  static let arguments = FuzzTarget("arguments") { input in
    let words = input.split(separator: 0, omittingEmptySubsequences: false)
    try timed(input.count) {
      _ = try? FuzzProgram.program.action(for: words.map { String(decoding: $0, as: UTF8.self) })
    }
  }
}

/// A program with every kind of parameter.
private enum FuzzProgram {
  struct Options: CommandOptions {
    var inputs: [String] = []
    var json = false
    var output: String?
    var tags: [String] = []
    var accuracy = 15.0
    var rounds: Int?
  }

  static let program = Program(
    name: "fuzz", version: "1", summary: "Take any arguments",
    commands: [
      Command(
        "import", summary: "Import files", defaults: Options(),
        parameters: [
          .arguments("FILE", \.inputs, "Files."), .flag("--json", short: "-j", \.json, "Print JSON."),
          .option("--output", short: "-o", \.output, value: "FILE", "Write to FILE."),
          .repeated("--tag", \.tags, value: "TAG", "Add TAG."),
          .option("--maximum-accuracy", \.accuracy, value: "METRES", "Leave out others."),
          .option("--rounds", short: "-n", \.rounds, value: "COUNT", "Repeat."),
        ]
      ) { _ in 0 }
    ])
}

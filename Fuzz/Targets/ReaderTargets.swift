import TestSupport
import TrackArchives
import TrackFormats
import TrackModel

extension FuzzTarget {
  /// One target for each format that can be read; a new format has one at once.
  static let readers = FormatRegistry.withArchives.formats.filter(\.canRead).map { format in
    FuzzTarget(format.name, isXML: ["gpx", "kml", "tcx", "sml"].contains(format.name)) { input in
      let whole = try read(input, format, chunk: ByteInput.defaultChunk, capacity: 4096)
      let pieces = Pieces(input)
      let cut = try read(input, format, chunk: pieces.chunk, capacity: pieces.capacity)
      if let difference = whole.difference(to: cut) {
        throw FuzzFinding("chunks of \(pieces.chunk), batches of \(pieces.capacity): \(difference)")
      }
    }
  }

  /// How an input is cut, from its bytes, so that the fuzzer chooses and a replay does the same.
  private struct Pieces {
    let chunk: Int
    let capacity: Int

    init(_ input: [UInt8]) {
      let sum = input.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
      // At most 200 pieces: a reader that needs more input may look at its beginning again.
      let chunks = [1, 2, 3, 5, 7, 16, 61, 64, 255, 509, 1024, 4093]
      chunk = max(chunks[Int(sum >> 8) % chunks.count], input.count / 200)
      capacity = [1, 2, 3, 7, 64][Int(sum) % 5]
    }
  }

  static func read(
    _ input: [UInt8], _ format: TrackFormat, chunk: Int, capacity: Int
  ) throws -> StreamRecord {
    try timed(input.count) {
      var reader = try format.reader(ByteInput(bytes: input, chunk: chunk))
      return try StreamRecord(reading: &reader, capacity: capacity)
    }
  }

  /// Checks the budget of processor time: two seconds, and 100 µs for each byte.
  static func timed<Result>(_ size: Int, _ body: () throws -> Result) throws -> Result {
    var result: Result?
    let time = try processorTime { result = try body() }
    if time > .seconds(2) + .microseconds(100 * size) {
      throw FuzzFinding("took \(time) for \(size) bytes")
    }
    guard let result else { throw FuzzFinding("no result") }
    return result
  }

  /// Rows read without tokens give the same as those read as tokens. The content of the track is repeated,
  /// because the first row of each shape is read as tokens.
  static let rows = FuzzTarget("xml-rows", isXML: true) { input in
    var document = input
    if let start = input.firstIndex(of: UInt8(ascii: "\n")), let end = input.lastIndex(of: UInt8(ascii: "\n"))
    {
      document.insert(contentsOf: input[start..<end], at: start)
    }
    func record(usesRows: Bool) throws -> StreamRecord {
      let bytes = ByteInput(bytes: document, chunk: 1 << 12)
      var reader: any TrackReader & ~Copyable
      switch XMLRoot.find(document)?.name {
      case "kml": reader = KMLReader(bytes, options: ReadingOptions(), usesRows: usesRows)
      case "TrainingCenterDatabase": reader = TCXReader(bytes, options: ReadingOptions(), usesRows: usesRows)
      default: reader = GPXReader(bytes, options: ReadingOptions(), usesRows: usesRows)
      }
      return try StreamRecord(reading: &reader, capacity: 64)
    }
    let tokens = try record(usesRows: false)
    if let difference = tokens.difference(to: try record(usesRows: true)) { throw FuzzFinding(difference) }
  }

  /// The scanner of plain XML and libxml2 deliver the same. A document type makes libxml2 read a document.
  static let doctype = FuzzTarget("xml-scanner", isXML: true) { input in
    guard !input.contains(0), let (name, place) = XMLRoot.find(input),
      !input.prefix(place).contains(where: { $0 == UInt8(ascii: "!") })
    else { return }
    let format: TrackFormat = name == "kml" ? .kml : name == "TrainingCenterDatabase" ? .tcx : .gpx
    let typed = input[..<place] + Array("<!DOCTYPE \(name)>".utf8) + input[place...]
    let plain = try read(input, format, chunk: ByteInput.defaultChunk, capacity: 64)
    let viaLibrary = try read(Array(typed), format, chunk: ByteInput.defaultChunk, capacity: 64)
    // Where both refuse it, how much comes before the fault depends on how far each looks ahead.
    guard plain.error == nil || viaLibrary.error == nil else { return }
    // libxml2 examines markup when its end has arrived: a fault in the last comment or tag of a file that
    // ends inside it is only a cut file.
    if plain.error?.code == .malformed, viaLibrary.isCut, viaLibrary.steps.starts(with: plain.steps) {
      return
    }
    if let difference = plain.difference(to: viaLibrary, places: false) { throw FuzzFinding(difference) }
  }

  /// What one reader delivers, every writer writes such that it can be read again.
  static let writers = FuzzTarget("writers") { input in
    guard input.count > 2 else { return }
    let readable = FormatRegistry.withArchives.formats.filter(\.canRead)
    let writable = FormatRegistry.withArchives.formats.filter { $0.canWrite && $0.canRead }
    let source = readable[Int(input[0]) % readable.count]
    let target = writable[Int(input[1]) % writable.count]
    try timed(input.count) {
      var reader = try source.reader(ByteInput(bytes: Array(input.dropFirst(2))))
      let path = try scratch("out.\(target.usualExtension)")
      var writer = try target.writer(try ByteSink(path: path))
      var batch = PointBatch(capacity: 64)
      var count = 0
      do throws(TrackError) {
        while let event = try reader.next(into: &batch) {
          if case .points = event { count += batch.count }
          try writer.write(event, batch)
        }
      } catch {
        // What came before the fault is written.
        return
      }
      do throws(TrackError) { try writer.finish() } catch {
        if [.noTracks, .tooFewPoints, .limitExceeded, .noTimes].contains(error.code) { return }
        throw FuzzFinding("\(source) to \(target): \(error)")
      }
      var again = try target.reader(try ByteInput(path: path))
      let record = try StreamRecord(reading: &again, capacity: 64)
      if let error = record.error, count > 0 { throw FuzzFinding("\(source) to \(target): \(error)") }
      if count > 0, record.pointCount != count, writer.losses.isEmpty {
        throw FuzzFinding("\(source) to \(target): \(record.pointCount) points of \(count)")
      }
    }
  }
}

/// The root element of an XML document.
private enum XMLRoot {
  /// The local name of the root element and where its tag begins; nil if there is a document type or no root.
  static func find(_ bytes: [UInt8]) -> (name: String, place: Int)? {
    var index = 0
    while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")), open + 1 < bytes.count {
      switch bytes[open + 1] {
      case UInt8(ascii: "!"): return nil
      case UInt8(ascii: "?"):
        guard let end = bytes[open...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
        index = end + 1
      default:
        let name = bytes[(open + 1)...].prefix { $0 > 0x20 && !"/>".utf8.contains($0) }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        guard local.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }), !local.isEmpty else { return nil }
        return (String(decoding: local, as: UTF8.self), open)
      }
    }
    return nil
  }
}

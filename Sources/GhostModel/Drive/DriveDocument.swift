public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Drive documents as bytes: the JSON that ``Drive`` describes, written and read without Foundation's coders.
///
/// What this writes, `JSONDecoder` reads as the same drive, and the other way round.
public enum DriveDocument {
  /// The document of a drive: one line per key, slashes as they are, a line feed at the end.
  ///
  /// - Parameter drive: with a finite duration and distance; JSON has no other numbers, they become 0.
  public static func encode(_ drive: Drive) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(1024 + Base64.encodedCount(drive.coordinatesData.count))
    encode(drive) { piece in
      unsafe piece.withUnsafeBufferPointer { unsafe result.append(contentsOf: $0) }
    }
    return result
  }

  /// The document of a drive in pieces of up to 64 KiB, in order, for writing it without holding all of it.
  ///
  /// - Parameter drive: as for ``encode(_:)``.
  /// - Throws: what `emit` throws.
  public static func encode<Failure: Error>(
    _ drive: Drive, _ emit: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var head = ByteBuffer(capacity: 1024)
    head.append("{\n  \"id\": \"")
    head.append(drive.id.uuidString)
    head.append("\",\n  \"name\": ")
    append(quoted: drive.name, to: &head)
    append(drive.kind, key: ",\n  \"kind\": ", to: &head)
    append(drive.notes, key: ",\n  \"notes\": ", to: &head)
    append(drive.gear, key: ",\n  \"gear\": ", to: &head)
    append(drive.startTime, key: ",\n  \"startTime\": \"", to: &head)
    append(drive.endTime, key: ",\n  \"endTime\": \"", to: &head)
    head.append(",\n  \"duration\": ")
    head.append(decimal: drive.duration)
    head.append(",\n  \"distance\": ")
    head.append(decimal: drive.distance)
    head.append(",\n  \"coordinatesData\": \"")
    try emit(head.bytes)
    let blob = drive.coordinatesData.span
    // A multiple of three, so that no piece but the last ends in padding.
    let step = 3 << 14
    var characters = [UInt8](repeating: 0, count: Base64.encodedCount(step))
    var position = 0
    while position < blob.count {
      let piece = blob.extracting(position..<min(position + step, blob.count))
      Base64.encode(piece, into: &characters, at: 0)
      try emit(characters.span.extracting(0..<Base64.encodedCount(piece.count)))
      position += step
    }
    head.removeAll()
    head.append("\"\n}\n")
    try emit(head.bytes)
  }

  private static func append(_ time: Instant?, key: StaticString, to bytes: inout ByteBuffer) {
    guard let time else { return }
    bytes.append(key)
    ISO8601.append(time, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private static func append(_ text: String?, key: StaticString, to bytes: inout ByteBuffer) {
    guard let text else { return }
    bytes.append(key)
    append(quoted: text, to: &bytes)
  }

  private static func append(quoted text: String, to bytes: inout ByteBuffer) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes.append("\\\"")
      case UInt8(ascii: "\\"): bytes.append("\\\\")
      case UInt8(ascii: "\n"): bytes.append("\\n")
      case UInt8(ascii: "\r"): bytes.append("\\r")
      case UInt8(ascii: "\t"): bytes.append("\\t")
      case 0..<0x20:
        bytes.append(byte < 0x10 ? "\\u000" : "\\u001")
        let digit = byte & 0x0F
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Reads a document: strict JSON, keys in any order, unknown keys skipped; where a key comes twice, the
  /// last one counts. The coordinates stay encoded; ``Drive/coordinates`` checks them.
  ///
  /// - Throws: ``TrackError`` with the byte offset and what was expected there.
  public static func decode(_ bytes: [UInt8]) throws(TrackError) -> Drive { try decode(bytes.span) }

  /// Reads a document; see ``decode(_:)-([UInt8])``.
  public static func decode(_ bytes: Span<UInt8>) throws(TrackError) -> Drive {
    var scanner = JSONScanner(bytes)
    var fields = Fields()
    try scanner.expect(UInt8(ascii: "{"), "{, the beginning of a drive")
    let start = scanner.index - 1
    scanner.skipBlanks()
    if !scanner.take(UInt8(ascii: "}")) {
      while true {
        scanner.skipBlanks()
        let key = try scanner.text()
        try scanner.expect(UInt8(ascii: ":"), "a colon")
        scanner.skipBlanks()
        try fields.read(key, &scanner)
        scanner.skipBlanks()
        if scanner.take(UInt8(ascii: ",")) { continue }
        if scanner.take(UInt8(ascii: "}")) { break }
        throw scanner.expected("a comma or }")
      }
    }
    try scanner.expectEnd()
    return try fields.drive(at: start)
  }

  private struct Fields {
    var id: UUID?
    var name: String?
    var startTime: Instant?
    var endTime: Instant?
    var duration: Double?
    var distance: Double?
    var coordinatesData: Data?
    var kind: String?
    var notes: String?
    var gear: String?

    mutating func read(_ key: String, _ scanner: inout JSONScanner) throws(TrackError) {
      switch key {
      case "id":
        let offset = scanner.index
        guard let value = UUID(uuidString: try scanner.text()) else {
          throw invalid("a UUID", at: offset, in: scanner)
        }
        id = value
      case "name": name = try scanner.text()
      case "kind": kind = try scanner.takeNull() ? nil : try scanner.text()
      case "notes": notes = try scanner.takeNull() ? nil : try scanner.text()
      case "gear": gear = try scanner.takeNull() ? nil : try scanner.text()
      case "startTime": startTime = try time(&scanner)
      case "endTime": endTime = try time(&scanner)
      case "duration": duration = try quantity(&scanner)
      case "distance": distance = try quantity(&scanner)
      case "coordinatesData": coordinatesData = try base64(&scanner)
      default: try scanner.skipValue(depth: 1)
      }
    }

    private func time(_ scanner: inout JSONScanner) throws(TrackError) -> Instant? {
      if try scanner.takeNull() { return nil }
      let offset = scanner.index
      guard let instant = DriveDocument.instant(try scanner.text()) else {
        throw invalid("an ISO 8601 time with its zone", at: offset, in: scanner)
      }
      return instant
    }

    private func quantity(_ scanner: inout JSONScanner) throws(TrackError) -> Double {
      let offset = scanner.index
      let value = try scanner.number()
      guard value >= 0 else { throw invalid("a number that is not negative", at: offset, in: scanner) }
      return value
    }

    private func base64(_ scanner: inout JSONScanner) throws(TrackError) -> Data {
      let offset = scanner.index
      let (content, hasEscapes) = try scanner.rangeOfString()
      // JSON encoders may escape the slashes of base64.
      let decoded =
        hasEscapes
        ? Base64.decode(scanner.unescaped(content).span) : Base64.decode(scanner.bytes.extracting(content))
      guard let decoded else { throw invalid("base64", at: offset, in: scanner) }
      return Data(decoded)
    }

    private func invalid(
      _ expectation: String, at offset: Int, in scanner: borrowing JSONScanner
    ) -> TrackError {
      TrackError(
        .invalidValue, "expected \(expectation)", place: Place(byteOffset: offset),
        offendingText: scanner.text(from: offset))
    }

    func drive(at start: Int) throws(TrackError) -> Drive {
      func missing(_ key: String) -> TrackError {
        TrackError(.malformed, "a drive without \"\(key)\"", place: Place(byteOffset: start))
      }
      guard let id else { throw missing("id") }
      guard let name else { throw missing("name") }
      guard let duration else { throw missing("duration") }
      guard let distance else { throw missing("distance") }
      guard let coordinatesData else { throw missing("coordinatesData") }
      var drive = Drive(
        id: id, name: name, startTime: startTime, endTime: endTime, duration: duration, distance: distance,
        coordinatesData: coordinatesData)
      drive.kind = kind
      drive.notes = notes
      drive.gear = gear
      return drive
    }
  }

  /// An ISO 8601 time that says which zone it means.
  static func instant(_ text: String) -> Instant? {
    let bytes = Array(text.utf8)
    guard let reading = ISO8601.read(bytes.span), reading.hasZone else { return nil }
    return reading.instant
  }
}

import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Encodes drive documents as described at ``Drive``, without Foundation's coders.
///
/// `JSONDecoder` decodes the result as an equal drive.
public enum DriveDocument {
  /// Encodes a drive with one line per key, unescaped slashes, and a final line feed.
  ///
  /// - Parameter drive: a drive. A non-finite duration or distance becomes 0.
  public static func encode(_ drive: Drive) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(1024 + Base64.encodedCount(drive.coordinatesData.count))
    encode(drive) { piece in
      unsafe piece.withUnsafeBufferPointer { unsafe result.append(contentsOf: $0) }
    }
    return result
  }

  /// Encodes a drive in consecutive pieces of up to 64 KiB, to write it without keeping it in memory.
  ///
  /// - Parameters:
  ///   - drive: as for ``encode(_:)``.
  ///   - emit: receives the pieces in order.
  /// - Throws: the errors of `emit`.
  public static func encode<Failure: Error>(
    _ drive: Drive, _ emit: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var head = ByteBuffer(capacity: 1024)
    head.append("{\n  \"id\": \"")
    head.append(drive.id.uuidString)
    head.append("\",\n  \"name\": ")
    head.append(json: drive.name)
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
    // A multiple of three, so that only the last piece has padding.
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
    bytes.append(json: text)
  }
}

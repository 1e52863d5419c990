import TrackModel

/// The positions in an MPEG transport stream (ISO/IEC 13818-1, 2.4.3), as dashcams write it (`.ts`), also
/// with a time of four bytes before each packet (`.m2ts`).
///
/// They are in packets of private data: the layout of Novatek's blocks at their start or after 164 bytes, or
/// records of ``LigoRecord``, enciphered or as a text such as `normal:2024/05/17 06:12:30 N:46.948100 …`.
struct TransportStream {
  /// The bytes of a packet.
  static let packet = 188
  /// The maximum number of bytes from the start of a packet to that of the next one.
  private static let maximumStride = 192
  /// The number of packets that show whether a file is a stream, and their bytes.
  private static let openingPackets = 4
  static let openingLength = openingPackets * maximumStride
  /// The bytes that are searched for positions.
  private static let searchedBytes = 1 << 24
  /// The number of packets that are loaded together.
  private static let packets = 1024
  /// The maximum bytes of positions in consecutive packets.
  private static let maximumLength = 1 << 12
  /// The number of bytes of a record of ``LigoRecord`` whose coordinates are distorted.
  private static let distortedLength = 200

  /// The bytes from the start of a packet to that of the next one.
  private let stride: Int
  private var offset: Int
  /// The identifier of the packets with private data, their content so far, and the length that it states.
  private var identifier = -1
  private var content: [UInt8] = []
  private var length = 0
  /// Whether the last bytes were no packet, and the number of such places.
  private var isLost = false
  private(set) var gaps = 0

  /// - Returns: nil if the bytes do not begin with packets.
  init?(_ bytes: Span<UInt8>) {
    for stride in [TransportStream.packet, TransportStream.maximumStride] {
      let start = stride - TransportStream.packet
      let length = TransportStream.openingPackets * stride
      // A text can have the same letter at these distances, but no control characters.
      guard bytes.count >= length,
        (0..<TransportStream.openingPackets).allSatisfy({ bytes[start + $0 * stride] == 0x47 }),
        (0..<length).contains(where: { bytes[$0] < 0x09 })
      else { continue }
      self.stride = stride
      offset = start
      return
    }
    return nil
  }

  /// - Returns: nil if the input does not begin with packets.
  init?(_ input: inout MP4Input) throws(TrackError) {
    _ = try input.load(TransportStream.openingLength, at: 0)
    self.init(input.loaded)
  }

  /// Whether there are positions in the first bytes of the stream, in which they repeat each second.
  func hasPositions(_ input: inout MP4Input) throws(TrackError) -> Bool {
    var stream = self
    while stream.offset < TransportStream.searchedBytes, let blocks = try stream.next(&input) {
      if !blocks.isEmpty { return true }
    }
    return false
  }

  /// Reads the next packets.
  ///
  /// - Returns: the blocks in them; nil at the end of the stream.
  mutating func next(_ input: inout MP4Input) throws(TrackError) -> [NovatekBlock]? {
    let chunk = stride * TransportStream.packets
    let count = try input.load(chunk, at: offset)
    var blocks: [NovatekBlock] = []
    if count == 0 {
      if isLost { gaps += 1 }
      isLost = false
      takeContent(&blocks)
      return blocks.isEmpty ? nil : blocks
    }
    var index = 0
    while index + TransportStream.packet <= count {
      // After damage, the next packet begins at any byte.
      guard input.loaded[index] == 0x47 else {
        index += 1
        isLost = true
        continue
      }
      if isLost { gaps += 1 }
      isLost = false
      take(input.loaded.extracting(index..<(index + TransportStream.packet)), &blocks)
      index += stride
    }
    offset += max(index, count < chunk ? count : 1)
    return blocks
  }

  private mutating func take(_ bytes: Span<UInt8>, _ blocks: inout [NovatekBlock]) {
    let identifier = Int(bytes.number(1, 2) & 0x1FFF)
    let isStart = bytes[1] & 0x40 != 0
    guard isStart || identifier == self.identifier, bytes[3] & 0x10 != 0 else { return }
    let start = bytes[3] & 0x20 != 0 ? 5 + Int(bytes[4]) : 4
    guard start < bytes.count else { return }
    let payload = bytes.extracting(start..<bytes.count)
    guard isStart else {
      if content.count < TransportStream.maximumLength { content += payload.array }
      return
    }
    // Pictures and sound are in streams 0xC0 to 0xEF.
    guard payload.count >= 9, payload.number(0, 3) == 1, payload[3] == 0xBF || payload[3] == 0xBD else {
      if identifier == self.identifier { takeContent(&blocks) }
      return
    }
    takeContent(&blocks)
    let header = payload[3] == 0xBF ? 6 : 9 + Int(payload[8])
    guard header <= payload.count else { return }
    self.identifier = identifier
    content = payload.extracting(header..<payload.count).array
    length = Int(payload.number(4, 2)) + 6 - header
  }

  /// Reads the collected content.
  private mutating func takeContent(_ blocks: inout [NovatekBlock]) {
    if length > 0, content.count > length { content.removeSubrange(length...) }
    if let block = TransportStream.block(content.span) { blocks.append(block) }
    content = []
    identifier = -1
  }

  /// Reads private data; nil if it is not a position.
  private static func block(_ bytes: Span<UInt8>) -> NovatekBlock? {
    for start in [0, 164] where bytes.count >= start + 44 {
      let letters = bytes.extracting((start + 24)..<(start + 28))
      guard letters[0] == UInt8(ascii: "A") && letters[3] == 0 || letters.starts(with: "V") else { continue }
      // The layout is that of a block after its header.
      let header = [0, 0, 0, 0] + Array("freeGPS ".utf8) + [0, 0, 0, 0]
      let block = header + bytes.extracting(start..<bytes.count).array + [UInt8](repeating: 0, count: 64)
      switch NovatekBlock(block.span) {
      case .unknown: continue
      case let block: return block
      }
    }
    let record: CameraRecords.Record
    if let (records, start) = LigoRecord.records(
      in: bytes, distortion: bytes.count == distortedLength ? LigoRecord.usualScale : nil)
    {
      let rest = bytes.extracting(start..<bytes.count).array.prefix(LigoRecord.length)
      let padded = rest + [UInt8](repeating: 0, count: LigoRecord.length - rest.count)
      record = records.read(padded.span)
    } else if let text = LigoRecord.read(textWithMode: bytes.array) {
      record = text
    } else {
      return nil
    }
    switch record {
    case .fix(let fix): return .fixes([fix])
    case .lost: return .lost
    case .letters(let text): return .letters([text])
    case .other: return nil
    case .unknown: return .unknown
    }
  }
}

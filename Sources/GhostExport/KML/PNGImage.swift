import TrackModel

/// A picture in memory, and as a PNG (ISO/IEC 15948).
///
/// The PNG's data are stored, not compressed: what holds it is an archive that compresses.
struct PNGImage: Sendable, Equatable {
  struct Pixel: Sendable, Equatable {
    var color: ExportColor
    /// 255 is opaque.
    var alpha: UInt8

    init(_ color: ExportColor, alpha: UInt8 = 255) {
      self.color = color
      self.alpha = alpha
    }
  }

  let width: Int
  let height: Int
  /// Row by row from the top, each from the left.
  private(set) var pixels: [Pixel]

  /// - Parameters:
  ///   - width, height: 1…4096; held there.
  ///   - background: what every pixel is at first.
  init(width: Int, height: Int, background: Pixel) {
    self.width = min(max(width, 1), 4096)
    self.height = min(max(height, 1), 4096)
    pixels = Array(repeating: background, count: self.width * self.height)
  }

  /// The pixel in a column from the left and a row from the top; what is set outside the picture is not there.
  subscript(x: Int, y: Int) -> Pixel {
    get { pixels[y * width + x] }
    set {
      guard x >= 0, x < width, y >= 0, y < height else { return }
      pixels[y * width + x] = newValue
    }
  }

  mutating func fill(x: Int, y: Int, width: Int, height: Int, _ pixel: Pixel) {
    for row in y..<max(y, y + height) { for column in x..<max(x, x + width) { self[column, row] = pixel } }
  }

  // MARK: The file

  /// The file: 8 bits a channel, with alpha.
  var png: [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // Depth 8, colour type 6 (RGBA), and the only methods there are; not interlaced.
    PNGImage.append(
      chunk: "IHDR", PNGImage.fourBytes(width) + PNGImage.fourBytes(height) + [8, 6, 0, 0, 0], to: &bytes)
    PNGImage.append(chunk: "IDAT", PNGImage.zlib(scanlines), to: &bytes)
    PNGImage.append(chunk: "IEND", [], to: &bytes)
    return bytes
  }

  /// Each row behind a byte that says that it is not filtered.
  private var scanlines: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(height * (width * 4 + 1))
    for row in 0..<height {
      bytes.append(0)
      for pixel in pixels[(row * width)..<((row + 1) * width)] {
        bytes.append(pixel.color.red)
        bytes.append(pixel.color.green)
        bytes.append(pixel.color.blue)
        bytes.append(pixel.alpha)
      }
    }
    return bytes
  }

  /// A zlib stream (RFC 1950) of stored blocks (RFC 1951, section 3.2.4).
  private static func zlib(_ content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let end = min(start + 0xFFFF, content.count)
      let length = UInt16(truncatingIfNeeded: end - start)
      bytes.append(end == content.count ? 1 : 0)
      for value in [length, ~length] {
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
      }
      bytes += content[start..<end]
      start = end
    } while start < content.count
    return bytes + fourBytes(Int(adler32(content)))
  }

  /// The checksum of RFC 1950.
  static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return high << 16 | low
  }

  private static func append(chunk type: String, _ content: [UInt8], to bytes: inout [UInt8]) {
    bytes += fourBytes(content.count)
    let typed = Array(type.utf8) + content
    bytes += typed
    bytes += fourBytes(Int(crc32(typed)))
  }

  private static func fourBytes(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// The checksum of PNG, annex D: the polynomial 0xEDB88320, a byte at a time.
  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { crcTable[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
  }

  private static let crcTable: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }
}

import Foundation
import Testing

@testable import GhostExport

struct PNGImageTests {
  @Test("The checksums are those of the standards")
  func checksums() {
    // The check value of the CRC catalogue, and the example of RFC 1950's algorithm in its usual telling.
    #expect(PNGImage.crc32(Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(PNGImage.adler32(Array("Wikipedia".utf8)) == 0x11E6_0398)
    #expect(PNGImage.adler32([]) == 1)
  }

  @Test("A red pixel is the file that the standard describes")
  func pixel() {
    let image = PNGImage(width: 1, height: 1, background: .init(ExportColor(0xFF0000), alpha: 0x80))
    let png = image.png
    #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    // Length, type and content of the header.
    #expect(
      Array(png[8..<29]) == [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0])
    // The filter byte and the pixel in one stored block of five bytes.
    let content: [UInt8] = [0x78, 0x01, 1, 5, 0, 0xFA, 0xFF, 0, 0xFF, 0, 0, 0x80]
    #expect(Array(png[33..<41]) == [0, 0, 0, 16] + Array("IDAT".utf8))
    #expect(Array(png[41..<53]) == content)
    #expect(Array(png.suffix(12)) == [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82])
  }

  @Test("Nothing is drawn outside a picture")
  func outside() {
    var image = PNGImage(width: 2, height: 2, background: .init(ExportColor(0)))
    image.fill(x: -3, y: 1, width: 4, height: 9, .init(ExportColor(0xFFFFFF)))
    #expect(image.pixels.map { $0.color.red } == [0, 0, 255, 0])
  }
}

import Testing
import TrackModel

@Suite("Zigzag codes")
struct ZigzagTests {
  @Test("Codes are decoded to numbers of both signs")
  func decoding() {
    #expect((0...4).map { Int64(zigzag: $0) } == [0, -1, 1, -2, 2])
    #expect(Int64(zigzag: .max) == .min && Int64(zigzag: .max - 1) == .max)
  }

  @Test("Numbers of both signs are encoded to codes")
  func encoding() {
    #expect([0, -1, 1, -2, 2].map(\Int64.zigzag) == [0, 1, 2, 3, 4])
    #expect(Int64.min.zigzag == .max && Int64.max.zigzag == .max - 1)
  }
}

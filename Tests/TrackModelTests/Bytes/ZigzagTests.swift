import Testing
import TrackModel

@Suite("Zigzag codes")
struct ZigzagTests {
  @Test("Codes are decoded to numbers of both signs")
  func decoding() {
    #expect((0...4).map { Int64(zigzag: $0) } == [0, -1, 1, -2, 2])
    #expect(Int64(zigzag: .max) == .min && Int64(zigzag: .max - 1) == .max)
  }
}

import Testing
import TrackModel

@Suite("Writing numbers that repeat")
struct RepeatedDecimalWriterTests {
  private func write(_ values: [Double]) -> String {
    var bytes = ByteBuffer()
    var writer = RepeatedDecimalWriter()
    for value in values {
      writer.append(value, to: &bytes)
      bytes.append(" ")
    }
    return bytes.string
  }

  @Test("A number and its repetition have the same text")
  func repetitions() {
    #expect(write([540.1, 540.1, -3, -3, 0, -0.0, 0]) == "540.1 540.1 -3 -3 0 0 0 ")
    let long = [0.1234567890123456, 0.1234567890123456, 1e300, 1e300]
    #expect(
      write(long) == "0.1234567890123456 0.1234567890123456 "
        + String(repeating: "1\(String(repeating: "0", count: 300)) ", count: 2))
    #expect(write([.nan, .nan, 8.5, .nan, 8.5]) == "0 0 8.5 0 8.5 ")
  }

  @Test("Every number is the same as that of the general function")
  func others() {
    var random = SeededRandom()
    for _ in 0..<200 {
      var values: [Double] = []
      for _ in 0..<100 {
        let scales: [Double] = [1, 10, 1e3, 1e7, 1e12]
        let scale = scales.randomElement(using: &random) ?? 1
        let value = (Double.random(in: -9000...9000, using: &random) * scale).rounded() / scale
        for _ in 0..<Int.random(in: 1...3, using: &random) { values.append(value) }
      }
      var expected = ByteBuffer()
      for value in values {
        expected.append(decimal: value)
        expected.append(" ")
      }
      #expect(write(values) == expected.string, "\(random)")
    }
  }
}

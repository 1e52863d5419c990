import Testing
import TrackModel

@Suite("Writing consecutive coordinates")
struct CoordinateWriterTests {
  private func write(_ values: [Double]) -> String {
    var bytes = ByteBuffer()
    var writer = CoordinateWriter()
    for value in values {
      writer.append(value, to: &bytes)
      bytes.append(" ")
    }
    return bytes.string
  }

  @Test("Coordinates have up to seven decimals, whether they share digits with the previous one or not")
  func values() {
    let values = [
      46.9480001, 46.9480012, 46.94801, 46.948, 46.9481, -46.9481001, 0.0000001, -0.0000001, 7, 179.9999999,
      -179.9999999, -180, 9.9999999, 10.0000001, 99.9999, 100.0001, 0, -0.0,
    ]
    #expect(
      write(values) == """
        46.9480001 46.9480012 46.94801 46.948 46.9481 -46.9481001 0.0000001 -0.0000001 7 179.9999999 \
        -179.9999999 -180 9.9999999 10.0000001 99.9999 100.0001 0 0\u{20}
        """)
  }

  @Test("A prefix of up to 16 bytes precedes every coordinate", arguments: ["", ",", "<trkpt  lat=\"123"])
  func prefix(_ prefix: String) {
    let values = [46.9480001, 46.948, 46.948000123, -179.999999999, 46.94800012345, 0]
    var bytes = ByteBuffer()
    var writer: CoordinateWriter
    switch prefix.count {
    case 0: writer = CoordinateWriter()
    case 1: writer = CoordinateWriter(after: ",")
    default: writer = CoordinateWriter(after: "<trkpt  lat=\"123")
    }
    for value in values { writer.append(value, to: &bytes) }
    let texts = ["46.9480001", "46.948", "46.948000123", "-179.999999999", "46.94800012345", "0"]
    #expect(bytes.string == texts.map { prefix + $0 }.joined())
  }

  @Test("Coordinates have up to nine decimals after the first with more than seven")
  func nine() {
    let values = [
      46.9480001, 46.948000123, 46.9480001, 46.948001, 46.948, -46.948000001, 0.000000001, -0.00000001, 7,
      179.999999999, -180, 9.999999999, 10.000000001, 46.94800012345, 46.948000124, 0, -0.0,
    ]
    #expect(
      write(values) == """
        46.9480001 46.948000123 46.9480001 46.948001 46.948 -46.948000001 0.000000001 -0.00000001 7 \
        179.999999999 -180 9.999999999 10.000000001 46.94800012345 46.948000124 0 0\u{20}
        """)
  }

  @Test("Other numbers are the same as those of the general function")
  func others() {
    var random = SeededRandom()
    for round in 0..<200 {
      var values: [Double] =
        round % 2 == 0 ? [] : [.nan, .infinity, 1e300, 1e-300, 999.9999999, 1000.0000001]
      var value = Double.random(in: -200...200, using: &random)
      for _ in 0..<100 {
        value += Double.random(in: -0.001...0.001, using: &random)
        let scales: [Double] = [1e3, 1e6, 1e7, 1e7, 1e7, 1e9, 1e9, 1e15]
        let scale = scales.randomElement(using: &random) ?? 1
        values.append((value * scale).rounded() / scale)
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

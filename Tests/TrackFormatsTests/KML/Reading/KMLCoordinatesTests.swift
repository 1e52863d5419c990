import Testing

@testable import TrackFormats

/// Tests texts of `coordinates` and `gx:coord`, in the standard form and in others that occur in files.
@Suite("KML coordinates")
struct KMLCoordinatesTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let text: String
    let tuples: [String]
    var testDescription: String { text.debugDescription }

    init(_ text: String, _ tuples: String...) {
      self.text = text
      self.tuples = tuples
    }
  }

  static let samples = [
    Sample(""), Sample(" \n\t "), Sample(",, ,"),
    Sample("8,47", "47 8"), Sample("8,47,400", "47 8 400"),
    Sample("\n 8.5,47.25,0\r\n-8.5,-47.25,-12.5 \n", "47.25 8.5 0", "-47.25 -8.5 -12.5"),
    Sample("8,47\t9,48", "47 8", "48 9"),
    // White space around the commas.
    Sample("8, 47, 5 9, 48, 6", "47 8 5", "48 9 6"), Sample("8 , 47", "47 8"), Sample("8\n,\n47", "47 8"),
    // Commas instead of white space: every three numbers.
    Sample("1,2,3,4,5,6", "2 1 3", "5 4 6"), Sample("1, 2, 3, 4, 5, 6", "2 1 3", "5 4 6"),
    // A comma after the last number.
    Sample("8.0,47.0, 8.1,47.1, 8.2,47.2,", "47 8", "47.1 8.1", "47.2 8.2"),
    Sample("8,47,5, 9,48,6,", "47 8 5", "48 9 6"), Sample("8,47,\n9,48,", "47 8", "48 9"),
    Sample("8,47, ,", "47 8"), Sample("8,47,,", "47 8"),
    // Numbers of all forms.
    Sample("+8e0,4.7E1,.5", "47 8 0.5"), Sample("8.,47.,-0", "47 8 0"),
    // Limits.
    Sample("180,90,0 -180,-90,0", "90 180 0", "-90 -180 0"),
    Sample("180.0001,0 0,90.0001 1,2", "invalid", "invalid", "2 1"),
    // Invalid positions.
    Sample("8", "invalid"), Sample("8 47", "invalid", "invalid"), Sample("no,no,0 9,48", "invalid", "48 9"),
    Sample("8,no,0 9,48", "invalid", "48 9"), Sample("8.5x,47 9,48", "invalid", "48 9"),
    Sample("NaN,47 INF,47 9,48", "invalid", "invalid", "48 9"), Sample("8,,5 9,48", "invalid", "48 9"),
    Sample("0x8,47", "invalid"), Sample("1e999,47", "invalid"), Sample("٨,٤٧", "invalid"),
    // The position is valid if only the altitude is invalid.
    Sample("8,47,high 9,48", "47 8 bad", "48 9"), Sample("8,47,NaN", "47 8 bad"),
    Sample("8,47,1e999 9,48,1", "47 8 bad", "48 9 1"),
    // A fourth number is a separate, invalid tuple.
    Sample("8,47,5,6 9,48", "47 8 5", "invalid", "48 9"),
  ]

  @Test("Tuples are read as Google Earth reads them", arguments: samples)
  func tuples(_ sample: Sample) {
    let bytes = Array(sample.text.utf8)
    var found: [String] = []
    var index = 0
    loop: while true {
      let tuple = KMLCoordinates.next(bytes.span, at: &index, isLast: true)
      if case .end = tuple { break loop }
      found.append(KMLCoordinatesTests.text(tuple))
    }
    #expect(found == sample.tuples)
    #expect(index == bytes.count)
  }

  @Test("A text in pieces yields the same tuples, wherever it is split", arguments: samples)
  func pieces(_ sample: Sample) {
    let bytes = Array(sample.text.utf8)
    for cut in 0...bytes.count {
      var found: [String] = []
      var rest = Array(bytes[..<cut])
      for isLast in [false, true] {
        if isLast { rest += bytes[cut...] }
        var index = 0
        loop: while true {
          let tuple = KMLCoordinates.next(rest.span, at: &index, isLast: isLast)
          switch tuple {
          case .end, .incomplete: break loop
          default: found.append(KMLCoordinatesTests.text(tuple))
          }
        }
        rest.removeSubrange(..<index)
      }
      #expect(found == sample.tuples, "cut at \(cut)")
    }
  }

  @Test(
    "A gx:coord has three numbers separated by white space",
    arguments: [
      Sample("8.5 47.25 400", "47.25 8.5 400"), Sample("\n 8 47 \n", "47 8"), Sample("8 47", "47 8"),
      Sample("8,47,400", "47 8 400"), Sample("8, 47, 400", "47 8 400"), Sample("", "end"), Sample(" ", "end"),
      Sample("8", "invalid"), Sample("8 91 1", "invalid"), Sample("181 7 1", "invalid"),
      Sample("east north up", "invalid"), Sample("8 47 up", "47 8 bad"), Sample("8 47 400 5", "47 8 400"),
      Sample("0 100.0", "pause"), Sample("0 200 0", "resumption"), Sample("181 100", "invalid"),
    ])
  func coord(_ sample: Sample) {
    #expect([KMLCoordinatesTests.text(KMLCoordinates.coord(Array(sample.text.utf8).span))] == sample.tuples)
  }

  private static func text(_ tuple: KMLCoordinates.Tuple) -> String {
    switch tuple {
    case .position(let latitude, let longitude, let elevation):
      "\(Transcript.number(latitude)) \(Transcript.number(longitude))"
        + (elevation.isNaN ? "" : " \(Transcript.number(elevation))")
    case .positionOfBadElevation(let latitude, let longitude):
      "\(Transcript.number(latitude)) \(Transcript.number(longitude)) bad"
    case .pause: "pause"
    case .resumption: "resumption"
    case .invalid: "invalid"
    case .incomplete: "incomplete"
    case .end: "end"
    }
  }
}

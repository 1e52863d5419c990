import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

/// Compares the scanner's fast path for repeated elements with libxml2 and with the general path.
@Suite("The fast path of the XML scanner")
struct XMLScannerExpectedTests {
  /// Returns the scanner's tokens with their places, which libxml2 counts differently.
  private static func places(_ bytes: [UInt8], chunk: Int) -> [String] {
    var stream = XMLTokenStream(ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions()) { _, _ in 0
    }
    var found: [String] = []
    do throws(TrackError) {
      while let token = try stream.next() {
        let text = token.kind == .start || token.kind == .end ? "" : stream.text(of: token)
        found.append("\(token.kind) \(stream.place) \(text)")
      }
    } catch {
      found.append(error.description)
    }
    return found
  }

  /// Expects the same tokens as from libxml2, and the same places for all chunk sizes.
  private func check(_ text: String) {
    let bytes = Array(text.utf8)
    let expected = XMLReading(bytes, usesLibrary: true)
    for chunk in [1, 23, 512, 65536] {
      let found = XMLReading(bytes, chunk: chunk, usesLibrary: false)
      #expect(
        found == expected || XMLCases.isAccepted(found, expected),
        "in chunks of \(chunk): \(text)\nscanner: \(found)\nlibxml2: \(expected)")
    }
    // A chunk of one byte contains no complete token, so the general path handles nearly everything.
    let places = XMLScannerExpectedTests.places(bytes, chunk: 1)
    #expect(places == XMLScannerExpectedTests.places(bytes, chunk: 65536), "\(text)")
  }

  /// Returns a track in which all points are alike except the one in the middle.
  private static func track(with point: String) -> String {
    let usual = #"""
       <trkpt lat="46.9480800" lon="7.4474000">
          <ele>540.0</ele>
          <time>2024-05-17T06:12:32Z</time>
          <extensions>
            <x:hr>120</x:hr>
          </extensions>
        </trkpt>

      """#
    let usuals = String(repeating: usual, count: 4)
    return "<gpx xmlns='urn:g' xmlns:x='urn:x'>\n<trk>\n\(usuals)\(point)\n\(usuals)</trk>\n</gpx>\n"
  }

  @Test(
    "A point that differs from the others is read with the same result",
    arguments: [
      // Names.
      "<trkpt lat='1' lon='2'/>", "<trkpt/>", "<trkpt></trkpt>", "<trkpt>1</trkpt>", "<trkptx lat=\"1\"/>",
      #"<trkpt lon="2" lat="1"><ele>1</ele></trkpt>"#, #"<trkpt lat="1"><ele>1</ele></trkpt>"#,
      #"<trkpt lat="1" lon="2" id="3"><time>1</time></trkpt>"#, #"<trkpt lat="1" lon="2" lat="3"></trkpt>"#,
      #"<trkpt lat="1" x:lon="2" lon="3"><ele/></trkpt>"#, #"<trkpt latitude="1" lon="2"></trkpt>"#,
      #"<trkpt xmlns="urn:other" lat="1" lon="2"><ele>1</ele></trkpt>"#,
      #"<trkpt xmlns:x="urn:other" lat="1" lon="2"><ele>1</ele><x:hr>2</x:hr></trkpt>"#,
      #"<trkpt lat="1" lon="2"><trkpt lat="1" lon="2"><ele>1</ele></trkpt></trkpt>"#,
      // White space in tags.
      "<trkpt  lat=\"1\" lon=\"2\"></trkpt>", "<trkpt\nlat=\"1\"\r\nlon=\"2\"\n></trkpt>",
      "<trkpt lat=\"1\" lon=\"2\" ></trkpt >", "<trkpt lat = \"1\" lon=\"2\"><ele >1</ele\n></trkpt>",
      #"<trkpt lat="1"lon="2"></trkpt>"#, #"<trkpt lat="1" lon="2"/ ></trkpt>"#,
      // Values.
      #"<trkpt lat="" lon=""><ele></ele></trkpt>"#, #"<trkpt lat="1&amp;" lon="&#50;"></trkpt>"#,
      "<trkpt lat=\"\n1\" lon=\"\t2\r\n\"></trkpt>", #"<trkpt lat="1>" lon="é東🚗"></trkpt>"#,
      #"<trkpt lat="1<" lon="2"></trkpt>"#, #"<trkpt lat="1&" lon="2"></trkpt>"#,
      "<trkpt lat=\"1\u{1}\" lon=\"2\"></trkpt>", #"<trkpt lat="1" lon="2></trkpt>"#,
      #"<trkpt lat=1 lon="2"></trkpt>"#, #"<trkpt lat lon="2"></trkpt>"#,
      #"<trkpt lat="a text of more than sixteen bytes" lon="'"></trkpt>"#,
      // Texts.
      #"<trkpt lat="1" lon="2"><ele>1 &lt; 2</ele></trkpt>"#,
      #"<trkpt lat="1" lon="2"><ele>]]></ele></trkpt>"#,
      #"<trkpt lat="1" lon="2"><ele>] ]></ele></trkpt>"#,
      #"<trkpt lat="1" lon="2"><ele>]]&gt;</ele></trkpt>"#,
      "<trkpt lat=\"1\" lon=\"2\">\n<ele>\n 1\n</ele>\n</trkpt>",
      "<trkpt lat=\"1\" lon=\"2\"><ele>  </ele></trkpt>",
      "<trkpt lat=\"1\" lon=\"2\"><ele>\n</ele><time>\r\n\r</time></trkpt>",
      #"<trkpt lat="1" lon="2"><ele><![CDATA[1]]>2</ele></trkpt>"#,
      #"<trkpt lat="1" lon="2"><ele>1<!-- 2 -->3</ele></trkpt>"#,
      #"<trkpt lat="1" lon="2"><ele><?a b?> </ele></trkpt>"#,
      #"<trkpt lat="1" lon="2"><ele>é東🚗</ele></trkpt>"#,
      #"<trkpt lat="1" lon="2">text<ele>1</ele> text <time>2</time>text</trkpt>"#,
      #"<trkpt lat="1" lon="2"><ele>1<time>2</time>3</ele></trkpt>"#,
      "<trkpt lat=\"1\" lon=\"2\"><ele>1\u{0}</ele></trkpt>",
      // Sections.
      #"<!-- --><trkpt lat="1" lon="2"> <!-- --> <ele>1</ele> <![CDATA[]]> </trkpt>"#,
      #"<trkpt lat="1" lon="2"><extensions><!-- --></extensions></trkpt>"#,
      "<trkpt lat=\"1\" lon=\"2\"><extensions><![CDATA[]]> <x:hr>1</x:hr></extensions></trkpt>",
      "<trkpt lat=\"1\" lon=\"2\"><extensions>\n</extensions></trkpt>",
      "<trkpt lat=\"1\" lon=\"2\"><extensions>\n<x:hr>\n<x:hr>1</x:hr></x:hr></extensions></trkpt>",
      // Ends.
      #"<trkpt lat="1" lon="2"><ele>1</el></trkpt>"#, #"<trkpt lat="1" lon="2"><ele>1</elevation></trkpt>"#,
      #"<trkpt lat="1" lon="2"><ele>1</time></trkpt>"#, #"<trkpt lat="1" lon="2"></trk>"#, "</trk></gpx>",
      #"<trkpt lat="1" lon="2"><ele>1"#, #"<trkpt lat="1" lon="2"><ele>1</"#, "</trk><trk>",
      "</trk> </gpx> <!-- -->",
    ])
  func unlike(_ point: String) { check(XMLScannerExpectedTests.track(with: point)) }

  @Test("A repeated attribute is a fault, however often other attributes occurred in that order")
  func twins() {
    // The expected successors form a cycle: b after a in one element, a after b in the other.
    let both = #"<x a="1" b="2"></x><y b="1" a="2"></y>"#
    check(#"<r>\#(both)\#(both)<x a="1" b="2" a="3"></x></r>"#)
  }

  @Test("Elements nest up to the limit, but not deeper", arguments: [255, 256, 257])
  func depth(_ depth: Int) {
    // The second time each element is expected.
    let deep = String(repeating: "<a>", count: depth - 1) + "1" + String(repeating: "</a>", count: depth - 1)
    let bytes = Array("<r>\(deep)\(deep)</r>".utf8)
    let reading = XMLReading(bytes, usesLibrary: false)
    #expect((reading.verdict == .fault) == (depth > ReadingLimits().depth))
    #expect(
      XMLScannerExpectedTests.places(bytes, chunk: 1) == XMLScannerExpectedTests.places(bytes, chunk: 65536))
  }

  /// A limit on texts of 16 KiB.
  private static let limits: ReadingLimits = {
    var limits = ReadingLimits()
    limits.textSize = 1 << 14
    return limits
  }()

  @Test("A leaf longer than the limit on texts is rejected")
  func longLeaf() {
    let long = String(repeating: "1", count: Self.limits.textSize + 1)
    let text = "<r><a>1</a><a>2</a><a>\(long)</a></r>"
    let reading = XMLReading(Array(text.utf8), chunk: 1 << 16, usesLibrary: false, limits: Self.limits)
    #expect(reading.verdict == .fault)
    #expect(reading.error?.description.contains("a text of more than 16 KiB") == true)
  }

  @Test("White space longer than the limit on texts is rejected inside a leaf, and skipped elsewhere")
  func longBlanks() {
    let blanks = String(repeating: " ", count: Self.limits.textSize + 1)
    for (text, isFault) in [
      ("<r><a><b>1</b></a><a><b>1</b></a><a>\(blanks)<b>1</b></a></r>", true),
      ("<r><a><b>1</b></a><a><b>1</b></a><a><b>1</b>\(blanks)</a></r>", false),
    ] {
      let reading = XMLReading(Array(text.utf8), chunk: 1 << 16, usesLibrary: false, limits: Self.limits)
      #expect((reading.verdict == .fault) == isFault)
    }
  }

  #if DEBUG
    private static let mutants = 300
  #else
    private static let mutants = 20_000
  #endif

  @Test("Damage among similar points is read with the same result")
  func damage() {
    var random = SeededGenerator(seed: SeededGenerator.printedSeed())
    let original = Array(
      XMLScannerExpectedTests.track(with: #"<trkpt lon="1" lat="2"><ele>1</ele></trkpt>"#).utf8)
    for _ in 0..<XMLScannerExpectedTests.mutants {
      let mutant = XMLMutation.damage(original, using: &random)
      let expected = XMLReading(mutant, usesLibrary: true)
      let found = XMLReading(mutant, usesLibrary: false)
      #expect(
        found == expected || XMLCases.isAccepted(found, expected),
        "\(String(decoding: mutant, as: UTF8.self).debugDescription)\nscanner: \(found)\nlibxml2: \(expected)"
      )
      #expect(
        XMLScannerExpectedTests.places(mutant, chunk: 1)
          == XMLScannerExpectedTests.places(mutant, chunk: 65536),
        "\(String(decoding: mutant, as: UTF8.self).debugDescription)")
    }
  }
}

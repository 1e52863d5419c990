import Foundation
import TestSupport
import Testing
import TrackFormats
import TrackModel

/// Tests the GPX reader with malicious XML: it opens no files, and uses bounded memory and time.
@Suite("Malicious XML")
struct XMLHardeningTests {
  private static let declared = "<?xml version=\"1.0\"?>\n"

  private func gpx(named name: String) -> String {
    "<gpx><trk><name>\(name)</name><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>"
  }

  @Test("An entity bomb is not expanded")
  func entityBomb() {
    let levels = (1...9).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }
      .joined()
    let text = "<!DOCTYPE gpx [<!ENTITY l0 \"ha\">\(levels)]>" + gpx(named: "&l9;")
    let transcript = Transcript(gpx: text)
    #expect(!transcript.text.contains("ha"))
    #expect(transcript.text.utf8.count < 1000)
    #expect(transcript.violations == [])
    // In an attribute, where a parser cannot omit an entity.
    let attribute = Transcript(gpx: text.replacing("<gpx><trk>", with: "<gpx creator=\"&l9;\"><trk>"))
    #expect(attribute.text.utf8.count < 1000)
    #expect(attribute.violations == [])
  }

  @Test("A reference to a declared entity is an error that names them as not supported")
  func declaredEntity() throws {
    let error = try #require(Transcript(gpx: "<!DOCTYPE gpx [<!ENTITY a \"b\">]>" + gpx(named: "&a;")).error)
    #expect(error.code == .malformed && error.message.contains("not supported"), "\(error)")
    let other = try #require(Transcript(gpx: "<!DOCTYPE gpx []>" + gpx(named: "&a;")).error)
    #expect(other.message.contains("not defined") && !other.message.contains("supported"), "\(other)")
  }

  @Test("The expansion of an entity that contains itself ends")
  func entityLoop() {
    let text = "<!DOCTYPE gpx [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]>" + gpx(named: "x&a;y")
    let transcript = Transcript(gpx: text)
    #expect(transcript.violations == [])
    #expect(transcript.text.utf8.count < 1000)
  }

  @Test("References to a long entity do not multiply its text")
  func quadraticBlowup() {
    let long = String(repeating: "a", count: 50_000)
    let text =
      "<!DOCTYPE gpx [<!ENTITY a \"\(long)\">]>" + gpx(named: String(repeating: "&a;", count: 50_000))
    let transcript = Transcript(gpx: text)
    #expect(transcript.text.utf8.count < 100_000)
    #expect(transcript.violations == [])
  }

  @Test("External entities are not read, whatever their form")
  func externalEntities() throws {
    let folder = try TemporaryFolder()
    try folder.write("CANARY", to: "canary.txt")
    try folder.write("<!ENTITY e \"CANARY\">", to: "canary.dtd")
    try folder.write("<name>CANARY</name>", to: "canary.xml")
    let path = folder.file("canary.txt")
    let types = [
      "<!DOCTYPE gpx [<!ENTITY e SYSTEM \"\(path)\">]>",
      "<!DOCTYPE gpx [<!ENTITY e SYSTEM \"file://\(path)\">]>",
      "<!DOCTYPE gpx [<!ENTITY e PUBLIC \"x\" \"file://\(path)\">]>",
      "<!DOCTYPE gpx SYSTEM \"file://\(folder.file("canary.dtd"))\">",
      "<!DOCTYPE gpx SYSTEM \"\(folder.file("canary.dtd"))\">",
      "<!DOCTYPE gpx [<!ENTITY % p SYSTEM \"file://\(folder.file("canary.dtd"))\"> %p;]>",
      "<?xml-stylesheet type=\"text/xsl\" href=\"file://\(path)\"?>",
    ]
    for type in types {
      let inText = Transcript(gpx: XMLHardeningTests.declared + type + gpx(named: "a&e;b"))
      #expect(!inText.text.contains("CANARY"), "\(type)")
      let inAttribute = Transcript(gpx: type + "<gpx creator=\"&e;\"/>")
      #expect(!inAttribute.text.contains("CANARY"), "\(type)")
    }
    let include = """
      <gpx xmlns:xi="http://www.w3.org/2001/XInclude"><trk><xi:include href="file://\(folder.file("canary.xml"))"/>
      <xi:include href="\(path)" parse="text"/></trk></gpx>
      """
    #expect(!Transcript(gpx: include).text.contains("CANARY"))
  }

  @Test("A document type has no effect: no default attributes, no entities")
  func documentType() {
    let text = """
      <!DOCTYPE gpx [<!ATTLIST trkpt lat CDATA "7" lon CDATA "8"><!ELEMENT gpx ANY>]>
      <gpx><trk><trkseg><trkpt lat="1" lon="2"/><trkpt/></trkseg></trk></gpx>
      """
    #expect(Transcript(gpx: text).points == ["point 1 2"])
    let entity = "<!DOCTYPE gpx [<!ENTITY car \"Ghost\">]>" + gpx(named: "a &car; b")
    let transcript = Transcript(gpx: entity)
    #expect(!transcript.text.contains("Ghost"))
    #expect(transcript.error != nil || transcript.warnings.map(\.code) == [.unresolvedEntity])
  }

  @Test("Default attributes in a document type are not multiplied")
  func defaultAttributes() {
    let value = String(repeating: "x", count: 5000)
    let elements = String(repeating: "<a/>", count: 20_000)
    let text =
      "<!DOCTYPE gpx [<!ATTLIST a k CDATA \"\(value)\">]><gpx><extensions>\(elements)</extensions></gpx>"
    let transcript = Transcript(gpx: text)
    #expect(transcript.violations == [])
    let isMultiplied = transcript.text.contains("xxx")
    #expect(!isMultiplied)
  }

  @Test("Predefined entities and character references are read as usual")
  func predefined() {
    let text = "<!DOCTYPE gpx []>" + gpx(named: "&lt;&amp;&gt;&quot;&apos;&#65;&#x1F697;")
    #expect(Transcript(gpx: text).lines.contains("  name \"<&>\\\"'A🚗\""))
  }

  @Test(
    "Elements 300 levels deep are an error; 200 levels are kept",
    arguments: ["a", "extensions", "x:y", "trk"])
  func depth(_ name: String) {
    func nested(_ depth: Int, closed: Bool = true) -> String {
      "<gpx xmlns:x=\"urn:x\"><trk><extensions>" + String(repeating: "<\(name)>", count: depth)
        + (closed ? String(repeating: "</\(name)>", count: depth) : "")
        + (closed ? "</extensions></trk></gpx>" : "")
    }
    let kept = Transcript(gpx: nested(200))
    #expect(kept.error == nil && kept.violations == [])
    for text in [nested(300), nested(100_000, closed: false), nested(100_000)] {
      let transcript = Transcript(gpx: text)
      #expect(transcript.error?.code == .malformed || transcript.error?.code == .limitExceeded)
      #expect(transcript.violations == [])
    }
  }

  @Test("A hundred thousand attributes are rejected; a hundred are kept")
  func attributes() {
    func element(_ count: Int) -> String {
      "<gpx><trk><extensions><a \((0..<count).map { "a\($0)=\"1\"" }.joined(separator: " "))/></extensions></trk></gpx>"
    }
    #expect(Transcript(gpx: element(100)).lines.contains { $0.contains("a99=\"1\"") })
    let transcript = Transcript(gpx: element(100_000))
    #expect(transcript.error != nil && transcript.violations == [])
  }

  @Test("A hundred thousand different names are rejected")
  func names() {
    let text = "<gpx><extensions>" + (0..<100_000).map { "<n\($0)/>" }.joined() + "</extensions></gpx>"
    let transcript = Transcript(gpx: text)
    #expect(transcript.error != nil && transcript.violations == [])
  }

  @Test("Documents with many namespaces are read within seconds")
  func namespaces() {
    let text =
      "<gpx " + (0..<20_000).map { "xmlns:n\($0)=\"urn:\($0)\"" }.joined(separator: " ") + "><trk/></gpx>"
    #expect(Transcript(gpx: text).violations == [])
  }

  @Test("A text of a megabyte is kept; one of twice the limit is rejected, in an element or an attribute")
  func longText() {
    let kept = Transcript(gpx: gpx(named: String(repeating: "x", count: 1 << 20)))
    #expect(kept.error == nil && kept.lines[2].utf8.count == 1 << 20 + 9)
    var options = ReadingOptions()
    options.limits.textSize = 1 << 17
    options.limits.tagSize = 1 << 17
    func read(_ text: String) -> Transcript {
      var reader = GPXReader(ByteInput(bytes: Array(text.utf8)), options: options)
      return Transcript(reading: &reader)
    }
    let long = read(gpx(named: String(repeating: "y", count: 1 << 18)))
    #expect(long.error?.code == .limitExceeded && long.violations == [])
    let attribute = read("<gpx creator=\"\(String(repeating: "z", count: 1 << 18))\"/>")
    #expect(attribute.error?.code == .limitExceeded && attribute.violations == [])
  }

  @Test("Undeclared prefixes cause a warning, and elements with them are not sensors")
  func undeclaredPrefix() {
    let text = Sample.segment(
      "<trkpt lat=\"1\" lon=\"2\"><u:ele>5</u:ele><extensions><u:thing v:k=\"1\">x</u:thing></extensions></trkpt>"
    )
    let transcript = Transcript(gpx: text)
    #expect(transcript.error == nil && transcript.points.count == 1)
    #expect(transcript.points.first?.contains("thing") == true)
    #expect(transcript.warnings.map(\.code) == [.undeclaredPrefix])
    #expect(Transcript(gpx: text, isStrict: true).error?.code == .warning)
  }

  @Test(
    "Content after the root element is ignored with a warning",
    arguments: ["<gpx/>", "text", "\u{0}\u{0}\u{0}", "</gpx>", "&amp;"])
  func behindTheRoot(_ rest: String) {
    let text = Sample.segment("<trkpt lat=\"1\" lon=\"2\"/>")
    for separator in ["", "\n"] {
      let transcript = Transcript(gpx: text + separator + rest)
      #expect(transcript.points == ["point 1 2"])
      #expect(transcript.error == nil && transcript.violations == [])
      #expect(transcript.warnings.map(\.code) == [.trailingContent])
      #expect(Transcript(gpx: text + separator + rest, isStrict: true).error?.code == .warning)
    }
    #expect(Transcript(gpx: text + "\n<!-- fine --> <?fine?>\n").warnings == [])
  }

  @Test(
    "Bytes that are invalid in the encoding are malformed",
    arguments: [
      [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0x00], [0x1B],
      [0xEF, 0xBF, 0xBE],
    ]
      as [[UInt8]])
  func invalidBytes(_ bytes: [UInt8]) {
    let start = Array("<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"1\"/></trkseg><name>".utf8)
    for padding in [0, 1, 5000] {
      let name = Array(String(repeating: "a", count: padding).utf8)
      let transcript = Transcript(gpx: start + name + bytes + Array("</name></trk></gpx>".utf8))
      #expect(transcript.points == ["point 1 1"])
      #expect(transcript.error?.code == .malformed)
      #expect(transcript.violations == [])
    }
  }

  @Test("An unpaired surrogate is malformed in either byte order", arguments: [true, false])
  func invalidUTF16(_ isBig: Bool) {
    let start = "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"1\"/><trkpt lat=\"2\" lon=\"2\"/></trkseg><name>"
    let half: [UInt8] = isBig ? [0xDB, 0x65] : [0x65, 0xDB]
    for (padding, chunk) in [(0, 10), (0, 100_000), (5000, 64), (50_000, 100_000)] {
      let bytes =
        Sample.utf16(start + String(repeating: "a", count: padding), isBig: isBig) + half
        + Sample.utf16("b</name></trk></gpx>", isBig: isBig, hasMark: false)
      let transcript = Transcript(gpx: bytes, chunk: chunk)
      #expect(transcript.points == ["point 1 1", "point 2 2"])
      #expect(transcript.violations == [])
      #expect(transcript.error?.code == .malformed)
    }
  }

  @Test(
    "Each broken or malicious file ends within seconds, with a complete stream or an error",
    // Requires the shared corpus next to the package.
    .enabled(if: Fixture.hasShared, "the shared corpus is missing"),
    arguments: Fixture.files(in: Fixture.shared.appending(path: "corpus/bad"), ending: ".gpx"))
  func badFiles(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let time = processorTime {
      for isStrict in [false, true] {
        let transcript = Transcript(gpx: bytes, isStrict: isStrict)
        #expect(transcript.violations == [])
      }
    }
    #expect(time < .seconds(10))
  }
}

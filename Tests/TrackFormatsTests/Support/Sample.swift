import Testing

/// A GPX file for tests.
struct Sample: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  var testDescription: String { name }

  init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }

  /// Returns a GPX 1.1 document with this content in the root element.
  static func gpx(_ body: String) -> String {
    "<gpx version=\"1.1\" creator=\"sample\" xmlns=\"http://www.topografix.com/GPX/1/1\">\(body)</gpx>"
  }

  /// Returns a GPX 1.1 document with one track of one segment with this content.
  static func segment(_ body: String) -> String { gpx("<trk><trkseg>\(body)</trkseg></trk>") }

  static func utf16(_ text: String, isBig: Bool, hasMark: Bool = true) -> [UInt8] {
    let units = (hasMark ? [0xFEFF] : []) + Array(text.utf16)
    return units.flatMap { unit -> [UInt8] in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBig ? bytes : bytes.reversed()
    }
  }

  /// Returns the text in ISO 8859-1, which must include all its characters.
  static func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

  /// Multibyte characters, entities, CDATA, comments, processing instructions and attributes with line
  /// feeds, which chunks may split.
  static let markup = """
    <?xml version="1.0" encoding="UTF-8"?>
    <?note a="b"?>
    <!-- a > comment with <tags> and 🚗 -->
    <gpx version="1.1" creator="Zoë
     &amp; &#x1F697; &quot;Sons&quot;" xmlns='http://www.topografix.com/GPX/1/1'
      xmlns:x="urn:x">
    <metadata><name>Zürich → 東京 🚗</name><desc><![CDATA[<b>&amp;]] ]>]]></desc></metadata>
    <wpt
      lat="47.1"
      lon='-8.5'><name>a<!-- in
    between -->b&#233;<![CDATA[c]]>d</name><ele> 12.50
    </ele></wpt>
    <trk><name>&lt;Töff&gt;</name><trkseg
    ><trkpt lat="47.25" lon="8.5"><ele>4<!-- -->0<![CDATA[8]]>.5</ele><time>2024-05-01T10:00:00Z</time></trkpt
    ><trkpt lat="&#52;7.5" lon="8.75"><time>2024-05-01T10:00:01.25Z</time><extensions
    ><x:note t="ä&#10;ö">fünf &amp; sechs<x:leer/>\u{20}</x:note></extensions></trkpt></trkseg></trk>
    </gpx>
    <!-- behind -->
    """

  /// Several flaws, whose warnings must be in order.
  static let flaws = """
    <gpx creator="flaws"><wpt lat="91" lon="0"/>
    <trk><name>1</name><trkseg>
    <trkpt lat="1" lon="2"><time>yesterday</time></trkpt>
    <trkpt lat="1" lon="181"><ele>3</ele></trkpt>
    <trkpt lat="1" lon="2"><ele>high</ele><time>2024-05-01T10:00:00</time></trkpt>
    <trkpt lon="2"/><trkpt/><wpt lat="1" lon="1"/>
    <trkpt lat="2" lon="3"><hdop>-</hdop><sat></sat><time>2024-05-01T10:00:01</time></trkpt>
    </trkseg><trkpt lat="3" lon="3"/></trk></gpx>
    more
    """

  /// All containers and kinds of events, including late information.
  static let structure = """
    <?xml version="1.0"?>
    <gpx version="1.1" creator="structure" xmlns="http://www.topografix.com/GPX/1/1" xmlns:y="urn:y">
    <trk/><trk><trkseg/></trk><rte/>
    <trk><trkseg><trkpt lat="1" lon="1"/><trkpt lat="2" lon="2"/><extensions><y:s>seg</y:s></extensions></trkseg>
    <trkseg></trkseg><name>late</name><extensions><y:t a="1"/></extensions></trk>
    <rte><name>r</name><rtept lat="3" lon="3"><name>turn</name></rtept><desc>late route</desc></rte>
    <wpt lat="4" lon="4"/><metadata><name>late file</name></metadata>
    <extensions><y:f><y:g>deep</y:g></y:f></extensions></gpx>
    """

  /// About 1.5 kB with all containers, which tests cut at every byte.
  static let cutting = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="cut" xmlns="http://www.topografix.com/GPX/1/1"
     xmlns:g="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:x="urn:x">
    <metadata><name>Métro</name><author><email id="a" domain="b.org"/></author></metadata>
    <wpt lat="46.5" lon="7.25"><ele>540</ele><name>P&amp;R</name><link href="http://a.b/"><text>t</text></link></wpt>
    <wpt lat="46.75" lon="7.5"/>
    <rte><name>plan</name><rtept lat="1" lon="2"><name>1</name></rtept><rtept lat="3" lon="4"/></rte>
    <rte/>
    <trk><name>drive</name><extensions><x:line>red</x:line></extensions>
    <trkseg><trkpt lat="10" lon="20"><ele>1.5</ele><time>2024-05-01T10:00:00Z</time><extensions>
    <g:TrackPointExtension><g:hr>120</g:hr><g:speed>3.5</g:speed></g:TrackPointExtension></extensions></trkpt>
    <trkpt lat="11" lon="21"><time>2024-05-01T10:00:01Z</time><extensions><x:e a="b">c</x:e></extensions></trkpt>
    <extensions><x:seg/></extensions></trkseg>
    <trkseg/><trkseg><trkpt lat="12" lon="22"><name><![CDATA[<12>]]></name></trkpt></trkseg>
    </trk><!-- two -->
    <trk><trkseg><trkpt lat="13" lon="23"/><trkpt lat="14" lon="24"></trkpt></trkseg></trk>
    <wpt lat="15" lon="25"/>
    <extensions><x:end>1</x:end></extensions>
    </gpx>
    """

  private static let accents = """
    <?xml version="1.0" encoding="ISO-8859-1"?>
    <gpx creator="Käse"><trk><name>Höhenweg &#8364; Süd</name><trkseg><trkpt lat="47" lon="8"/></trkseg></trk></gpx>
    """

  static let all: [Sample] = [
    Sample("markup", markup),
    Sample("markup with CRLF", markup.replacing("\n", with: "\r\n")),
    Sample("markup with a byte order mark", "\u{FEFF}" + markup),
    Sample("markup after blank lines", " \n\r\n\t" + markup),
    Sample("markup after a byte order mark and blank lines", "\u{FEFF} \n\n" + markup),
    Sample("UTF-16LE", utf16(markup.replacing("UTF-8", with: "UTF-16"), isBig: false)),
    Sample("UTF-16BE", utf16(markup.replacing("UTF-8", with: "UTF-16"), isBig: true)),
    Sample(
      "UTF-16LE without a mark",
      utf16(markup.replacing("UTF-8", with: "UTF-16LE"), isBig: false, hasMark: false)),
    Sample(
      "UTF-16BE without a mark",
      utf16(markup.replacing("UTF-8", with: "UTF-16BE"), isBig: true, hasMark: false)),
    Sample("Latin-1", latin1(accents)),
    Sample("flaws", flaws),
    Sample("structure", structure),
    Sample("cutting", cutting),
    Sample("an undeclared prefix", segment("<trkpt lat=\"1\" lon=\"1\"><u:a/><u:b>2</u:b></trkpt>")),
    Sample(
      "an internal entity",
      "<!DOCTYPE gpx [<!ENTITY car \"Ghost\">]>" + gpx("<trk><name>a &car; b</name></trk>")),
    Sample(
      "no end",
      gpx("<trk><trkseg><trkpt lat=\"1\" lon=\"1\"/><trkpt lat=\"2\" lon=\"2\"><ele>5").replacing(
        "</gpx>", with: "")),
    Sample("a wrong end tag", segment("<trkpt lat=\"1\" lon=\"1\"/>\n<trkpt lat=\"2\" lon=\"2\"></trk>")),
    Sample("two roots", gpx("") + gpx("")),
    Sample("empty", ""),
    Sample("blank", " \n "),
    Sample("a single root", "<gpx/>"),
    Sample("three bytes", "<a>"),
    Sample("no GPX", "<kml><Document/></kml>"),
  ]
}

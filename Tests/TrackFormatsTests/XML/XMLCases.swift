import TrackModel

@testable import TrackFormats

/// Small documents for single rules of XML 1.0 (fifth edition) and Namespaces in XML 1.0 (third edition).
enum XMLCases {
  private static func named(_ texts: [String]) -> [Sample] { texts.map { Sample($0.debugDescription, $0) } }

  /// Documents that both specifications allow.
  static let sound: [Sample] =
    named([
      "<a/>", "<a></a>", "<a ></a >", "<a\n/>", "<a>\n</a\n>", "<a.b-c_1/>", "<_/>", "<é/>", "<東京>x</東京>",
      "<a·/>",
      "<\u{10000}/>", "<a\u{300}/>",
      // Attributes.
      "<a b='1' c=\"2\"/>", "<a b = '1'\n\tc\r\n=\n\"2\"></a>", "<a b='\"' c=\"'\"/>", "<a b='>'/>",
      "<a b=']]>'/>",
      "<a b=''/>", "<a b='x\ty\nz'/>", "<a b='x\r\ny\rz'/>", "<a b='&#10;&#13;&#9;&#32;'/>",
      "<a b='&amp;#38;&#38;'/>",
      "<a b='&lt;&gt;&quot;&apos;&amp;'/>", "<a xml:lang='de' xml:space='preserve'>  </a>",
      "<a b='  two  blanks  '/>", "<a b='é東🚗'/>", "<a a='1' A='2' é='3'/>",
      // Text.
      "<a>x</a>", "<a> x </a>", "<a>\t\nx\r\ny\rz</a>", "<a>>]]] ]>&gt;</a>", "<a>]]&gt;</a>",
      "<a>&#93;&#93;></a>",
      "<a>]&#93;></a>", "<a>]]<!-- -->></a>", "<a>]]<?p?>></a>", "<a>é東🚗\u{FFFD}\u{85}\u{2028}\u{7F}</a>",
      "<a>&#x41;&#65;&#x1F697;&#x10FFFF;&#xD7FF;&#xE000;&#xFFFD;&#9;&#10;&#13;</a>",
      "<a>&#000065;&#x00041;</a>",
      "<a>x<b/>y<b>z</b>w</a>", "<a> <b/> </a>", "<a>\r<b/>\r</a>", "<a>\r\n  <b/>\r\n</a>",
      "<a> <b/> x </a>",
      "<a><b/>\r\n  x</a>", "<a><b/>  &#32;</a>", "<a>&#32;</a>",
      // Comments, sections, instructions.
      "<!----><a/>", "<!-- - -- --><a/>".replacing(" -- ", with: " "), "<a><!-- <b> & ]]> --></a>",
      "<a>x<!--\n-->y</a>",
      "<a><b>x<!--y--></b></a>", "<a><![CDATA[]]></a>", "<a><![CDATA[<b>&amp;]]]]></a>",
      "<a><![CDATA[]]]]>></a>",
      "<a><![CDATA[x\r\ny\rz\n]]></a>", "<a><![CDATA[\r]]>\n</a>", "<a>x<![CDATA[ ]]>y</a>",
      "<a><![CDATA[é東🚗]]></a>",
      "<a><![CDATA[]>]]></a>", "<?p?><a/>", "<?p x?><a/>", "<?p ??><a/>", "<?p\n?><a><?q <&--?></a><?r?>",
      "<a/><!-- end -->\n<?end?>\r\n", "<?xmlx?><a/>", "<a>]<![CDATA[]]>]></a>",
      // Declarations.
      "<?xml version='1.0'?><a/>", "<?xml version=\"1.0\"?>\n<a/>",
      "<?xml version='1.0' encoding='utf-8'?><a/>",
      "<?xml\tversion = '1.0'\nencoding\r=\r'UTF-8' standalone = \"no\" ?><a/>",
      "<?xml version='1.0' standalone='yes'?><a/>", "\u{FEFF}<?xml version='1.0'?><a/>", "\u{FEFF}<a/>",
      "<?xml version='1.0' encoding='US-ASCII'?><a>&#233;</a>",
      "<?xml version='1.0' encoding='ISO-8859-1'?><a/>",
      // Namespaces.
      "<a xmlns='urn:a'><b xmlns=''><c/></b><d/></a>", "<p:a xmlns:p='urn:p' p:b='1' b='2'/>",
      "<a xmlns:p='urn:1'><p:b/><c xmlns:p='urn:2'><p:b/></c><p:b/></a>", "<a xmlns='urn:a' b='1'/>",
      "<a xmlns:p='urn:x' xmlns='urn:x' p:b='1' b='2'/>", "<p:a p:b='1' xmlns:p='urn:p'></p:a>",
      "<a xmlns:xml='http://www.w3.org/XML/1998/namespace' xml:b='1'/>", "<a xmlns:p='a&amp;b c'><p:b/></a>",
      "<u:a u:b='1' v:b='2'/>", "<a xmlnsx='1' xmln='2'/>",
      "<a><b xmlns:p='urn:p'>x</b><b xmlns:p='urn:p'/></a>",
      "<a xmlns:é='urn:e'><é:b/></a>",
    ]) + [
      Sample("a mark in UTF-16", Sample.utf16("<a>é</a>", isBig: true)),
      Sample("Latin-1", Sample.latin1("<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>")),
      Sample(
        "255 elements deep", String(repeating: "<a>", count: 255) + String(repeating: "</a>", count: 255)),
    ]

  /// Documents that one of them forbids.
  static let broken: [Sample] =
    named([
      "", " ", "x", "<", "<a", "<a>", "<a><b></b>", "</a>", "<a></b>", "<a><b></a></b>", "<a></ a>",
      "<a></a b>", "<a></a",
      "<a></a/>", "< a/>", "<1/>", "<-a/>", "<.a/>", "<·/>", "<a×/>", "<\u{37E}/>", "<a/", "<a /x>", "<a / >",
      "<>", "</>", "<a></>",
      "<a$/>", "<a=/>", "<a<b/>",
      // Attributes.
      "<a b/>", "<a b=/>", "<a b=1/>", "<a b='1/>", "<a b='1\"/>", "<a b='1'c='2'/>", "<a b='1' b='2'/>",
      "<a b='<'/>", "<a b='&'/>",
      "<a b='& '/>", "<a b='&x;'/>", "<a b='&#0;'/>", "<a b='\u{1}'/>", "<a ='1'/>", "<a 1b='1'/>",
      "<a b 'x'/>", "<a b=='x'/>",
      "<a a1='' a2='' a3='' a4='' a5='' a6='' a7='' a8='' a9='' a1=''/>",
      // Text.
      "<a>]]></a>", "<a>x]]]></a>", "<a>x<!-- long -->y]]></a>", "<a>x<?p long?>y]]></a>",
      "<a>&amp;]]></a>", "<a><![CDATA[x]]>]]></a>", "<a>&</a>", "<a>& b</a>", "<a>&b</a>", "<a>&b;</a>",
      "<a>&;</a>",
      "<a>&#;</a>", "<a>&#x;</a>",
      "<a>&#a;</a>", "<a>&#xg;</a>", "<a>&#X41;</a>", "<a>&#+65;</a>", "<a>&#-65;</a>", "<a>&# 65;</a>",
      "<a>&#0;</a>", "<a>&#x0;</a>",
      "<a>&#1;</a>", "<a>&#xB;</a>", "<a>&#xFFFE;</a>", "<a>&#xFFFF;</a>", "<a>&#xD800;</a>",
      "<a>&#xDFFF;</a>", "<a>&#x110000;</a>",
      "<a>&#99999999999999999999;</a>", "<a>&nbsp;</a>", "<a>&AMP;</a>", "<a>&amp</a>", "<a>&amp ;</a>",
      "<a>\u{0}</a>",
      "<a>\u{1}</a>", "<a>\u{B}</a>", "<a>\u{1F}</a>", "<a>\u{FFFE}</a>", "<a>\u{FFFF}</a>", "x<a/>",
      "&amp;<a/>", "<a>&lt</a>",
      // Comments, sections, instructions.
      "<!-- -- --><a/>", "<!-- ---><a/>", "<!---><a/>", "<!--><a/>", "<!- --><a/>", "<a><!-- \u{1} --></a>",
      "<a><!-- </a>",
      "<![CDATA[x]]><a/>", "<a><![CDATA[</a>", "<a><![CDATA[]]</a>", "<a><![cdata[x]]></a>",
      "<a><![CDATA [x]]></a>",
      "<a><![CDATA[\u{2}]]></a>", "<a><!DOCTYPE a></a>", "<a><!x></a>", "<??><a/>", "<? p?><a/>", "<?1?><a/>",
      "<?p+?><a/>", "<?p?x?><a/>",
      "<?p \u{3}?><a/>", "<?p", "<?p><a/>", "<a><?p</a>", "<a><?xml version='1.0'?></a>",
      "<?XML version='1.0'?><a/>", "<a><?xMl?></a>",
      "<!-- --><?xml version='1.0'?><a/>",
      // Declarations.
      "<?xml?><a/>", "<?xml ?><a/>", "<?xml version='1.0'encoding='UTF-8'?><a/>",
      "<?xml encoding='UTF-8' version='1.0'?><a/>",
      "<?xml version='1.0' standalone='maybe'?><a/>",
      "<?xml version='1.0' standalone='yes' encoding='UTF-8'?><a/>",
      "<?xml version=1.0?><a/>", "<?xml version='1.0\"?><a/>", "<?xml version=\"'1.0'?><a/>",
      "<?xml version='1.0'><a/>",
      "<?xml version='1.0' x='1'?><a/>",
      "<?xml version='1.0' encoding=''?><a/>", "<?xml version='1.0' encoding='no-such'?><a/>", "<?xml",
      // Namespaces.
      "<a:b:c/>", "<:a/>", "<a:/>", "<a b:c:d='1'/>", "<a :b='1'/>", "<a b:='1'/>", "<a:1/>",
      "<a xmlns:p=''/>", "<a xmlns:='urn:a'/>",
      "<a xmlns:p:q='urn:a'/>", "<a xmlns:1='urn:a'/>",
      "<a xmlns:xml='urn:x'/>", "<a xmlns:xmlns='urn:x'/>",
      "<a xmlns:xmlns='http://www.w3.org/2000/xmlns/'/>",
      "<a xmlns:p='http://www.w3.org/2000/xmlns/'/>", "<a xmlns='http://www.w3.org/2000/xmlns/'/>",
      "<a xmlns:p='http://www.w3.org/XML/1998/namespace'/>",
      "<a xmlns='http://www.w3.org/XML/1998/namespace'/>",
      "<a xmlns='urn:a' xmlns='urn:a'/>", "<a xmlns:p='urn:p' xmlns:p='urn:q'/>", "<p:a p:b='1' p:b='2'/>",
      "<a xmlns:p='urn:x' xmlns:q='urn:x' p:b='1' q:b='2'/>",
      "<a xmlns:p='urn:x' xmlns:q='urn:x'><b><c p:d='1' q:d='2'/></b></a>",
      "<a xmlns:p='u' xmlns:q='u'><c a='1' b='2' c='3' d='4' e='5' f='6' g='7' h='8' p:d='1' q:d='2'/></a>",
      "<?a:b?><a/>",
    ]) + [
      Sample("a byte that begins nothing", [0x3C, 0x61, 0x3E, 0x80, 0x3C, 0x2F, 0x61, 0x3E]),
      Sample("an overlong slash", Array("<a>".utf8) + [0xC0, 0xAF] + Array("</a>".utf8)),
      Sample("an overlong euro", Array("<a>".utf8) + [0xF0, 0x82, 0x82, 0xAC] + Array("</a>".utf8)),
      Sample(
        "an overlong letter in a section", Array("<a><![CDATA[".utf8) + [0xC1, 0xA9] + Array("]]></a>".utf8)),
      Sample("a surrogate", Array("<a>".utf8) + [0xED, 0xA0, 0x80] + Array("</a>".utf8)),
      Sample("beyond Unicode", Array("<a>".utf8) + [0xF4, 0x90, 0x80, 0x80] + Array("</a>".utf8)),
      Sample("a cut character", Array("<a>".utf8) + [0xE6, 0x9D] + Array("</a>".utf8)),
      Sample("a cut character in an attribute", Array("<a b='".utf8) + [0xC3] + Array("'/>".utf8)),
      Sample("Latin-1 that says UTF-8", Sample.latin1("<a>é</a>")),
      Sample("Latin-1 in a comment", Sample.latin1("<!-- é --><a/>")),
      Sample("Latin-1 in a name", Sample.latin1("<é/>")),
      Sample(
        "300 elements deep", String(repeating: "<a>", count: 300) + String(repeating: "</a>", count: 300)),
    ]

  /// Trailing content that is ignored with a warning, because the root element is complete.
  static let trailing: [Sample] = named([
    "<a/>x", "<a/> &amp;", "<a/><b/>", "<a></a></a>", "<a/><![CDATA[]]>", "<a/><?xml version='1.0'?>",
    "<a/><", "<a/><!-- ", "<a/><?p",
    "<a/>\u{0}", "<a/>\n<!-- -- -->", "<a/><!DOCTYPE a>", "<a>x</a>\u{1A}",
  ])

  // The accepted differences between the two. All others were resolved according to the specification, in
  // the scanner or in the handling of libxml2's results.
  //
  // - libxml2 reports more before a fault (below), but only the tokens of an incomplete tag.
  // - libxml2 rejects comments, sections and instructions of more than 10 MB. The scanner does not store
  //   comments, so it needs no limit (`XMLLimitsTests`).
  // - A start tag may have 1 MiB for the scanner, and 256 KiB for libxml2, which compares each attribute
  //   with all earlier ones (`XMLLimitsTests`).
  // - Only lines are compared, not columns: libxml2 counts some of them from different positions.

  /// Returns whether two readings differ only in how much they report before a fault: libxml2 reports a
  /// start tag, and the text before it, before it finds that the tag's end is missing or the file has ended.
  static func isAccepted(_ scanner: XMLReading, _ library: XMLReading) -> Bool {
    guard scanner.verdict == .fault, library.verdict == .fault else { return false }
    let isOpenTag = library.error?.description.contains("couldn't find end of Start Tag") == true
    return (isOpenTag || library.error?.code == .truncated) && library.tokens.starts(with: scanner.tokens)
  }
}

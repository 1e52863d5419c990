import Testing

@testable import TrackFormats

@Suite("Names of JSON members")
struct JSONNamesTests {
  @Test("Each name has its code, and other texts have none")
  func codes() {
    let spellings = (1...200).map { "name\($0)" } + ["", "a", "é", "coordinates", "Coordinates"]
    let names = JSONNames(spellings.enumerated().map { ($1, UInt16($0 + 1)) })
    for (index, spelling) in spellings.enumerated() {
      #expect(names.code(of: Array(spelling.utf8).span) == UInt16(index + 1))
    }
    for unknown in ["name0", "name201", "nam", "b", "coordinate", "coordinatesx", "COORDINATES"] {
      #expect(names.code(of: Array(unknown.utf8).span) == 0)
    }
  }

  @Test("A name is found however it is escaped")
  func escapes() throws {
    var lexer = JSONLexer(ByteInput(bytes: Array(#"{"co\u006frdinates":1,"typ\u0065":2}"#.utf8)))
    try lexer.beginObject()
    #expect(try lexer.nextMember())
    #expect(lexer.code(in: GeoJSONMember.names) == GeoJSONMember.coordinates.rawValue)
    try lexer.skip()
    #expect(try lexer.nextMember())
    #expect(lexer.code(in: GeoJSONMember.names) == GeoJSONMember.type.rawValue)
  }
}

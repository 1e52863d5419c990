import CommandLineParsing
import Testing

@testable import ghost_convert

@Suite("Speeds of ghosts")
struct GhostSpeedTests {
  @Test("A speed is a pace or a rate")
  func speeds() throws {
    #expect(try GhostSpeed("4x") == .rate(4))
    #expect(try GhostSpeed("0.5x") == .rate(0.5))
    #expect(try GhostSpeed("1,5x") == .rate(1.5))
    #expect(try GhostSpeed("4 x") == .rate(4))
    #expect(try GhostSpeed("36km/h") == .pace(10))
    #expect(throws: (any Error).self) { try GhostSpeed("0x") }
    let fault = #expect(throws: InvalidValue.self) { try GhostSpeed("4") }
    #expect(fault.map { "\($0)".contains("4x") } == true)
  }
}

import Testing
import TrackModel

@testable import CommandLineParsing

@Suite("Dates in options")
struct DateArgumentTests {
  @Test(
    "A date is the whole period of its last unit; a time with decimals is an instant",
    arguments: [
      ("2025", "2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
      ("2024-02", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z"),
      ("2024-12", "2024-12-01T00:00:00Z", "2025-01-01T00:00:00Z"),
      ("2024-02-29", "2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z"),
      ("2025-01-31Z", "2025-01-31T00:00:00Z", "2025-02-01T00:00:00Z"),
      ("2025-01-31T07:30", "2025-01-31T07:30:00Z", "2025-01-31T07:31:00Z"),
      ("2025-01-31T07:30-01:00", "2025-01-31T08:30:00Z", "2025-01-31T08:31:00Z"),
      ("2025-01-31 07:30:15Z", "2025-01-31T07:30:15Z", "2025-01-31T07:30:16Z"),
      ("2025-01-31T07:30:15.5+02:00", "2025-01-31T05:30:15.500Z", "2025-01-31T05:30:15.500001Z"),
      ("0001", "0001-01-01T00:00:00Z", "0002-01-01T00:00:00Z"),
    ])
  func spans(text: String, begin: String, end: String) throws {
    let date = try DateArgument(argument: text)
    #expect(date.begin.description == begin)
    #expect(date.end.description == end)
  }

  @Test(
    "Text that is not a date is rejected",
    arguments: [
      "", "yesterday", "2025-13", "2025-02-30", "25", "20250131", "2025-1", "2025-01-31T25:00", " 2025",
      "-2025", "9999", "9999-12", "2025-01-31T07:30 and more",
    ])
  func refused(text: String) {
    #expect(throws: (any Error).self) { try DateArgument(argument: text) }
  }
}

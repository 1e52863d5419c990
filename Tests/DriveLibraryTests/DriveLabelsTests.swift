import DriveLibrary
import Foundation
import Testing
import TrackModel

@Suite("Labels of drives")
struct DriveLabelsTests {
  private static func drive(_ number: UInt8, _ start: String?) -> (id: UUID, start: Instant?) {
    let time = start.flatMap { ISO8601.read(Array($0.utf8).span)?.instant }
    return (UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), time)
  }

  private static func labels(_ drives: [(id: UUID, start: Instant?)]) -> [String] {
    DriveLabels.labels(drives, identifierLength: 6) { time in
      String(ISO8601.text(time, decimals: 0).prefix(16)).replacing("T", with: " ") + "Z"
    }
  }

  @Test("The label of a drive is its day; time and id are added only if the day is not unique")
  func labels() {
    let drives = [
      Self.drive(1, "2024-05-14T06:12:59Z"), Self.drive(2, "2024-05-14T17:00:00Z"),
      Self.drive(3, "2024-05-15T06:12:00Z"), Self.drive(4, nil), Self.drive(0xAB, "2024-05-16T08:00:00Z"),
      Self.drive(0xAC, "2024-05-16T08:00:30Z"), Self.drive(5, nil),
    ]
    #expect(
      Self.labels(drives) == [
        "2024-05-14 06:12Z", "2024-05-14 17:00Z", "2024-05-15", "040000", "2024-05-16 08:00Z AB0000",
        "2024-05-16 08:00Z AC0000", "050000",
      ])
    #expect(Self.labels([]).isEmpty)
  }
}

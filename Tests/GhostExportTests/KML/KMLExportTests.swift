import Foundation
import GhostExport
import Testing

struct KMLExportTests {
  @Test("A KML is valid against the schemas", .enabled(if: Program.schemas.isInstalled))
  func isValid() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(try ComparisonOutput.kml.bytes(try Race.document()), to: "race.kml")
    let verdict = try Program.schemas.run([file])
    #expect(verdict == "\(file): valid\n")
  }
}

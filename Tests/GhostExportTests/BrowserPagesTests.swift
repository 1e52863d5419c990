import Foundation
import GhostExport
import Testing

@testable import DriveMatching
@testable import GhostModel

/// Writes the pages that the browser tests open, and the expected positions, to the folder in the
/// environment variable `BROWSER_PAGES`.
struct BrowserPagesTests {
  static let folder = ProcessInfo.processInfo.environment["BROWSER_PAGES"]

  @Test(
    "Pages for the browser tests are written with the recorded positions", .enabled(if: folder != nil),
    arguments: SampleComparisons.names)
  func write(name: String) throws {
    let folder = URL(fileURLWithPath: try #require(BrowserPagesTests.folder))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let document = try SampleComparisons.document(name)
    try HTMLReport.text(of: document)
      .write(to: folder.appending(path: "\(name).html"), atomically: true, encoding: .utf8)
    try MapImage.text(of: document)
      .write(to: folder.appending(path: "\(name)-map.svg"), atomically: true, encoding: .utf8)
    try GapImage.text(of: document)
      .write(to: folder.appending(path: "\(name)-gap.svg"), atomically: true, encoding: .utf8)
    if name == "duel" {
      let basemap = try Basemap(template: "https://tiles.test/{z}/{x}/{y}.png")
      try HTMLReport.text(of: document, options: HTMLReport.Options(basemap: basemap))
        .write(to: folder.appending(path: "basemap.html"), atomically: true, encoding: .utf8)
    }
    let drives = document.traces.indices.map { index -> [String: Any] in
      let trace = document.traces[index]
      let drive = document.comparison.drives[index]
      let rows = drive.startIndex...drive.endIndex
      return [
        "label": trace.label, "times": rows.map { document.sharedTime(trace.elapsed[$0], of: index) },
        "latitudes": Array(trace.latitudes[rows]), "longitudes": Array(trace.longitudes[rows]),
      ]
    }
    let truth: [String: Any] = ["drives": drives, "headline": ComparisonSummary(document).headline]
    try JSONSerialization.data(withJSONObject: truth)
      .write(to: folder.appending(path: "\(name).json"))
  }
}

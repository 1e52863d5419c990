import Foundation
import Testing
import TrackModel

@testable import DriveMatching
@testable import GhostExport
@testable import GhostModel

#if canImport(FoundationXML)
  import FoundationXML
#endif

struct HTMLReportTests {
  private func data(_ page: String) throws -> [String: Any] {
    let begin = try #require(page.range(of: "id=\"race\">")).upperBound
    let end = try #require(page.range(of: "</script>", range: begin..<page.endIndex)).lowerBound
    let json = try JSONSerialization.jsonObject(with: Data(page[begin..<end].utf8))
    return try #require(json as? [String: Any])
  }

  @Test("A page loads no external resources", arguments: SampleComparisons.names)
  func selfContained(name: String) throws {
    let page = HTMLReport.text(of: try SampleComparisons.document(name))
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
    // The SVG namespace is a name for creating elements, not an address that is loaded.
    let addresses = page.replacing("http://www.w3.org/2000/svg", with: "")
    #expect(!addresses.contains("://"))
    #expect(!page.contains("src="))
    #expect(page.contains("default-src 'none'"))
    #expect(page.utf8.count < 300_000)
  }

  @Test("Identifiers are unique, and every label refers to one", arguments: ["duel", "many", "disjoint"])
  func identifiers(name: String) throws {
    let page = HTMLReport.text(of: try SampleComparisons.document(name))
    let identifiers = page.matches(of: /\sid="([^"]+)"/).map { String($0.1) }
    #expect(Set(identifiers).count == identifiers.count)
    for label in page.matches(of: /aria-labelledby="([^"]+)"/) {
      #expect(identifiers.contains(String(label.1)))
    }
  }

  @Test("Names do not become elements or scripts")
  func names() throws {
    let document = try SampleComparisons.document("names")
    let page = HTMLReport.text(of: document)
    #expect(page.components(separatedBy: "<script").count == 4)
    #expect(page.components(separatedBy: "</script").count == 4)
    #expect(!page.contains("<b>bold"))
    let drives = try #require(try data(page)["drives"] as? [[String: Any]])
    #expect(drives.first?["name"] as? String == document.comparison.drives[0].label)
  }

  @Test("A drive's file is named without its folders")
  func files() throws {
    var document = try SampleComparisons.document("duel")
    document.comparison.drives[0].source = "/home/somebody/rides/tuesday.gpx"
    let page = HTMLReport.text(of: document)
    #expect(page.contains("tuesday.gpx"))
    #expect(!page.contains("somebody"))
    for output in ComparisonOutput.all where output != .kmz {
      #expect(
        !String(decoding: try output.bytes(document), as: UTF8.self).contains("somebody"), "\(output)")
    }
  }

  @Test("A page about two recordings of one ride states this, and names no gainer", arguments: [true, false])
  func oneRide(isOneRide: Bool) throws {
    var document = try SampleComparisons.document("duel")
    document.comparison.drives[1].concurrent = [
      .init(drive: 0, relation: isOneRide ? .simultaneous : .companion)
    ]
    if isOneRide { (document.comparison.winner, document.comparison.margin) = (nil, nil) }
    let page = HTMLReport.text(of: document)
    #expect(page.contains("What made the difference") != isOneRide)
    #expect(page.components(separatedBy: ">same ride<").count == (isOneRide ? 2 : 1))
    #expect(page.contains("Two recordings of one ride") == isOneRide)
  }

  @Test("With hundredths, the script formats durations with two decimals")
  func hundredths() throws {
    let document = try SampleComparisons.document("duel")
    let seconds = try data(HTMLReport.text(of: document))
    #expect(seconds["timeDecimals"] == nil)
    let hundredths = try TimeResolution.$current.withValue(.hundredths) {
      try data(HTMLReport.text(of: document))
    }
    #expect(hundredths["timeDecimals"] as? Int == 2)
  }

  @Test("The race shows each drive at its recorded position, at all recorded times")
  func race() throws {
    let document = try SampleComparisons.document("duel")
    let data = try data(HTMLReport.text(of: document))
    let map = try #require(data["map"] as? [String: Double])
    let size = try #require(map["world"])
    let center = (x: try #require(map["x"]) / 1e9, y: try #require(map["y"]) / 1e9)
    let drives = try #require(data["drives"] as? [[String: Any]])
    for (index, drive) in drives.enumerated() {
      let rows = Unfolding.rows(try #require(drive["track"] as? String), columns: 3)
      let trace = document.traces[index]
      let compared = document.comparison.drives[index]
      var worst = 0.0
      var row = 0
      for point in compared.startIndex...compared.endIndex {
        let time = document.sharedTime(trace.elapsed[point], of: index) * 100
        while row + 2 < rows.count, rows[row + 1][0] <= time { row += 1 }
        let part = max(0, min(1, (time - rows[row][0]) / (rows[row + 1][0] - rows[row][0])))
        let x = rows[row][1] + (rows[row + 1][1] - rows[row][1]) * part
        let y = rows[row][2] + (rows[row + 1][2] - rows[row][2]) * part
        // The inverse Web Mercator projection.
        let longitude = (center.x + x / size - 0.5) * 360
        let latitude = atan(sinh(.pi * (1 - 2 * (center.y + y / size)))) * 180 / .pi
        let place = Coordinate(latitude: latitude, longitude: longitude)
        worst = max(worst, Geodesy.distance(from: place, to: trace.coordinate(at: point)))
      }
      #expect(worst < 3, "drive \(index): \(worst) m")
      #expect(rows.count < trace.count / 2)
    }
  }

  @Test("A page with two drives of 100,000 points is below 2 MB, and the race remains as accurate")
  func large() throws {
    let road = SampleRoad(length: 1_450_000)
    let traces = try [3, 8].map { seed in
      try SampleDrive(label: "\(seed)", pace: 14, noise: 3, seed: seed).trace(on: road)
    }
    #expect(traces.allSatisfy { $0.count >= 100_000 })
    var comparison = HandMade.comparison(drives: traces.map { HandMade.drive($0.label) })
    for index in traces.indices {
      comparison.drives[index].endIndex = traces[index].count - 1
      comparison.drives[index].motionEnd = traces[index].duration
    }
    let page = HTMLReport.text(of: ComparisonDocument(comparison, traces: traces))
    #expect(page.utf8.count < 2_000_000)
    let drives = try #require(try data(page)["drives"] as? [[String: Any]])
    let rows = Unfolding.rows(try #require(drives.first?["track"] as? String), columns: 3)
    // A tolerance that is increased to reduce the size would leave far fewer rows.
    #expect(rows.count > 10_000 && rows.count < 60_000)
  }

  @Test("A basemap allows images from its server only")
  func basemap() throws {
    let basemap = try Basemap(template: "https://tiles.test/{z}/{x}/{y}.png", attribution: "Me & <you>")
    let page = HTMLReport.text(
      of: try SampleComparisons.document("duel"), options: HTMLReport.Options(basemap: basemap))
    #expect(page.contains("img-src data: https://tiles.test;"))
    #expect(page.contains("<image href=\"https://tiles.test/"))
    #expect(page.contains("Me &amp; &lt;you&gt;"))
  }

  @Test("The images are valid XML and contain their titles", arguments: SampleComparisons.names)
  func images(name: String) throws {
    let document = try SampleComparisons.document(name)
    let basemap = try Basemap(template: "https://tiles.test/{z}/{x}/{y}.png?a=1&b=2")
    for image in [
      MapImage.text(of: document), MapImage.text(of: document, basemap: basemap), GapImage.text(of: document),
    ] {
      let parser = XMLParser(data: Data(image.utf8))
      #expect(parser.parse(), "\(String(describing: parser.parserError))")
      #expect(
        image.contains("<title id=\"title\">\(Escaping.html(ComparisonSummary(document).headline))</title>"))
    }
  }
}

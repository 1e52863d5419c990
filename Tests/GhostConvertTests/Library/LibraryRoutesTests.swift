import Foundation
import Testing

@testable import TestSupport

/// The commands `library routes` and `library compare`.
@Suite(.waiting) struct LibraryRoutesTests {
  /// Returns a road of 4 km to the east. `first` and `second` are the seconds of its halves.
  private static func east(_ first: Int, _ second: Int) -> DrivenRoad {
    DrivenRoad().driving(toEast: 2000, seconds: first).driving(toEast: 4000, seconds: second)
  }
  /// The same road in 420 s with a detour to the north from 1.8 km to 2.2 km, of 600 m in 60 s.
  private static let round = DrivenRoad().driving(toEast: 1800, seconds: 180)
    .driving(toEast: 1800, north: 100, seconds: 15).driving(toEast: 2200, north: 100, seconds: 30)
    .driving(toEast: 2200, seconds: 15).driving(toEast: 4000, seconds: 180)
  /// One drive per day, from 14 May 2024.
  private static let roads: [(name: String, road: DrivenRoad)] = [
    ("To work", east(200, 300)), ("To work", east(300, 180)), ("Home", east(200, 200).reversed),
    ("To work", round), ("Home", east(210, 200).reversed),
    ("Errand", DrivenRoad(north: 5000).driving(toEast: 900, north: 5000, seconds: 90)),
  ]

  /// Calls `body` with a library of drives on successive days, the first on 14 May 2024 at 6:00 UTC.
  private static func withLibrary<Result>(
    _ roads: [(name: String, road: DrivenRoad)] = roads, reversed: Bool = false,
    _ body: (TemporaryFolder) throws -> Result
  ) throws -> Result {
    try withFixtures { (folder) throws in
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("in"), withIntermediateDirectories: false)
      for (index, (name, road)) in roads.enumerated() {
        let number = reversed ? roads.count - index : index
        try folder.write(
          road.gpx(name: name).replacingOccurrences(of: "2024-05-14", with: "2024-05-\(14 + index)"),
          to: "in/\(10 + number).gpx")
      }
      let outcome = try folder.run("import", "--quiet", "in", "--library", "drives.gpkg")
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try body(folder)
    }
  }

  private func rows(_ object: [String: Any], _ key: String) throws -> [[String: Any]] {
    try #require(object[key] as? [[String: Any]])
  }

  private func routes(_ folder: TemporaryFolder, _ options: String...) throws -> [String: Any] {
    let outcome = try GhostConvertProgram.run(["library", "routes", "--json"] + options, in: folder.url)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    return try jsonObject(outcome.output)
  }

  @Test("Routes are roads that were driven more than once, sorted by the number of drives")
  func list() throws {
    try Self.withLibrary { (folder) throws in
      let object = try routes(folder)
      #expect(object["drives"] as? Int == 6)
      #expect(object["drives_in_routes"] as? Int == 5)
      let found = try rows(object, "routes")
      #expect(found.map { $0["name"] as? String } == ["To work", "Home"])
      #expect(found.map { $0["count"] as? Int } == [3, 2])
      #expect(found.map { $0["loop"] as? Bool } == [false, false])
      #expect(found.map { $0["bearing_deg"] as? Double } == [90, 270])
      // The times are 500, 480 and 420 s, and 400 and 410 s.
      #expect(found.map { $0["usual_s"] as? Double } == [480, 405])
      let best = try #require(found[0]["best"] as? [String: Any])
      #expect(best["duration_s"] as? Double == 420)
      #expect(found[0]["first_time"] as? String == "2024-05-14T06:00:00.000Z")
      #expect(found[0]["last_time"] as? String == "2024-05-17T06:00:00.000Z")
      let drives = try #require(found[0]["drives"] as? [String])
      #expect(drives.first == found[0]["id"] as? String)
      #expect(drives.contains(try #require(best["id"] as? String)))
    }
  }

  @Test("Filters and --min-drives reduce the routes")
  func filters() throws {
    try Self.withLibrary { (folder) throws in
      #expect(try rows(routes(folder, "--min-drives", "3"), "routes").count == 1)
      #expect(try rows(routes(folder, "--min-drives", "1"), "routes").count == 3)
      #expect(
        try rows(routes(folder, "--since", "2024-05-16"), "routes").map { $0["name"] as? String } == ["Home"])
      #expect(try rows(routes(folder, "--name", "work"), "routes").count == 1)
      #expect(try rows(routes(folder, "--near", "10,10"), "routes").isEmpty)
      #expect(try folder.run("library", "routes", "--min-drives", "0").status == 64)
    }
  }

  @Test("The routes do not depend on the order of the import")
  func order() throws {
    let found = try [false, true].map { isReversed in
      try Self.withLibrary(reversed: isReversed) { (folder) throws in
        try folder.run("library", "routes", "--json").text
      }
    }
    #expect(found[0] == found[1])
  }

  @Test("The table shows each route's name, days and number of drives")
  func table() throws {
    try Self.withLibrary { (folder) throws in
      let id = try #require(rows(routes(folder), "routes")[0]["id"] as? String)
      let lines = try folder.run("library", "routes").text.split(separator: "\n")
      #expect(lines.count == 4)
      let row = lines[1].split(separator: " ").map(String.init)
      #expect(id.hasPrefix(row[0]))
      #expect(
        row.dropFirst() == ["To", "work", "3", "4.00", "km", "E", "7:00", "8:00", "2024-05-14", "2024-05-17"])
      #expect(lines[3] == "2 routes with 5 of 6 drives")
    }
  }

  @Test("All drives of a route are compared with the fastest, leg by leg")
  func compare() throws {
    try Self.withLibrary { (folder) throws in
      let route = try rows(routes(folder), "routes")[0]
      let drives = try #require(route["drives"] as? [String])
      // The id of any drive of a route names the route.
      let outcome = try folder.run("library", "compare", String(drives[2].prefix(12)).lowercased(), "--json")
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let object = try jsonObject(outcome.output)
      #expect((object["route"] as? [String: Any])?["id"] as? String == drives[0])
      let compared = try rows(object, "drives")
      #expect(compared.map { $0["id"] as? String } == drives)
      #expect(compared.map { $0["rank"] as? Int } == [3, 2, 1])
      #expect(compared.map { $0["label"] as? String } == ["2024-05-14", "2024-05-15", "2024-05-17"])
      #expect(compared.allSatisfy { $0["timing"] as? String == "timestamps" })
      // 500, 480 and 420 s, except for some metres at both ends.
      for (row, expected) in zip(compared, [500.0, 480, 420]) {
        let seconds = try #require(row["time_s"] as? Double)
        #expect(abs(seconds - expected) < 10)
      }
      #expect(object["fastest"] as? String == drives[2])
      let legs = try rows(object, "legs")
      let detours = legs.filter { $0["detour"] as? Bool == true }
      #expect(detours.count == 1)
      #expect(detours[0]["left_road"] as? Int == 1)
      let detourBegin = try #require(detours[0]["from_m"] as? Double)
      let detourEnd = try #require(detours[0]["to_m"] as? Double)
      #expect(abs(detourBegin - 1800) < 60)
      #expect(abs(detourEnd - 2200) < 60)
      // Up to the detour the best speed is 10 m/s, of two drives. Between its ends the best time is that of
      // 200 m at 6.7 m/s and 200 m at 11.1 m/s (the detour takes 60 s), and after it the best speed is 11.1
      // m/s.
      let detourBest = try #require(detours[0]["best_s"] as? Double)
      #expect(abs(detourBest - 48) < 6)
      #expect(detours[0]["best"] as? String != drives[2])
      let theoreticalBest = try #require(object["theoretical_best_s"] as? Double)
      #expect(abs(theoreticalBest - (180 + 48 + 162)) < 10)
      #expect(legs.last?["best"] as? String == drives[1])
    }
  }

  @Test("Drives whose ends are some metres apart are all ranked, and routes and compare agree on the best")
  func endsApart() throws {
    // Starts and ends differ by some metres; the fastest drive extends beyond both ends of most others.
    let roads = (0..<18).map { number in
      let (from, to) = (Double(number * 7 % 18) - 9, 4000 + Double(number * 11 % 18) - 9)
      return (
        "Commute",
        DrivenRoad(east: from).standing(10).driving(toEast: to, seconds: 300 + 3 * (number * 13 % 18))
          .standing(10)
      )
    }
    try Self.withLibrary(roads) { (folder) throws in
      let route = try rows(routes(folder), "routes")[0]
      #expect(route["count"] as? Int == 18)
      let best = try #require((route["best"] as? [String: Any])?["id"] as? String)
      let object = try jsonObject(folder.run("library", "compare", best, "--json", "-o", "gaps.csv").output)
      #expect(object["fastest"] as? String == best)
      // The last gap of each drive in the table is that of the ranking.
      var lastGaps: [String: Double] = [:]
      for line in try folder.text("gaps.csv").split(separator: "\n").dropFirst() {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        lastGaps[String(fields[1])] = Double(fields[9])
      }
      #expect(lastGaps.count >= 9)
      for drive in try rows(object, "drives") {
        guard let label = drive["label"] as? String, let last = lastGaps[label] else { continue }
        #expect(abs(last - (drive["gap_s"] as? Double ?? .nan)) < 0.0015, "\(label)")
      }
      let compared = try rows(object, "drives")
      #expect(Set(compared.compactMap { $0["rank"] as? Int }) == Set(1...18))
      #expect(compared.allSatisfy { $0["unranked_reason"] is NSNull && $0["faster_than_ranked"] is NSNull })
      for (number, row) in compared.enumerated() {
        let moving = try #require(row["moving_s"] as? Double)
        #expect(abs(moving - Double(300 + 3 * (number * 13 % 18))) < 2)
      }
    }
  }

  @Test("An unranked drive is named with the reason, and with its time if that is faster")
  func unranked() throws {
    // 80 m north of the others on the first 800 m.
    let aside = DrivenRoad(north: 80).driving(toEast: 700, north: 80, seconds: 50)
      .driving(toEast: 800, seconds: 10).driving(toEast: 4000, seconds: 230)
    let roads = (0..<12).map { ("Commute", Self.east(200 + 5 * $0, 200)) } + [("Commute", aside)]
    try Self.withLibrary(roads) { (folder) throws in
      let route = try rows(routes(folder), "routes")[0]
      #expect(route["count"] as? Int == 13)
      let id = try #require(route["id"] as? String)
      let compared = try rows(jsonObject(folder.run("library", "compare", id, "--json").output), "drives")
      let ranks: [Int?] = Array(1...12) + [nil]
      #expect(compared.map { $0["rank"] as? Int } == ranks)
      #expect(compared.last?["unranked_reason"] as? String == "not_at_start")
      #expect(compared.last?["faster_than_ranked"] as? Bool == true)
      let text = try folder.run("library", "compare", id).text
      let imperial = try folder.run("library", "compare", id, "--units", "imperial").text
      #expect(text.contains(" km/h") && imperial.contains(" mph"))
      #expect(!imperial.contains(" km"))
      let library = try folder.run("library", "compare", "other.gpkg")
      #expect(library.status == 64 && library.errors.contains("--library other.gpkg"))
      #expect(text.contains("The fastest ranked drive was 2024-05-14 in "))
      #expect(text.contains("1 drive is incomplete at the start and not ranked: 2024-05-26 ("))
      // 290 s in total.
      #expect(text.contains(") is not ranked, but took 4:50 from its first to its last motion, less than"))
    }
  }

  @Test("A route without a name is labelled with both ends, not truncated")
  func unnamed() throws {
    try Self.withLibrary([("One", Self.east(200, 200)), ("Two", Self.east(210, 200))]) { (folder) throws in
      // 4,000 m are 0.0359°.
      #expect(try folder.run("library", "routes").text.contains("  0.000,0.000 → 0.000,0.036  "))
    }
  }

  @Test("The text shows the ten fastest drives and the newest; --all shows all")
  func many() throws {
    let roads = (0..<13).map { ("Commute", Self.east(100 + 5 * $0, 100)) }
    try Self.withLibrary(roads) { (folder) throws in
      let id = String(try #require(rows(routes(folder), "routes")[0]["id"] as? String).prefix(8))
      let text = try folder.run("library", "compare", id).text
      #expect(text.contains("Commute: 13 drives, 4.00 km, 2024-05-14 to 2024-05-26\n"))
      // The fastest, the tenth, the eleventh (not shown) and the newest.
      for (day, isShown) in [(14, true), (23, true), (24, false), (26, true)] {
        #expect(text.contains("  2024-05-\(day)  ") == isShown)
      }
      #expect(text.contains("\n  and 2 more: --all shows them\n"))
      #expect(text.contains("the newest"))
      let all = try folder.run("library", "compare", id, "--all").text
      #expect(all.contains("  2024-05-24  ") && !all.contains("more: "))
      // One list of drives, and one of eight legs with their sum.
      #expect(all.split(separator: "\n").count { $0.hasPrefix("  ") && $0.contains(" together ") } == 8)
    }
  }

  @Test("The output files show the comparison")
  func outputs() throws {
    try Self.withLibrary { (folder) throws in
      let id = try #require(rows(routes(folder), "routes")[0]["id"] as? String)
      let outcome = try folder.run("library", "compare", id, "-o", "a.html", "-o", "a.geojson", "-o", "a.kmz")
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(try folder.text("a.html").contains("2024-05-17"))
      #expect(try folder.json("a.geojson")["type"] as? String == "FeatureCollection")
      #expect(try folder.data("a.kmz").prefix(2) == Data("PK".utf8))
      #expect(try folder.run("library", "compare", id, "-o", "a.doc").status == 64)
      #expect(try folder.run("library", "compare", id, "-o", "a.html", "-o", "./a.html").status == 64)
      #expect(try folder.run("library", "compare", id, "-o", "no/where.html").status == 73)
    }
  }

  @Test("Filters select drives of a route, even if they exclude the drive that names it")
  func selection() throws {
    try Self.withLibrary { (folder) throws in
      let route = try rows(routes(folder), "routes")[0]
      let drives = try #require(route["drives"] as? [String])
      let outcome = try folder.run("library", "compare", drives[0], "--since", "2024-05-15", "--json")
      #expect(outcome.status == 0)
      let object = try jsonObject(outcome.output)
      #expect(try rows(object, "drives").map { $0["id"] as? String } == Array(drives.dropFirst()))
      #expect((object["route"] as? [String: Any])?["count"] as? Int == 2)
      let few = try folder.run("library", "compare", drives[0], "--since", "2024-05-17")
      #expect(few.status == 65)
      #expect(few.errors.contains("fewer than two of the 3 drives"))
    }
  }

  @Test("Drives that cannot be compared are errors")
  func errors() throws {
    try Self.withLibrary { (folder) throws in
      #expect(try folder.run("library", "compare", "not-an-id").status == 66)
      let single = try #require(
        rows(routes(folder, "--min-drives", "1"), "routes").last?["id"] as? String)
      let outcome = try folder.run("library", "compare", single)
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("the only drive of its route"))
      #expect(try folder.run("library", "compare", single, "--library", "none.gpkg").status == 66)
    }
  }

  @Test("Without recorded times the duration is spread evenly, which is reported")
  func untimed() throws {
    try withFixtures { (folder) throws in
      for seconds in [400, 420] {
        try folder.write(
          DrivenRoad().driving(toEast: 4000, seconds: seconds).document(name: "Commute"),
          to: "\(seconds).drive.json")
      }
      #expect(
        try folder.run("import", "--quiet", "400.drive.json", "420.drive.json", "--library", "drives.gpkg")
          .status
          == 0)
      let id = try #require(rows(routes(folder), "routes")[0]["id"] as? String)
      let text = try folder.run("library", "compare", id).text
      #expect(text.contains("≈ 6:40") && text.contains("≈ 7:00"))
      #expect(text.contains("2 drives have no recorded times (≈)"))
    }
  }

  @Test("The page of a route has its name, all drives, the legs and the same figures as the text")
  func page() throws {
    // Fourteen drives with halves of 100 to 165 s and of 100 to 152 s.
    let roads = (0..<14).map {
      (name: "To work", road: Self.east(100 + 5 * ($0 * 3 % 14), 100 + 4 * ($0 * 5 % 14)))
    }
    try Self.withLibrary(roads) { (folder) throws in
      let route = try #require(try rows(try routes(folder), "routes").first)
      let id = try #require(route["id"] as? String)
      let outcome = try folder.run("library", "compare", id, "--json", "-o", "route.html", "-o", "route.kml")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let object = try jsonObject(outcome.output)
      let page = try folder.text("route.html")
      let best = try #require(object["best_s"] as? Double)
      #expect(page.contains("the fastest of 14 in \(Self.clock(best))"))
      #expect(page.contains("To work"))
      #expect(!page.contains("fastest of 11") && !page.contains("shared with"))
      // One table with a row per drive, and the best and the usual times of the legs.
      #expect(page.components(separatedBy: "<table").count == 2)
      let table = try #require(page.firstMatch(of: /<tbody[^>]*>(?s:.*?)<\/tbody>/)).output
      let drives = try rows(object, "drives")
      #expect(table.components(separatedBy: "<tr").count == 15)
      let legs = try rows(object, "legs")
      for drive in drives {
        let label = try #require(drive["label"] as? String)
        let row = try #require(table.components(separatedBy: "<tr").first { $0.contains(">\(label)<") })
        #expect(row.contains(">\(Self.clock(try #require(drive["time_s"] as? Double)))<"))
        // Rank, time, gap and average, one cell per leg, and what precedes the first.
        #expect(row.components(separatedBy: "<td").count == 5 + legs.count)
      }
      let sums = try #require(page.firstMatch(of: /<tfoot[^>]*>(?s:.*?)<\/tfoot>/)).output
      #expect(sums.contains(Self.clock(try #require(object["theoretical_best_s"] as? Double))))
      #expect(sums.contains(Self.clock(try #require(object["usual_s"] as? Double))))
      #expect(page.contains("gapline usual"))
      let text = try folder.run("library", "compare", id).text
      #expect(text.contains(Self.clock(best)))
      #expect(try folder.text("route.kml").contains("the fastest of 14"))
    }
  }

  /// Returns minutes and seconds, for example `7:05`.
  private static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
  }
}

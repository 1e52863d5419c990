import Testing
import TrackModel

@testable import DriveMatching
@testable import GhostExport
@testable import GhostModel

struct ChannelPlotsTests {
  private static let rpm = ExtraValues.Name("RPM <engine>", unit: "1/min")
  private static let boost = ExtraValues.Name("Boost", unit: "bar")

  /// Returns a drive of 2 km to the east with a point per second.
  ///
  /// - Parameters:
  ///   - speed: metres per second.
  ///   - rpm: returns the engine speed at a distance in metres.
  private func drive(
    _ label: String, speed: Double, recordsSpeed: Bool = false, hasBoost: Bool = false,
    rpm: (Double) -> Double
  ) throws -> TimedDrive {
    let origin = Coordinate(latitude: 47, longitude: 8)
    let degree = Geodesy.distance(from: origin, to: Coordinate(latitude: 47, longitude: 8.01)) * 100
    var batch = PointBatch()
    for second in 0...Int(2000 / speed) {
      let distance = Double(second) * speed
      batch.append(
        latitude: 47, longitude: 8 + distance / degree,
        time: 1_700_000_000_000_000 + Int64(second) * 1_000_000)
      if recordsSpeed { batch.set(.speed, speed) }
      var details = PointDetails()
      details.extraValues =
        hasBoost
        ? ExtraValues([Self.boost, Self.rpm], [Double(second), rpm(distance)])
        : ExtraValues([Self.rpm], [rpm(distance)])
      batch.set(details)
    }
    var segment = Recording.Segment()
    segment.append(batch, keepsChannels: true)
    return try TimedDrive(Recording(segments: [segment]), label: label)
  }

  private func document() throws -> ComparisonDocument {
    let drives = [
      try drive("a", speed: 20, recordsSpeed: true, hasBoost: true) { 1000 + $0 },
      try drive("b", speed: 10) { 500 + 2 * $0 },
    ]
    return ComparisonDocument(try DriveComparison.compare(drives), traces: drives)
  }

  @Test("Values of both drives are at the place where they were measured")
  func places() throws {
    let document = try document()
    let gap = try #require(GapPlot(document))
    let plots = ChannelPlots(document, gap.distances).plots
    #expect(plots.map(\.name) == ["speed", "RPM <engine>"])
    #expect(plots.map(\.unit) == ["km/h", "1/min"])
    let speeds = plots[0].series.map { $0.lines.flatMap(\.y) }
    #expect(speeds.count == 2)
    #expect(speeds[0].allSatisfy { abs($0 - 72) < 0.01 })
    // Computed from the positions.
    #expect(speeds[1].allSatisfy { abs($0 - 36) < 0.01 })
    let expected: [(Double) -> Double] = [{ 1000 + $0 }, { 500 + 2 * $0 }]
    for series in plots[1].series {
      #expect(series.lines.count == 1)
      let line = try #require(series.lines.first)
      #expect(try #require(line.x.first) < 60)
      #expect(try #require(line.x.last) > 1940)
      for (x, y) in zip(line.x, line.y) { #expect(abs(y - expected[series.drive](x)) < 5, "at \(x) m") }
    }
    #expect(plots[1].values.contains(500) && plots[1].values.contains(4500))
  }

  /// Returns the names of the plots of two drives with these channels.
  private func plots(_ first: [ExtraValues.Name], _ second: [ExtraValues.Name]) throws -> [String] {
    let drives = try [first, second].enumerated().map { number, names in
      var batch = PointBatch()
      for row in 0...100 {
        batch.append(
          latitude: 47, longitude: 8 + Double(row) * 2e-4,
          time: 1_700_000_000_000_000 + Int64(row * (5 + number)) * 1_000_000)
        var details = PointDetails()
        details.extraValues = ExtraValues(names, names.map { _ in Double(row) })
        batch.set(details)
      }
      var segment = Recording.Segment()
      segment.append(batch, keepsChannels: true)
      return try TimedDrive(Recording(segments: [segment]), label: "\(number)")
    }
    let document = ComparisonDocument(try DriveComparison.compare(drives), traces: drives)
    let gap = try #require(GapPlot(document))
    return ChannelPlots(document, gap.distances).plots.map(\.name).filter { $0 != "speed" }
  }

  @Test("Names of channels are compared without case, blanks and underscores, and with their units")
  func spellings() throws {
    let rpm = ExtraValues.Name("Engine RPM", unit: "rpm")
    #expect(try plots([rpm], [ExtraValues.Name("engine_rpm", unit: "rpm")]) == ["Engine RPM"])
    #expect(try plots([rpm], [ExtraValues.Name("engine rpm", unit: "rpm")]) == ["Engine RPM"])
    #expect(try plots([rpm], [ExtraValues.Name("engine_rpm")]) == [])
    #expect(try plots([rpm], [ExtraValues.Name("rpm", unit: "rpm")]) == [])
    // Two channels of one drive that differ only in their case are not the same.
    let (temp, other) = (ExtraValues.Name("Temp"), ExtraValues.Name("temp"))
    #expect(try plots([temp, other], [other, temp]) == ["Temp", "temp"])
    #expect(try plots([temp, other], [other]) == ["temp"])
  }

  @Test("The page has a choice of channels with escaped names, the speed first")
  func page() throws {
    let page = HTMLReport.text(of: try document())
    #expect(page.contains("<input type=\"radio\" name=\"channel\" id=\"channel-0\" checked>"))
    #expect(page.contains("<bdi>RPM &lt;engine&gt;</bdi>"))
    #expect(!page.contains("Boost"))
    #expect(page.ranges(of: "type=\"radio\"").count == 2)
  }

  @Test("A single channel has no choice, and drives without times have no plot")
  func single() throws {
    let origin = (0...100).map { Coordinate(latitude: 47, longitude: 8 + Double($0) * 2e-4) }
    func page(hasTimestamps: Bool) throws -> String {
      let drives = try [5.0, 6].enumerated().map { number, step in
        try TimedDrive(
          label: "\(number)", coordinates: origin, elapsed: origin.indices.map { Double($0) * step },
          hasTimestamps: hasTimestamps)
      }
      return HTMLReport.text(of: ComparisonDocument(try DriveComparison.compare(drives), traces: drives))
    }
    let timed = try page(hasTimestamps: true)
    #expect(timed.contains("Speed along the road") && !timed.contains("type=\"radio\""))
    #expect(!(try page(hasTimestamps: false)).contains("channels-title"))
  }

  @Test("A part of a drive has the values of its time")
  func part() throws {
    let drive = try drive("a", speed: 20, rpm: { 1000 + $0 })
    let part = try drive.part(from: 20, to: 50, label: "part")
    let trace = try #require(part.channels.first { $0.name == Self.rpm })
    let seconds = (0...30).map { Double($0) }
    #expect(trace.elapsed == seconds)
    let expected: [Double] = (20...50).map { 1000 + 20 * Double($0) }
    #expect(trace.values == expected)
  }

  @Test("The channels of a later file follow those of the first")
  func append() throws {
    var drive = try drive("a", speed: 20, rpm: { 1000 + $0 })
    drive.append(try self.drive("b", speed: 10, hasBoost: true, rpm: { 500 + 2 * $0 }), at: 110)
    let rpm = try #require(drive.channels.first { $0.name == Self.rpm })
    #expect(rpm.elapsed.count == 101 + 201)
    #expect(rpm.elapsed[101] == 110 && rpm.values[101] == 500)
    let boost = try #require(drive.channels.first { $0.name == Self.boost })
    #expect(boost.elapsed.first == 110 && boost.values.last == 200)
  }
}

import Foundation
import TestSupport
import Testing
import TrackArchives
import TrackFormats
import TrackModel
import TrackTransforms

@testable import BulkImport

@Suite("Conversions into one output")
struct TrackConversionTests {
  /// Converts files to `out.csv`. Returns its rows and the outcome.
  private func run(
    _ folder: TemporaryFolder, _ names: [String], _ change: (inout TrackConversion) -> Void = { _ in }
  ) throws -> (rows: [Substring], fault: TrackError?, messages: ConversionMessages, records: [InputRecord]) {
    var conversion = TrackConversion(to: .track(.csv))
    change(&conversion)
    let inputs = ConversionInput.sequence(
      [.files(names.map(folder.file))], EnumerationOptions(), progress: { NoProgress($0.count) },
      refusal: { (_) throws(TrackError) in })
    var messages = ConversionMessages()
    var records: [InputRecord] = []
    let fault = try conversion.run(inputs, output: folder.file("out.csv"), &messages, &records)
    let text = (try? folder.text("out.csv")) ?? ""
    return (Array(text.split(separator: "\n").dropFirst()), fault, messages, records)
  }

  @Test("Inputs are written in their order")
  func order() throws {
    try withFolder { folder in
      try folder.write(gpx(points: 3, day: 2), to: "a.gpx")
      try folder.write(gpx(points: 2, day: 1), to: "b.gpx")
      let result = try run(folder, ["a.gpx", "b.gpx"])
      #expect(result.rows.map { $0.contains("2024-05-02") } == [true, true, true, false, false])
      #expect(result.records.map(\.state) == [.converted, .converted])
      #expect(result.records.allSatisfy { $0.outputs == [folder.file("out.csv")] })
    }
  }

  @Test("Merged inputs become one track in the order of their first times")
  func merged() throws {
    try withFolder { folder in
      try folder.write(gpx(points: 3, day: 2), to: "a.gpx")
      try folder.write(gpx(points: 2, day: 1), to: "b.gpx")
      let result = try run(folder, ["a.gpx", "b.gpx"]) { $0.cleaning.merges = true }
      #expect(result.rows.map { $0.contains("2024-05-02") } == [false, false, true, true, true])
    }
  }

  @Test(
    "A damaged input is reported and its complete part is written; with strict reading nothing is written"
  )
  func damaged() throws {
    try withFolder { folder in
      try folder.write(String(gpx(points: 9).dropLast(60)), to: "a.gpx")
      try folder.write(gpx(points: 2, day: 2), to: "b.gpx")
      let result = try run(folder, ["a.gpx", "b.gpx"])
      #expect(result.fault != nil || !result.messages.warnings.warnings.isEmpty)
      #expect(result.rows.count > 2 && result.rows.count < 11)
      try FileManager.default.removeItem(atPath: folder.file("out.csv"))
      let strict = try run(folder, ["missing.gpx", "b.gpx"]) { $0.opening.isStrict = true }
      #expect(strict.fault?.code == .notFound)
      #expect(strict.rows.isEmpty)
      #expect(strict.records.map(\.state) == [.failed, .failed])
    }
  }

  @Test("If the changes remove all points, no output is written")
  func nothingLeft() throws {
    try withFolder { folder in
      try folder.write(gpx(), to: "a.gpx")
      expectError(.noTracks) {
        _ = try run(folder, ["a.gpx"]) {
          $0.cleaning.crop = .instants(from: Instant(microseconds: 4_000_000_000_000_000), to: nil)
        }
      }
      #expect(!FileManager.default.fileExists(atPath: folder.file("out.csv")))
    }
  }

  @Test("Relative times count from the given start, with which they can be cropped and merged")
  func relativeTimes() throws {
    try withFolder { folder in
      let table = (0..<10).map { "\($0).0,\(52 + Double($0) / 10_000),13\n" }.joined()
      try folder.write("Elapsed (s),Lat,Lng\n" + table, to: "a.csv")
      try folder.write(gpx(points: 2, day: 1), to: "b.gpx")
      // Two seconds after the points of the other file.
      let start = try #require(Instant(secondsSince1970: 1_714_543_923))  // 2024-05-01T06:12:03Z
      let merged = try run(folder, ["a.csv", "b.gpx"]) {
        $0.cleaning.pace.start = start
        $0.cleaning.merges = true
      }
      #expect(merged.fault == nil && merged.rows.count == 12)
      #expect(merged.rows.last?.contains("2024-05-01T06:12:12Z") == true, "\(merged.rows)")
      let cropped = try run(folder, ["a.csv"]) {
        $0.cleaning.pace.start = start
        $0.cleaning.crop = .instants(from: start.advanced(bySeconds: 4), to: nil)
      }
      #expect(cropped.fault == nil && cropped.rows.count == 6)
    }
  }

  @Test("The changes have a fixed order, and those after merging apply to all inputs together")
  func stages() {
    var cleaning = TrackCleaning()
    cleaning.simplify = 1
    cleaning.merges = true
    cleaning.shift = 60
    cleaning.privacy = [
      PrivacyStage.Circle(center: Coordinate(latitude: 52, longitude: 13), radius: 100)
    ]
    let names = { (stages: [any TrackStage]) in stages.map { "\(type(of: $0))" } }
    #expect(
      names(cleaning.stagesOfInputs) == ["SpreadTimesStage", "RepairStage", "KnownStartStage", "ShiftStage"])
    #expect(names(cleaning.stagesOfAll) == ["MergeStage", "PrivacyStage", "SimplifyStage"])
    // For drives the zones apply to each input, because the importer merges the tracks later.
    cleaning.isForDrives = true
    #expect(
      names(cleaning.stagesOfInputs)
        == ["SpreadTimesStage", "RepairStage", "KnownStartStage", "ShiftStage", "PrivacyStage"])
    // A single point between two zones is not merged.
    #expect(names(cleaning.stagesOfAll) == ["LonePointStage", "MergeStage", "SimplifyStage"])
  }
}

import Foundation
import Testing
import TrackModel

/// The figures of a file as defined by the shared corpus, from its table or from a document.
struct CorpusFigures: Sendable, CustomTestStringConvertible {
  let file: String
  /// Column → figure; `-` if the figure is not compared.
  private let columns: [String: String]
  var testDescription: String { file }

  /// Returns the table's rows for the files of a folder, or none without a corpus.
  static func all(in folder: String) -> [CorpusFigures] {
    let table = Fixture.shared.appending(path: "corpus/expected.tsv")
    guard let text = try? String(contentsOf: table, encoding: .utf8) else { return [] }
    let rows = text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let names = rows.first else { return [] }
    return rows.dropFirst().filter { $0.first?.hasPrefix(folder + "/") == true }.map { row in
      CorpusFigures(file: row[0], columns: Dictionary(zip(names, row)) { first, _ in first })
    }
  }

  func bytes() throws -> [UInt8] {
    Array(try Data(contentsOf: Fixture.shared.appending(path: "corpus/\(file)")))
  }

  /// Returns descriptions of the differences between a document and the table.
  ///
  /// - Parameter shared: The number of points that are once in the file and twice in the document.
  func differences(from document: TrackDocument, shared: Int = 0) -> [String] {
    let segments = document.tracks.flatMap(\.segments)
    var found: [String: String] = [
      "tracks": "\(document.tracks.count)", "segments": "\(segments.count)",
      "trackpoints": "\(segments.reduce(0) { $0 + $1.points.count } - shared)",
      "waypoints": "\(document.waypoints.count)", "routes": "\(document.routes.count)",
      "routepoints": "\(document.routes.reduce(0) { $0 + $1.points.count })",
    ]
    let points = segments.map(\.points).filter { !$0.isEmpty }
    let times = points.flatMap(\.times).filter { $0 != Instant.absent }
    found["timed_points"] = "\(times.count - shared)"
    found["first_time"] = times.first.map { ISO8601.text(Instant(microseconds: $0), decimals: 3) }
    found["last_time"] = times.last.map { ISO8601.text(Instant(microseconds: $0), decimals: 3) }
    var differences: [String] = []
    for (name, value) in found where columns[name] != "-" && columns[name] != value {
      differences.append("\(name): \(value), expected \(columns[name] ?? "")")
    }
    let first = points.first.map { $0.coordinate(at: 0) }
    let last = points.last.map { $0.coordinate(at: $0.count - 1) }
    for (name, value) in [
      ("first_lat", first?.latitude), ("first_lon", first?.longitude), ("last_lat", last?.latitude),
      ("last_lon", last?.longitude),
    ] {
      guard let text = columns[name], text != "-" else { continue }
      guard let value, let expected = Double(text), abs(value - expected) <= 1e-6 else {
        differences.append("\(name): \(value.map { "\($0)" } ?? "none"), expected \(text)")
        continue
      }
    }
    return differences
  }
}

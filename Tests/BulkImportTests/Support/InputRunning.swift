import Foundation
import TestSupport
import TrackArchives
import TrackFormats
import TrackModel

@testable import BulkImport

extension TemporaryFolder {
  /// Returns the objects in a file of JSON lines.
  func lines(_ name: String) throws -> [[String: Any]] {
    try text(name).split(separator: "\n").map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }
  }
}

/// Calls `body` with a temporary folder, and removes the folder afterwards.
func withFolder<Result>(_ body: (TemporaryFolder) throws -> Result) throws -> Result {
  let folder = try TemporaryFolder()
  return try withExtendedLifetime(folder) { try body(folder) }
}

/// Returns a GPX file with a track along a meridian and one point per second.
func gpx(latitude: Double = 52, points: Int = 10, day: Int = 1) -> String {
  let rows = (0..<points).map { index in
    let time = "2024-05-0\(day)T06:12:\(index < 10 ? "0" : "")\(index)Z"
    return "<trkpt lat=\"\(latitude + Double(index) * 0.0001)\" lon=\"13\"><time>\(time)</time></trkpt>"
  }
  return "<gpx version=\"1.1\" creator=\"test\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"
    + rows.joined() + "</trkseg></trk></gpx>"
}

/// A progress display that shows nothing.
struct NoProgress: InputProgress {
  let walk: EnumerationProgress
  let bytes: ByteProgress? = nil

  init(_ roots: Int) { walk = EnumerationProgress(roots: roots) }

  func addInput() {}
  func update() {}
  func end() {}
}

extension InputRun {
  /// Creates a run without a progress display.
  init(_ paths: [String], jobs: Int = 2) {
    self.init(paths: paths, progress: NoProgress(paths.count))
    self.jobs = jobs
  }
}

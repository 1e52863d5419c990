import Foundation

/// A program that reads tracks and is not ours, where it is installed.
package struct OtherProgram: Sendable {
  package let path: String

  /// Nil where no folder of `PATH` has it.
  package init?(_ name: String) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let candidates = folders.map { "\($0)/\(name)" }
    guard let path = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      return nil
    }
    self.path = path
  }

  package static let gpsbabel = OtherProgram("gpsbabel")
  package static let ogr2ogr = OtherProgram("ogr2ogr")
  /// A Python that knows gpxpy.
  package static let gpxpy: OtherProgram? = OtherProgram("python3").flatMap { python in
    python.run(["-c", "import gpxpy"]).status == 0 ? python : nil
  }

  /// Runs it to its end.
  ///
  /// - Returns: what it printed on standard output, and its exit status.
  package func run(_ arguments: [String]) -> (output: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return ("", -1) }
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: output, as: UTF8.self), process.terminationStatus)
  }
}

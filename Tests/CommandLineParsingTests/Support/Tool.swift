import Foundation

/// A program of the machine that a test asks about our output.
struct Tool {
  let path: String

  /// `nil` where the machine does not have it.
  init?(_ name: String) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    guard
      let path = folders.map({ "\($0)/\(name)" }).first(where: {
        FileManager.default.isExecutableFile(atPath: $0)
      })
    else { return nil }
    self.path = path
  }

  static func exists(_ name: String) -> Bool { Tool(name) != nil }

  struct Outcome: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs it with `input` in a file that it gets as its last argument. What it prints must fit into a pipe.
  func run(_ arguments: [String], input: String, in folder: URL? = nil) throws -> Outcome {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(input.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments + [file.path]
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    if let folder { process.currentDirectoryURL = folder }
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
      errors: String(decoding: complaints, as: UTF8.self))
  }
}

/// A folder that is gone when `body` is done.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

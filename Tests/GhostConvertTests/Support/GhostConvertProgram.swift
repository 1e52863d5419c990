import Foundation
import Testing

@testable import TestSupport

/// The built command, run as a process of its own.
enum GhostConvertProgram {
  struct Outcome {
    var status: Int32
    var output: Data
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
    var errorLines: [Substring] { errors.split(separator: "\n", omittingEmptySubsequences: true) }
  }

  enum Failure: Error, CustomStringConvertible {
    case notBuilt(searched: [String])
    case diedOfSignal(Int32, arguments: [String])

    var description: String {
      switch self {
      case .notBuilt(let folders):
        "no ghost-convert in \(folders.joined(separator: ", ")); swift build makes it"
      case .diedOfSignal(let signal, let arguments): "ghost-convert \(arguments) died of signal \(signal)"
      }
    }
  }

  /// Where the build put it: beside the test bundle, which is the running program on Linux and among its
  /// arguments on macOS.
  static func path() throws -> String {
    var folders: [String] = []
    for argument in CommandLine.arguments + [Bundle.main.executablePath ?? ""] {
      let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
      guard let bundle = parts.lastIndex(where: { $0.hasSuffix(".xctest") }) else { continue }
      folders.append(parts[..<bundle].joined(separator: "/"))
    }
    for folder in folders {
      let candidate = (folder.isEmpty ? "." : folder) + "/ghost-convert"
      if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
    }
    throw Failure.notBuilt(searched: folders)
  }

  /// Runs it in a folder.
  ///
  /// - Parameters:
  ///   - input: what it reads from standard input.
  ///   - output: a file or device to write standard output to, instead of gathering it.
  static func run(
    _ arguments: [String], in folder: URL, input: Data = Data(), output: String? = nil
  ) throws -> Outcome {
    try run(path: try path(), arguments, in: folder, input: input, output: output)
  }

  /// Runs a line of the shell, in which `$GHOST_CONVERT` is the command.
  static func shell(_ line: String, in folder: URL) throws -> Outcome {
    try run(path: "/bin/sh", ["-c", line], in: folder, input: Data(), output: nil)
  }

  private static func run(
    path: String, _ arguments: [String], in folder: URL, input: Data, output: String?
  ) throws -> Outcome {
    // Files instead of pipes: no amount of output can block.
    let scratch = try TemporaryFolder.make()
    defer { try? FileManager.default.removeItem(at: scratch) }
    let inputFile = scratch.appendingPathComponent("input")
    let outputFile = output.map { URL(fileURLWithPath: $0) } ?? scratch.appendingPathComponent("output")
    let errorFile = scratch.appendingPathComponent("errors")
    try input.write(to: inputFile)
    try Data().write(to: errorFile)
    if output == nil { try Data().write(to: outputFile) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "COLUMNS": "80", "LC_ALL": "C",
      "TZ": "UTC",
      "GHOST_CONVERT": try self.path(),
    ]
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .exit else {
      throw Failure.diedOfSignal(process.terminationStatus, arguments: arguments)
    }
    return Outcome(
      status: process.terminationStatus, output: output == nil ? try Data(contentsOf: outputFile) : Data(),
      errors: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self))
  }
}

import Foundation
import TestSupport
import Testing

/// The built command, run in a separate process.
enum GhostConvertProgram {
  enum Failure: Error, CustomStringConvertible {
    case notBuilt(searched: [String])

    var description: String {
      switch self {
      case .notBuilt(let folders):
        "no ghost-convert in \(folders.joined(separator: ", ")); swift build makes it"
      }
    }
  }

  /// Returns the path of the built program, which is in the folder of the test bundle. The bundle is the
  /// running program on Linux, and one of its arguments on macOS.
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

  /// Runs the program in a folder.
  ///
  /// - Parameters:
  ///   - input: the standard input.
  ///   - output: a file or device for standard output, which is otherwise collected.
  static func run(
    _ arguments: [String], in folder: URL, input: Data = Data(), output: String? = nil
  ) throws -> OtherProgram.Outcome {
    try run(path: try path(), arguments, in: folder, input: input, output: output)
  }

  /// Runs a shell command line, in which `$GHOST_CONVERT` is the program.
  static func shell(_ line: String, in folder: URL) throws -> OtherProgram.Outcome {
    try run(path: "/bin/sh", ["-c", line], in: folder, input: Data(), output: nil)
  }

  private static func run(
    path: String, _ arguments: [String], in folder: URL, input: Data, output: String?
  ) throws -> OtherProgram.Outcome {
    let environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "COLUMNS": "80", "LC_ALL": "C",
      "TZ": "UTC",
      "GHOST_CONVERT": try self.path(),
    ]
    return try OtherProgram(path: path)
      .run(
        arguments, in: folder, input: input, environment: environment.merging(instrumentation) { $1 },
        output: output)
  }

  /// The variables of sanitizers and of coverage, which apply to the program as well.
  ///
  /// Without a name for its profile, a program with coverage would write one to its working folder. All runs
  /// of the program add to two profiles.
  private static let instrumentation: [String: String] = {
    let all = ProcessInfo.processInfo.environment
    var kept = all.filter { $0.key.hasSuffix("SAN_OPTIONS") }
    if let profile = all["LLVM_PROFILE_FILE"] {
      kept["LLVM_PROFILE_FILE"] =
        URL(filePath: profile).deletingLastPathComponent().path(percentEncoded: false)
        + "program-%2m.profraw"
    }
    return kept
  }()
}

extension OtherProgram.Outcome {
  var errorLines: [Substring] { errors.split(separator: "\n", omittingEmptySubsequences: true) }
}

import Foundation

/// Other programs that read libraries, where they are installed.
enum Tool {
  static func path(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static func has(_ name: String) -> Bool { path(name) != nil }

  /// Runs a program and gives what it printed on both outputs.
  static func run(_ name: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path(name) ?? name)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  @discardableResult
  static func sqlite(_ path: String, _ sql: String) throws -> String {
    try run("sqlite3", [path, sql]).trimmingCharacters(in: .newlines)
  }
}

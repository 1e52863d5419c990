import Foundation

/// A program of the system that reads what we write: an independent witness, where it is installed.
struct Program: Sendable {
  let path: String?

  init(_ name: String) {
    path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private init(path: String) {
    self.path = FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }

  var isInstalled: Bool { path != nil }

  static let ogrinfo = Program("ogrinfo")
  static let gpsbabel = Program("gpsbabel")
  static let unzip = Program("unzip")
  static let xmllint = Program("xmllint")
  /// The checker of the shared schemas beside the package.
  static let schemas = Program(
    path: URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../../shared/schemas/validate"
    )
    .standardized.path(percentEncoded: false))

  /// Runs it and gives what it printed, errors included.
  func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: path ?? "")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}

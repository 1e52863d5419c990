package import Foundation

/// Another program on this computer, used for independent checks.
package struct OtherProgram: Sendable {
  /// The path, or nil if the program is not installed.
  package let path: String?

  /// Finds a program in the folders of `PATH`.
  package init(_ name: String) {
    path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  package init(path: String) {
    self.path = FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }

  package var isInstalled: Bool { path != nil }

  package static let gpsbabel = OtherProgram("gpsbabel")
  package static let ogr2ogr = OtherProgram("ogr2ogr")
  package static let ogrinfo = OtherProgram("ogrinfo")
  package static let sqlite3 = OtherProgram("sqlite3")
  package static let unzip = OtherProgram("unzip")
  /// A Python that has gpxpy.
  package static let gpxpy: OtherProgram = {
    let python = OtherProgram("python3")
    return (try? python.run(["-c", "import gpxpy"]))?.status == 0 ? python : OtherProgram(path: "")
  }()
  /// The validator of the shared schemas next to the package, which requires xmllint.
  package static let schemas = OtherProgram(
    path: OtherProgram("xmllint").isInstalled
      ? TemporaryFolder.packageRoot.appending(path: "../shared/schemas/validate").standardized
        .path(percentEncoded: false) : "")

  package struct Outcome: Sendable, Hashable {
    package var status: Int32
    /// The standard output.
    package var output: Data
    package var errors: String

    package var text: String { String(decoding: output, as: UTF8.self) }
    package var isSilentSuccess: Bool { status == 0 && output.isEmpty && errors.isEmpty }
  }

  package enum Failure: Error {
    case notInstalled
    case diedOfSignal(Int32, arguments: [String])
  }

  /// Runs the program and waits for its end.
  ///
  /// - Parameters:
  ///   - input: The standard input.
  ///   - environment: The environment, or nil for that of the tests.
  ///   - output: A file or device for standard output, which is then not returned.
  package func run(
    _ arguments: [String], in folder: URL? = nil, input: Data = Data(), environment: [String: String]? = nil,
    output: String? = nil
  ) throws -> Outcome {
    guard let path else { throw Failure.notInstalled }
    // Files instead of pipes, so that large output cannot block.
    let scratch = try TemporaryFolder()
    let outputFile = output ?? scratch.file("output")
    try scratch.write([UInt8](input), to: "input")
    try scratch.write("", to: "errors")
    if output == nil { try scratch.write("", to: "output") }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder }
    if let environment { process.environment = environment }
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: scratch.file("input")))
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: outputFile))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: scratch.file("errors")))
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .exit else {
      throw Failure.diedOfSignal(process.terminationStatus, arguments: arguments)
    }
    return Outcome(
      status: process.terminationStatus,
      output: output == nil ? try Data(contentsOf: URL(filePath: outputFile)) : Data(),
      errors: try scratch.text("errors"))
  }

  /// Runs the program and returns its standard output followed by its standard error.
  package func printed(_ arguments: [String]) throws -> String {
    let outcome = try run(arguments)
    return outcome.text + outcome.errors
  }

  /// Runs SQL on a database and returns sqlite3's output.
  @discardableResult
  package static func sqlite(_ path: String, _ sql: String) throws -> String {
    try sqlite3.printed([path, sql]).trimmingCharacters(in: .newlines)
  }
}

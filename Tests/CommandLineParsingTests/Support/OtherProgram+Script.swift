import Foundation

@testable import TestSupport

extension OtherProgram {
  /// Runs the program with a file that contains `script` as its last argument.
  func run(_ arguments: [String], script: String, in folder: URL? = nil) throws -> Outcome {
    let scratch = try TemporaryFolder()
    return try withExtendedLifetime(scratch) {
      try run(arguments + [scratch.write(script, to: "script")], in: folder)
    }
  }
}

import TrackModel

/// Exit statuses from sysexits(3).
enum ExitStatus {
  static let success: Int32 = 0
  static let usage: Int32 = 64
  static let dataError: Int32 = 65
  static let noInput: Int32 = 66
  static let cannotCreate: Int32 = 73
  static let inputOutputError: Int32 = 74

  /// Returns the exit status for an error.
  static func of(_ error: TrackError) -> Int32 {
    switch error.code {
    case .usage: usage
    case .notFound, .unreadable: noInput
    case .notCreatable: cannotCreate
    case .unwritable, .noSpace: inputOutputError
    default: dataError
    }
  }

  /// Runs the body of a command, and reports its error.
  ///
  /// - Parameters:
  ///   - name: the name of the file in the error, or nil to keep that of the error.
  ///   - isJSON: whether the error is also printed as a JSON record.
  /// - Returns: the exit status of the body or for the error.
  static func reporting(
    in name: String? = nil, isJSON: Bool = false, _ body: () throws(TrackError) -> Int32
  ) -> Int32 {
    do throws(TrackError) { return try body() } catch {
      let error = name.map { error.inFile($0) } ?? error
      Console.report(error)
      if isJSON { Console.print(JSONValue.failure(error, of: error.file)) }
      return of(error)
    }
  }
}

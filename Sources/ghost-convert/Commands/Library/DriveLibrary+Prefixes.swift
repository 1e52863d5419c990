import DriveLibrary
import TrackModel

extension DriveLibrary {
  /// Returns the drives whose ids begin with the given texts.
  ///
  /// - Throws: the last error. The others have been reported.
  func drives(withPrefixes prefixes: [String]) throws(TrackError) -> [LibraryDrive] {
    var problems: [TrackError] = []
    let drives = try drives(withPrefixes: prefixes) { problems.append($0) }
    if let last = problems.popLast() {
      for problem in problems { Console.report(problem) }
      throw last
    }
    return drives
  }
}

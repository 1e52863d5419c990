import BulkImport
import TrackModel

extension InputProtection {
  /// Checks outputs, and a library that drives are added to, and reports the first one that must not be
  /// written.
  ///
  /// - Returns: the exit status of the command, or nil if all may be written.
  func status(of outputs: [String?], library: String? = nil) -> Int32? {
    do throws(TrackError) {
      try check(outputs)
      try check(library: library)
      return nil
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
  }
}

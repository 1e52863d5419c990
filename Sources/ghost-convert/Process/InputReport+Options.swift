import BulkImport
import CommandLineParsing
import TrackArchives
import TrackFormats
import TrackModel

extension InputReport {
  /// Starts the report of `--report`. Failures are printed.
  static func begin(_ path: String?) throws(TrackError) -> InputReport {
    try InputReport(path, hint: { $0.suggestion?.advice }, onFault: { Console.report($0) })
  }

  /// The exit status: that of a failure to write, or success.
  var status: Int32 { fault.map(ExitStatus.of) ?? ExitStatus.success }

  /// Checks the path of a report.
  ///
  /// - Throws: if the report would replace an input or an output of the command line.
  static func check(_ path: String?, inputs: [String], outputs: [String?]) throws(UsageError) {
    guard let path, path != "-" else { return }
    for (names, what) in [(inputs, "an input"), (outputs.compactMap(\.self), "an output")]
    where names.contains(where: { isSame($0, asReport: path) }) {
      throw UsageError("the report \(path) is \(what) as well", hint: "give the report another name")
    }
  }
}

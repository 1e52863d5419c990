package import TrackModel

extension LossReport {
  /// Returns the description of losses in messages, such as `not representable in GPX`.
  package static func description(in format: String) -> String {
    "not representable in \(format.uppercased())"
  }

  /// - Parameter warnings: the warnings of the writer with these losses.
  /// - Throws: `warning` if there is a warning or a loss.
  func check(_ warnings: [TrackWarning], in format: String) throws(TrackError) {
    if let warning = warnings.first { throw TrackError(.warning, warning.text) }
    if !isEmpty { throw TrackError(.warning, "\(LossReport.description(in: format)): \(text)") }
  }
}

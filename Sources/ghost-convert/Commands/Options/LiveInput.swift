import BulkImport
import LiveReceivers
import TrackFormats
import TrackModel

extension LiveFixes.Source {
  /// Returns the source of a file, a serial device or, with `-`, standard input.
  ///
  /// - Parameter baud: the speed of a serial device; nil leaves it unchanged.
  static func path(
    _ path: String, format: TrackFormat? = nil, baud: Int? = nil, isStrict: Bool = false
  ) -> LiveFixes.Source {
    var opening = TrackOpening()
    opening.format = format
    opening.isStrict = isStrict
    let open: LiveFixes.Opening = { [opening] input throws(TrackError) in
      try OpenInput(live: input, opening)
    }
    return SerialDevice.isOne(path) ? .device(path, baud: baud, open) : .file(path, open)
  }
}

extension LiveFixes.Outage {
  /// The message at its beginning.
  var text: String {
    switch self {
    case .device(let path): "\(path) is unavailable, waiting for it"
    case .daemon(let reason): "\(reason), retrying"
    }
  }

  /// The message at its end.
  var endText: String {
    switch self {
    case .device(let path): "\(path) is available again"
    case .daemon: "gpsd is available again"
    }
  }
}

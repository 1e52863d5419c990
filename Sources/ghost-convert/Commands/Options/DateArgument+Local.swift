import CommandLineParsing
import TrackModel

extension DateArgument {
  /// The start of the range in the time zone of the output.
  var localBegin: Instant { local(begin) }
  /// The end of the range (exclusive) in the time zone of the output.
  var localEnd: Instant { local(end) }

  private func local(_ instant: Instant) -> Instant {
    guard !hasZone else { return instant }
    let near = instant.advanced(bySeconds: -Double(LocalTime.offset(at: instant))) ?? instant
    return instant.advanced(bySeconds: -Double(LocalTime.offset(at: near))) ?? instant
  }
}

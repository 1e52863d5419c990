import CommandLineParsing
import TrackModel

extension DateArgument {
  /// The start of the range in the time zone of the output; the earlier one if clocks are set back and it
  /// occurs twice.
  var localBegin: Instant { localBegins[0] }
  /// The start of the range in the time zone of the output; the later one if it occurs twice.
  var latestLocalBegin: Instant { localBegins[localBegins.count - 1] }
  /// The one or two starts of the range in the time zone of the output, in ascending order.
  var localBegins: [Instant] { hasZone ? [begin] : LocalTime.instants(ofLocal: begin) }

  /// The end of the range (exclusive) in the time zone of the output. A day ends when the next one begins
  /// for the first time.
  var localEnd: Instant {
    if hasZone { return end }
    let length = end.microseconds - begin.microseconds
    return length < CivilCalendar.dayLength
      ? Instant(microseconds: latestLocalBegin.microseconds + length) : LocalTime.instants(ofLocal: end)[0]
  }
}

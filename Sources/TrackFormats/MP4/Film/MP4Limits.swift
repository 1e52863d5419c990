/// The limits that bound the memory and the time for reading a film.
struct MP4Limits: Sendable {
  /// The number of fixes that are buffered until the end of the film.
  var fixCount = 1 << 18
  /// The number of boxes.
  var boxCount = 10_000
  /// The size of the sentences in bytes, which are for hours of film.
  var textSize = 1 << 23
  /// The number of numbers in a table, which are for hours of film.
  var tableCount = 1 << 18
  /// The number of texts that are deciphered together: 18 hours.
  var letterCount = 1 << 16
  /// The number of parts of a trailer.
  var partCount = 1000
}

import TrackModel

extension TrackFormat {
  /// Recordings of the OwnTracks Recorder, and location messages in JSON. Read only.
  public static let owntracks = TrackFormat(
    name: "owntracks", title: "OwnTracks recordings and location messages", fileExtensions: ["rec"],
    recognizes: { $0.holdsOwnTracks },
    reading: { input, options in
      var input = input
      if input.opening.startsWithJSON {
        return LogReader(OwnTracksDocument(input, options: options), options: options)
      }
      return LogReader(OwnTracksLines(input, options: options), options: options)
    },
    writing: nil)
}

extension FileOpening {
  /// Whether the opening has a message of OwnTracks: on a line after its time and kind, or in JSON.
  var holdsOwnTracks: Bool {
    guard rootElement == nil, bytes.contains(UInt8(ascii: "{")) else { return false }
    if !startsWithJSON {
      let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
      return lines.contains { line in
        OwnTracksLines.message(Array(line).span).map {
          line.dropFirst($0.lowerBound).first == UInt8(ascii: "{")
        }
          == true
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains("\"_type\"")
      && (text.contains("\"tst\"") || text.contains("\"encrypted\"") && text.contains("\"data\""))
  }

  /// Whether the first character other than white space begins an object or an array.
  fileprivate var startsWithJSON: Bool {
    guard let first = bytes.first(where: { $0 > 0x20 }) else { return false }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

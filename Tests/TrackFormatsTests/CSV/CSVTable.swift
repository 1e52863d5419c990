import TrackModel

@testable import TrackFormats

extension Transcript {
  /// Reads a table.
  init(
    csv bytes: [UInt8], chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false,
    columns: CSVColumns = CSVColumns()
  ) {
    var reader = CSVReader(
      ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions(isStrict: isStrict), columns: columns)
    self.init(reading: &reader, capacity: capacity)
  }

  init(csv text: String, isStrict: Bool = false, columns: CSVColumns = CSVColumns()) {
    self.init(csv: Array(text.utf8), isStrict: isStrict, columns: columns)
  }
}

/// CSV tables for tests.
enum CSVTable {
  /// Returns the points and waypoints of a table, one per line.
  static func points(_ text: String, _ columns: CSVColumns = CSVColumns()) -> [String] {
    let transcript = Transcript(csv: text, columns: columns)
    return transcript.points + (transcript.error.map { ["error \($0)"] } ?? []) + transcript.violations
  }

  /// Returns the warnings of a table as text.
  static func warnings(_ text: String, _ columns: CSVColumns = CSVColumns()) -> [String] {
    Transcript(csv: text, columns: columns).warnings.map(\.description)
  }

  static func errorText(_ text: String, _ columns: CSVColumns = CSVColumns()) -> String? {
    Transcript(csv: text, columns: columns).error?.description
  }

  /// Returns a document written as CSV.
  static func written(
    _ document: TrackDocument, capacity: Int = 64
  ) throws(TrackError) -> (bytes: [UInt8], losses: LossReport) {
    var reader = TrackDocumentReader(document)
    var writer = CSVWriter(ByteSink())
    try Conversion.copy(&reader, to: &writer, capacity: capacity)
    return (writer.bytes, writer.losses)
  }

  /// Returns a document as text, for readable failures.
  static func text(of document: TrackDocument) -> String {
    var reader = TrackDocumentReader(document)
    return Transcript(reading: &reader).text
  }

  static func document(_ bytes: [UInt8]) throws(TrackError) -> TrackDocument {
    var reader = CSVReader(ByteInput(bytes: bytes))
    return try TrackDocument(reading: &reader)
  }

  /// Tables in which chunks can end in quotes, line ends of all kinds, comments, and late kinds of rows.
  static let samples: [Sample] = [
    Sample("plain", "time,lat,lon\n2024-05-01T10:00:00Z,47.5,8.25\n2024-05-01T10:00:01Z,47.5001,8.2502\n"),
    Sample("carriage returns", "lat;lon;name\r\n47,5;8,25;\"a;b\"\r\n47,6;8,5;\"c\r\nd\"\r\n"),
    Sample("carriage returns alone", "lat,lon\r1,2\r3,4\r"),
    Sample("no end", "lat,lon,ele\n1,2,3\n4,5,6"),
    Sample(
      "quotes",
      "name,lat,lon,time\n\"say \"\"hi\"\"\",1,2,2024-05-01T10:00:00Z\n"
        + "\"\",3,4,2024-05-01T10:00:00\nx\"y,5,6,\n"
    ),
    Sample("a byte order mark", "\u{FEFF}lat,lon\n1,2\n"),
    Sample(
      "UTF-16LE", Sample.utf16("lat\tlon\tname\ttime\n1\t2\tZürich 🚗\t2024-05-01T10:00:00Z\n", isBig: false)),
    Sample(
      "UTF-16BE without a mark", Sample.utf16("lat,lon,name,time\n1,2,é,\n", isBig: true, hasMark: false)),
    Sample("UTF-16 that breaks off", Array(Sample.utf16("lat,lon\n1,2\n3,4", isBig: false).dropLast())),
    Sample("Latin-1", Sample.latin1("Breite;Länge;Name;Zeit\n47,5;8,5;Zürich;\n")),
    Sample("comments", "# made by hand\nsome title\nlat,lon\n1,2\n# between\n\n3,4\n,,,\n"),
    Sample(
      "kinds",
      "kind,track,segment,lat,lon\ntrackpoint,1,1,1,1\ntrackpoint,1,1,2,2\n"
        + "waypoint,,,9,9\ntrackpoint,1,2,3,3\ntrackpoint,2,1,4,4\nroutepoint,1,,5,5\nwaypoint,,,8,8\n"
    ),
    Sample(
      "flaws", "lat,lon,ele,time\n91,2,3,\n1,x,2,\n1,2,high,yesterday\n,,5,\n3,4\n5,6,7,2024-05-01,more\n"),
    Sample("a cut row", "lat,lon,ele\n1,2,3\n4,5"),
    Sample("a cut quote", "lat,lon,name,time\n1,2,a,2024-05-01T10:00:00Z\n4,5,\"b,2024"),
    Sample("an ambiguous date behind good ones", "lat,lon,date\n1,2,2024-05-01\n1,3,03/04/2024\n"),
    Sample(
      "alternating tracks",
      "vehicle_id,lat,lon\nA,1,2\nB,3,4\n# note\r\n\nA,5,6\n\"B\",\"7\",8\nvehicle_id,lat,lon\nA,x,1\nB,9"),
    Sample("empty", ""),
    Sample("blank", " \n\n"),
    Sample("only a heading", "lat,lon\n"),
    Sample("no table", "Dear reader,\nthis is a letter.\n"),
    Sample("numbers alone", "47.5001,8.2501\n47.5002,8.2502\n"),
  ]
}

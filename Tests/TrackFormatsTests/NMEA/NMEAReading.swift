import TrackFormats
import TrackModel

/// NMEA logs for tests.
enum NMEASample {
  /// Returns a sentence with its checksum, the exclusive or of all bytes between `$` and `*`.
  static func sentence(_ text: String, delimiter: String = "$") -> String {
    let checksum = text.utf8.reduce(UInt8(0)) { $0 ^ $1 }
    let digits = String(checksum, radix: 16, uppercase: true)
    return delimiter + text + "*" + (digits.count < 2 ? "0" : "") + digits
  }

  /// Returns sentences with their checksums, one per line.
  static func log(_ sentences: String..., end: String = "\r\n") -> String {
    sentences.map { sentence($0) + end }.joined()
  }

  /// A log with all sentence types, two talkers, a second without a fix, and midnight.
  static let drive = log(
    "GPGSA,A,3,03,22,31,,,,,,,,,,1.6,0.9,1.3",
    "GPRMC,235957.00,A,4730.0000,N,00830.0000,E,10.0,090.0,311223,,,A",
    "GPGGA,235957.00,4730.0000,N,00830.0000,E,1,09,0.9,540.5,M,48.0,M,,", "GPVTG,090.0,T,,M,10.0,N,18.5,K,A",
    "GNRMC,235958.00,A,4730.0600,N,00830.0600,E,20.0,091.5,311223,2.0,W,D",
    "GNGGA,235958.00,4730.0600,N,00830.0600,E,2,11,0.8,541.5,M,48.0,M,1.5,0120",
    "GNRMC,235959.00,V,,,,,,,311223,,,N", "GNGGA,235959.00,,,,,0,00,99.99,,,,,,",
    "GNGGA,000000.00,4730.1200,N,00830.1200,E,1,10,0.8,542.5,M,48.0,M,,",
    "GNRMC,000000.00,A,4730.1200,N,00830.1200,E,0.0,,010124,,,A", "GPWPL,4700.000,N,00800.000,E,HOME",
    "GPGLL,4730.1800,N,00830.1800,E,000001.00,A,A", "GPZDA,000001.00,01,01,2024,00,00")
}

extension Transcript {
  /// Reads an NMEA log.
  init(
    nmea bytes: [UInt8], chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false
  ) {
    var reader = NMEAReader(
      ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions(isStrict: isStrict))
    self.init(reading: &reader, capacity: capacity)
  }

  init(nmea text: String, chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false) {
    self.init(nmea: Array(text.utf8), chunk: chunk, capacity: capacity, isStrict: isStrict)
  }
}

import Foundation

/// NMEA sentences for tests of the commands.
enum NMEAText {
  /// Returns a sentence with its checksum, the exclusive or of all bytes between `$` and `*`.
  static func sentence(_ text: String) -> String {
    "$\(text)*" + String(format: "%02X", text.utf8.reduce(0, ^)) + "\r\n"
  }

  /// Returns RMC and GGA for a second after 12:00:00 on 1 May 2024, `metres` north of 46.5° N, 7.5° E.
  ///
  /// - Parameter metres: the distance. A degree is 111,194.9 m, as on a sphere with a radius of 6371 km.
  static func fix(_ second: Int, metres: Double, hdop: Double = 0.9, deviations: String? = nil) -> String {
    let minutes = (0.5 + metres / 111_194.9) * 60
    let place = "46\(minutes < 10 ? "0" : "")\(String(format: "%.5f", minutes)),N,00730.00000,E"
    let time = String(format: "12%02d%02d", second / 60, second % 60)
    return sentence("GPRMC,\(time),A,\(place),,,010524,,,A")
      + sentence("GPGGA,\(time),\(place),1,09,\(hdop),500.0,M,48.0,M,,")
      + (deviations.map { sentence("GPGST,\(time),1.0,,,,\($0),5.0") } ?? "")
  }

  /// The lines that `gpspipe -r` writes before the sentences.
  static let greeting = """
    {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
    {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyUSB0","driver":"NMEA0183"}]}
    {"class":"WATCH","enable":true,"json":false,"nmea":true,"raw":0}

    """

  /// Returns the report of gpsd for the same second.
  static func report(_ second: Int, metres: Double) -> String {
    let time = String(format: "2024-05-01T12:%02d:%02d.000Z", second / 60, second % 60)
    let latitude = String(format: "%.9f", 46.5 + metres / 111_194.9)
    return #"{"class":"TPV","mode":3,"time":"\#(time)","lat":\#(latitude),"lon":7.5,"eph":10.0}"# + "\n"
  }
}

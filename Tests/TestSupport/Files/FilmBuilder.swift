/// Builds films with sentences like those of BlackVue.
package enum FilmBuilder {
  /// Returns a film with a fix per second on the way to the north, at 11 m/s.
  ///
  /// - Parameters:
  ///   - seconds: the seconds with a fix, since 2024-05-17T06:00:00Z.
  ///   - longitudeMinutes: the minutes of the longitude.
  package static func film(
    _ seconds: ClosedRange<Int>, camera: String = "DR900S-2CH", longitudeMinutes: Int = 26
  ) -> [UInt8] {
    let sentences = seconds.map { second in
      let time = "06" + twoDigits(second / 60) + twoDigits(second % 60)
      let latitude = 10_000 + 6 * second
      let minutes = "\(latitude / 1000).\(String(latitude % 1000 + 1000).dropFirst())"
      let body = "GPRMC,\(time).00,A,46\(minutes),N,007\(longitudeMinutes).844,E,21.6,0.0,170524,,,A"
      let checksum = body.utf8.reduce(0) { $0 ^ $1 }
      return "[1715925600000]$\(body)*" + (checksum < 16 ? "0" : "") + String(checksum, radix: 16) + "\r\n"
    }
    let copyright = box("cprt", Array("Pittasoft Co., Ltd.;\(camera);1.00".utf8))
    let text = box("gps ", Array(sentences.joined().utf8))
    return box("ftyp", Array("mp41\0\0\0\0".utf8)) + box("free", copyright + text)
  }

  private static func twoDigits(_ number: Int) -> String { String(String(100 + number).dropFirst()) }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let size = content.count + 8
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(type.utf8) + content
  }
}

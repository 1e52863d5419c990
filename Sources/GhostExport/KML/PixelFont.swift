/// Letters of 5 by 7 pixels, the printable ones of ASCII.
enum PixelFont {
  /// Pixels from one letter to the next, and from one line to the next.
  static let advance = 6
  static let lineHeight = 10

  /// The rows of a letter from the top, seven bytes with the five pixels in their low bits, the left one highest;
  /// nil for what the font has not.
  static func rows(_ character: Character) -> [UInt8]? {
    guard let code = character.asciiValue, code >= 0x20, Int(code) - 0x20 < glyphs.count else { return nil }
    let glyph = glyphs[Int(code) - 0x20]
    return (0..<7).map { UInt8(truncatingIfNeeded: glyph >> ((6 - $0) * 8)) }
  }

  /// A text with letters that the font has: accents are left away, and what has no Latin letter under it is left out.
  static func drawable(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.isASCII, scalar.value >= 0x20, scalar.value < 0x7F {
        result.unicodeScalars.append(scalar)
      } else if let letter = letter(under: scalar) {
        result += letter
      }
    }
    let words = result.split(separator: " ").joined(separator: " ")
    return words
  }

  /// `e` for `é`, by the name that Unicode gives it: LATIN SMALL LETTER E WITH ACUTE.
  private static func letter(under scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "–", "—", "−": return "-"
    case "’", "‘": return "'"
    case "“", "”": return "\""
    case "…": return "..."
    case "ß": return "ss"
    case "æ", "Æ": return "ae"
    case "ø", "Ø": return "o"
    case "\u{A0}", "\u{202F}": return " "
    default: break
    }
    guard let name = scalar.properties.name else { return nil }
    let words = name.split(separator: " ")
    guard words.count > 5, words[0] == "LATIN", words[2] == "LETTER", words[3].count == 1, words[4] == "WITH"
    else { return nil }
    return words[1] == "CAPITAL" ? String(words[3]) : words[3].lowercased()
  }

  /// From the blank to the tilde, in the order of their codes.
  private static let glyphs: [UInt64] = [
    0x00_00_00_00_00_00_00, 0x04_04_04_04_04_00_04, 0x0A_0A_0A_00_00_00_00, 0x0A_0A_1F_0A_1F_0A_0A,  //  !"#
    0x04_0F_14_0E_05_1E_04, 0x18_19_02_04_08_13_03, 0x0C_12_14_08_15_12_0D, 0x04_04_08_00_00_00_00,  // $%&'
    0x02_04_08_08_08_04_02, 0x08_04_02_02_02_04_08, 0x00_04_15_0E_15_04_00, 0x00_04_04_1F_04_04_00,  // ()*+
    0x00_00_00_00_0C_04_08, 0x00_00_00_1F_00_00_00, 0x00_00_00_00_00_0C_0C, 0x00_01_02_04_08_10_00,  // ,-./
    0x0E_11_13_15_19_11_0E, 0x04_0C_04_04_04_04_0E, 0x0E_11_01_02_04_08_1F, 0x1F_02_04_02_01_11_0E,  // 0123
    0x02_06_0A_12_1F_02_02, 0x1F_10_1E_01_01_11_0E, 0x06_08_10_1E_11_11_0E, 0x1F_01_02_04_08_08_08,  // 4567
    0x0E_11_11_0E_11_11_0E, 0x0E_11_11_0F_01_02_0C, 0x00_0C_0C_00_0C_0C_00, 0x00_0C_0C_00_0C_04_08,  // 89:;
    0x02_04_08_10_08_04_02, 0x00_00_1F_00_1F_00_00, 0x08_04_02_01_02_04_08, 0x0E_11_01_02_04_00_04,  // <=>?
    0x0E_11_17_15_17_10_0E, 0x0E_11_11_1F_11_11_11, 0x1E_11_11_1E_11_11_1E, 0x0E_11_10_10_10_11_0E,  // @ABC
    0x1C_12_11_11_11_12_1C, 0x1F_10_10_1E_10_10_1F, 0x1F_10_10_1E_10_10_10, 0x0E_11_10_17_11_11_0F,  // DEFG
    0x11_11_11_1F_11_11_11, 0x0E_04_04_04_04_04_0E, 0x07_02_02_02_02_12_0C, 0x11_12_14_18_14_12_11,  // HIJK
    0x10_10_10_10_10_10_1F, 0x11_1B_15_15_11_11_11, 0x11_11_19_15_13_11_11, 0x0E_11_11_11_11_11_0E,  // LMNO
    0x1E_11_11_1E_10_10_10, 0x0E_11_11_11_15_12_0D, 0x1E_11_11_1E_14_12_11, 0x0F_10_10_0E_01_01_1E,  // PQRS
    0x1F_04_04_04_04_04_04, 0x11_11_11_11_11_11_0E, 0x11_11_11_11_11_0A_04, 0x11_11_11_15_15_15_0A,  // TUVW
    0x11_11_0A_04_0A_11_11, 0x11_11_11_0A_04_04_04, 0x1F_01_02_04_08_10_1F, 0x0E_08_08_08_08_08_0E,  // XYZ[
    0x00_10_08_04_02_01_00, 0x0E_02_02_02_02_02_0E, 0x04_0A_11_00_00_00_00, 0x00_00_00_00_00_00_1F,  // \]^_
    0x08_04_02_00_00_00_00, 0x00_00_0E_01_0F_11_0F, 0x10_10_16_19_11_11_1E, 0x00_00_0E_10_10_11_0E,  // `abc
    0x01_01_0D_13_11_11_0F, 0x00_00_0E_11_1F_10_0E, 0x06_09_08_1C_08_08_08, 0x00_0F_11_11_0F_01_0E,  // defg
    0x10_10_16_19_11_11_11, 0x04_00_0C_04_04_04_0E, 0x02_00_06_02_02_12_0C, 0x10_10_12_14_18_14_12,  // hijk
    0x0C_04_04_04_04_04_0E, 0x00_00_1A_15_15_11_11, 0x00_00_16_19_11_11_11, 0x00_00_0E_11_11_11_0E,  // lmno
    0x00_00_1E_11_1E_10_10, 0x00_00_0D_13_0F_01_01, 0x00_00_16_19_10_10_10, 0x00_00_0E_10_0E_01_1E,  // pqrs
    0x08_08_1C_08_08_09_06, 0x00_00_11_11_11_13_0D, 0x00_00_11_11_11_0A_04, 0x00_00_11_11_15_15_0A,  // tuvw
    0x00_00_11_0A_04_0A_11, 0x00_00_11_11_0F_01_0E, 0x00_00_1F_02_04_08_1F, 0x02_04_04_08_04_04_02,  // xyz{
    0x04_04_04_04_04_04_04, 0x08_04_04_02_04_04_08, 0x00_00_08_15_02_00_00,  // |}~
  ]
}

/// A value of a column or a parameter.
enum SQLiteValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  static func text(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
  static func real(_ number: Double?) -> SQLiteValue { number.map { .real($0) } ?? .null }
  static func integer(_ number: Int) -> SQLiteValue { .integer(Int64(number)) }

  /// The bytes that a row needs for it, without overhead.
  var size: Int {
    switch self {
    case .null: 0
    case .integer, .real: 8
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    }
  }
}

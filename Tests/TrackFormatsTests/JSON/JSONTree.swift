import Foundation
import TrackModel

@testable import TrackFormats

/// A JSON value as a tree, for comparing parsers.
indirect enum JSONTree: Equatable, CustomStringConvertible {
  case object([String: JSONTree])
  case array([JSONTree])
  case string(String)
  /// nil for a number out of range for a `Double`.
  case number(Double?)
  case bool(Bool)
  case null

  /// Reads exactly one text, as strictly as the lexer can.
  static func lexed(
    _ bytes: [UInt8], chunk: Int = ByteInput.defaultChunk, isStrict: Bool = true
  ) throws(TrackError) -> JSONTree {
    var lexer = JSONLexer(
      ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions(isStrict: isStrict))
    let tree = try JSONTree(&lexer)
    if try lexer.nextText() { throw lexer.expected("the end") }
    return tree
  }

  init(_ lexer: inout JSONLexer) throws(TrackError) {
    switch try lexer.kind() {
    case .object:
      var members: [String: JSONTree] = [:]
      try lexer.beginObject()
      while try lexer.nextMember() {
        let name = lexer.text
        members[name] = try JSONTree(&lexer)
      }
      self = .object(members)
    case .array:
      var elements: [JSONTree] = []
      try lexer.beginArray()
      while try lexer.nextElement() { elements.append(try JSONTree(&lexer)) }
      self = .array(elements)
    case .string: self = .string(try lexer.string())
    case .number: self = .number(try lexer.number())
    case .true:
      try lexer.literal()
      self = .bool(true)
    case .false:
      try lexer.literal()
      self = .bool(false)
    case .null:
      try lexer.literal()
      self = .null
    }
  }

  /// Reads the bytes with Foundation.
  static func foundation(_ bytes: [UInt8]) throws -> JSONTree {
    try JSONTree(JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
  }

  private init(_ value: Any) throws {
    switch value {
    case let value as String: self = .string(value)
    case let value as [Any]: self = .array(try value.map { try JSONTree($0) })
    case let value as [String: Any]: self = .object(try value.mapValues { try JSONTree($0) })
    case is NSNull: self = .null
    case let value as NSNumber:
      // Foundation represents Booleans as numbers with the C type `char`.
      let isBool = unsafe value.objCType.pointee == CChar(UInt8(ascii: "c"))
      self = isBool ? .bool(value.boolValue) : .number(value.doubleValue)
    default: throw CocoaError(.coderReadCorrupt)
    }
  }

  var description: String {
    switch self {
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \($0.value)" }
        .joined(separator: ", ") + "}"
    case .array(let elements): "[" + elements.map(\.description).joined(separator: ", ") + "]"
    case .string(let text): text.debugDescription
    case .number(let number): number.map { "\($0)" } ?? "beyond"
    case .bool(let value): "\(value)"
    case .null: "null"
    }
  }
}

/// A type that can be written as one argument: the value of an option, or an operand.
///
/// `String`, `Int`, `Double` and optionals of such types conform. An enumeration of strings conforms by
/// saying so:
///
/// ```swift
/// enum Timing: String, CaseIterable, ArgumentValue { case elapsed, moving }
/// ```
///
/// Its raw values then appear in the help, the completions and the error for a wrong value.
public protocol ArgumentValue: Sendable {
  /// Reads the value.
  ///
  /// - Throws: any error; its description follows "invalid value …:" on the error line, so it says what was
  ///   expected. ``InvalidValue`` is made for it.
  init(argument: String) throws

  /// How the value is written as an argument, to show it as a default; `nil` where nothing is to be shown.
  var argumentText: String? { get }

  /// Every value the type accepts, in the order to show them, when these are few; otherwise empty.
  static var argumentChoices: [String] { get }
}

/// Says what a value should have been: "expected a whole number".
public struct InvalidValue: Error, Equatable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

extension ArgumentValue {
  public var argumentText: String? { (self as? any CustomStringConvertible)?.description }
  public static var argumentChoices: [String] { [] }
}

extension String: ArgumentValue {
  public init(argument: String) { self = argument }
  public var argumentText: String? { isEmpty ? nil : self }
}

extension Int: ArgumentValue {
  public init(argument: String) throws {
    guard let value = Int(argument) else {
      let digits = argument.first.map { "+-".contains($0) } == true ? argument.dropFirst() : argument[...]
      let isTooLarge = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
      throw InvalidValue(isTooLarge ? "the number is too large" : "expected a whole number")
    }
    self = value
  }
}

/// A finite decimal number; an exponent is read, "nan", "inf" and hexadecimal digits are not.
extension Double: ArgumentValue {
  public init(argument: String) throws {
    guard argument.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let value = Double(argument)
    else {
      throw InvalidValue("expected a number")
    }
    guard value.isFinite else { throw InvalidValue("the number is too large") }
    self = value
  }

  /// Whole numbers are written without a fraction.
  public var argumentText: String? {
    Int(exactly: self).map(\.description) ?? description
  }
}

extension Optional: ArgumentValue where Wrapped: ArgumentValue {
  public init(argument: String) throws { self = .some(try Wrapped(argument: argument)) }
  public var argumentText: String? { flatMap(\.argumentText) }
  public static var argumentChoices: [String] { Wrapped.argumentChoices }
}

extension ArgumentValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  public init(argument: String) throws {
    guard let value = Self(rawValue: argument) else {
      throw InvalidValue("expected \(alternatives(Self.argumentChoices))")
    }
    self = value
  }

  public var argumentText: String? { rawValue }
  public static var argumentChoices: [String] { allCases.map(\.rawValue) }
}

/// "a", "a or b", "a, b or c".
func alternatives(_ words: [String]) -> String {
  guard words.count > 1, let last = words.last else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " or " + last
}

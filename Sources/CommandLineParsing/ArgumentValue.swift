/// A type that can be parsed from one argument: an option's value or an operand.
///
/// `String`, `Int`, `Double` and optionals of these types conform. An enumeration with string raw values
/// conforms by declaring it:
///
/// ```swift
/// enum Timing: String, CaseIterable, ArgumentValue { case elapsed, moving }
/// ```
///
/// Its raw values then appear in the help, the completions and the error for an invalid value.
package protocol ArgumentValue: Sendable {
  /// Parses the value.
  ///
  /// - Throws: any error, usually ``InvalidValue``. Its description follows "invalid value …:" on the error
  ///   line, so it should state what was expected.
  init(argument: String) throws

  /// The value as an argument, shown as the default in the help, or `nil` to show no default.
  var argumentText: String? { get }

  /// All accepted values in display order, which the help lists. An empty array if there are too many, or if
  /// the help of the option explains them.
  static var argumentChoices: [String] { get }

  /// The candidates that a shell offers for the value.
  static var argumentCompletion: Completion { get }
}

/// An error that states which value was expected, such as "expected a whole number".
package struct InvalidValue: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension ArgumentValue {
  package var argumentText: String? { (self as? any CustomStringConvertible)?.description }
  package static var argumentChoices: [String] { [] }
  package static var argumentCompletion: Completion { .none }
}

extension String: ArgumentValue {
  package init(argument: String) { self = argument }
  package var argumentText: String? { isEmpty ? nil : self }
}

extension Int: ArgumentValue {
  package init(argument: String) throws {
    guard let value = Int(argument) else {
      let digits = argument.first.map { "+-".contains($0) } == true ? argument.dropFirst() : argument[...]
      let isTooLarge = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
      throw InvalidValue(isTooLarge ? "the number is too large" : "expected a whole number")
    }
    self = value
  }
}

/// Accepts finite decimal numbers with an optional exponent, but not "nan", "inf" or hexadecimal digits.
extension Double: ArgumentValue {
  package init(argument: String) throws {
    guard argument.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let value = Double(argument)
    else {
      throw InvalidValue("expected a number")
    }
    guard value.isFinite else { throw InvalidValue("the number is too large") }
    self = value
  }

  /// Whole numbers are printed without a fraction.
  package var argumentText: String? {
    Int(exactly: self).map(\.description) ?? description
  }
}

extension Optional: ArgumentValue where Wrapped: ArgumentValue {
  package init(argument: String) throws { self = .some(try Wrapped(argument: argument)) }
  package var argumentText: String? { flatMap(\.argumentText) }
  package static var argumentChoices: [String] { Wrapped.argumentChoices }
  package static var argumentCompletion: Completion { Wrapped.argumentCompletion }
}

extension ArgumentValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  package init(argument: String) throws {
    guard let value = Self(rawValue: argument) else {
      throw InvalidValue("expected \(alternatives(Self.allCases.map(\.rawValue)))")
    }
    self = value
  }

  package var argumentText: String? { rawValue }
  package static var argumentChoices: [String] { allCases.map(\.rawValue) }
  package static var argumentCompletion: Completion { .values(allCases.map(\.rawValue)) }
}

/// "a", "a or b", "a, b or c".
func alternatives(_ words: [String]) -> String {
  guard words.count > 1, let last = words.last else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " or " + last
}

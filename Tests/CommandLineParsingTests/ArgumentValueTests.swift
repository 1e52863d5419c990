import Testing

@testable import CommandLineParsing

struct ArgumentValueTests {
  @Test(
    "Integers are read", arguments: [("0", 0), ("-7", -7), ("+7", 7), ("9223372036854775807", Int.max)])
  func integers(text: String, value: Int) throws {
    #expect(try Int(argument: text) == value)
  }

  @Test(
    "Text that is not an integer is rejected", arguments: ["", "-", "1.0", "1e3", " 1", "0x10", "1_000", "٣"])
  func badIntegers(text: String) {
    #expect(throws: InvalidValue("expected a whole number")) { try Int(argument: text) }
  }

  @Test("An integer beyond 64 bits is rejected", arguments: ["9223372036854775808", "-9223372036854775809"])
  func hugeIntegers(text: String) {
    #expect(throws: InvalidValue("the number is too large")) { try Int(argument: text) }
  }

  @Test("Decimal numbers are read", arguments: [("0", 0), ("-1.5", -1.5), ("+.5", 0.5), ("25e-2", 0.25)])
  func doubles(text: String, value: Double) throws {
    #expect(try Double(argument: text) == value)
  }

  @Test(
    "Text that is not a decimal number is rejected",
    arguments: ["", "nan", "inf", "-infinity", "0x1p3", "1,5", "1.5 ", "e", "."])
  func badDoubles(text: String) {
    #expect(throws: InvalidValue("expected a number")) { try Double(argument: text) }
  }

  @Test("A number that overflows is rejected")
  func hugeDouble() {
    #expect(throws: InvalidValue("the number is too large")) { try Double(argument: "1e999") }
  }

  @Test("An enumeration lists its accepted values")
  func enumerations() throws {
    #expect(try Shell(argument: "zsh") == .zsh)
    #expect(Shell.argumentChoices == ["bash", "zsh", "fish"])
    #expect(Shell?.argumentChoices == ["bash", "zsh", "fish"])
    #expect(Shell?.argumentCompletion == .values(["bash", "zsh", "fish"]))
    #expect(Int?.argumentCompletion == .none)
    #expect(throws: InvalidValue("expected bash, zsh or fish")) { try Shell?(argument: "csh") }
  }

  @Test("Defaults are shown in the syntax of arguments")
  func defaults() {
    #expect(15.0.argumentText == "15")
    #expect(0.5.argumentText == "0.5")
    #expect(3.argumentText == "3")
    #expect("".argumentText == nil)
    #expect("a".argumentText == "a")
    #expect(Int?.none.argumentText == nil)
    #expect(Int?(3).argumentText == "3")
    #expect(Shell.fish.argumentText == "fish")
    #expect(Double.infinity.argumentText == "inf")
  }

  @Test("Alternatives are joined with commas and 'or'")
  func alternativesText() {
    #expect(alternatives([]) == "")
    #expect(alternatives(["a"]) == "a")
    #expect(alternatives(["a", "b"]) == "a or b")
    #expect(alternatives(["a", "b", "c"]) == "a, b or c")
  }
}

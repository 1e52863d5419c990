import Testing

@testable import CommandLineParsing

struct SuggestionTests {
  @Test(
    "The distance counts insertions, deletions, substitutions and swaps",
    arguments: [
      ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "ab", 1),
      ("abc", "acb", 1), ("kitten", "sitting", 3), ("ca", "abc", 3), ("sunday", "saturday", 3),
    ])
  func distances(a: String, b: String, distance: Int) {
    #expect(editDistance(Array(a.utf8), Array(b.utf8)) == distance)
    #expect(editDistance(Array(b.utf8), Array(a.utf8)) == distance)
  }

  @Test(
    "The most similar name is suggested, if there is a similar one",
    arguments: [
      ("--cadance", "--cadence"), ("--CADENCE", "--cadence"), ("-cadence", "--cadence"),
      ("--cad", "--cadence"),
      ("--ouput", "--output"), ("--otuput", "--output"), ("--tags", "--tag"), ("--tog", "--tag"),
      ("--verbose", nil), ("--c", nil), ("--", nil), ("", nil), ("--out", nil), ("--outp", "--output"),
    ] as [(String, String?)])
  func suggestions(word: String, meant: String?) {
    let names = ["--cadence", "--output-folder", "--output", "--outline", "--tag", "--top"]
    #expect(suggestion(for: word, among: names) == meant)
  }

  @Test("No suggestions are searched for very long words")
  func long() {
    let word = String(repeating: "x", count: 100_000)
    #expect(suggestion(for: word, among: [word + "y"]) == nil)
  }
}

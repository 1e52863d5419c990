import Testing

@Suite("Names of public types")
struct TypeNamesTests {
  /// Names of types that lie in another type, where its name tells which one is meant.
  private static let nested: Set = ["Code", "Content", "Kind", "Segment", "Separator", "State", "Timing"]

  @Test("No public type name has two meanings")
  func unique() throws {
    var homes: [String: [String]] = [:]
    for file in try SourceTree.files() {
      let names = file.code.matches(
        of: #/public (?:final |indirect )*(?:struct|class|enum|protocol|typealias) (\w+)/#)
      for name in names { homes[String(name.output.1), default: []].append(file.path) }
    }
    let double = homes.filter { $0.value.count > 1 && !Self.nested.contains($0.key) }
    #expect(double.isEmpty, "\(double)")
  }
}

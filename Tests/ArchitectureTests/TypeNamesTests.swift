import Testing

@Suite("Names of public types")
struct TypeNamesTests {
  @Test("Each public type name is declared once")
  func unique() throws {
    var topLevel: [String: [String]] = [:]
    var nested: [String: [String]] = [:]
    for file in try SourceTree.files() {
      let types = file.code.matches(
        of: #/(?m)^( *)public (?:final |indirect )*(?:struct|class|enum|protocol|typealias) (\w+)/#)
      for type in types {
        let name = String(type.output.2)
        if type.output.1.isEmpty {
          topLevel[name, default: []].append(file.path)
        } else {
          // Nested types are distinguished by their outer types. A nested name conflicts only with a
          // top-level type of the same name.
          nested[name, default: []].append(file.path)
        }
      }
    }
    let double = topLevel.filter { $0.value.count > 1 || nested[$0.key] != nil }
    #expect(double.isEmpty, "\(double.mapValues { $0.count })")
    #expect(topLevel.count > 100)
  }
}

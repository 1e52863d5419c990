import Testing

@Suite("Names of public types")
struct TypeNamesTests {
  /// Types of SwiftUI, MapKit and Foundation. In a file that imports both, the name would be ambiguous.
  private static let namesOfSystem: Set = [
    "Animation", "Annotation", "Calendar", "Color", "Data", "Date", "Duration", "Form", "Grid", "Group",
    "Image",
    "Label", "Link", "List", "Locale", "Map", "Marker", "Measurement", "Menu", "Operation", "Path", "Process",
    "Progress", "Scene", "Section", "Shape", "State", "Stream", "Tab", "Table", "Text", "Timer", "Toggle",
    "Unit",
    "View", "Window",
  ]

  @Test("Each public type name is declared once, and is no common name of Apple's frameworks")
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
    #expect(Self.namesOfSystem.isDisjoint(with: topLevel.keys))
    #expect(topLevel.count > 100)
  }
}

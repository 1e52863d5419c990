import Testing

@testable import GhostExport

struct ReportResourcesTests {
  @Test("Modules become one script without imports and exports")
  func bundle() {
    let modules = [
      "export const one = 1;\n",
      "import { one } from \"./one.js\";\n\nexport function two() {\n  return one;\n}\n",
    ]
    #expect(
      ReportResources.bundle(modules)
        == "(() => {\n\"use strict\";\nconst one = 1;\n\n\nfunction two() {\n  return one;\n}\n\n})();")
  }

  @Test("No line of the script imports or exports, and nothing in page, styles or script ends its element")
  func embedded() {
    #expect(!ReportResources.script.contains(/(?m)^\s*(import|export)\b/))
    #expect(!ReportResources.script.contains("</"))
    #expect(!ReportResources.styles.contains("</"))
  }
}

import Foundation
import Testing

@testable import GhostExport

struct ReportResourcesTests {
  @Test("Modules are joined to one script without imports and exports")
  func bundle() {
    let modules = [
      "export const one = 1;\n",
      "import { one } from \"./one.js\";\n\nexport function two() {\n  return one;\n}\n",
    ]
    #expect(
      ReportResources.bundle(modules)
        == "(() => {\n\"use strict\";\nconst one = 1;\n\n\nfunction two() {\n  return one;\n}\n\n})();")
  }

  @Test("Each module follows the modules that it imports, and none is missing")
  func order() throws {
    var earlier: Set<String> = []
    for (name, source) in ReportResources.modules {
      for imported in source.matches(of: /(?m)^import .*"\.\/(.+)\.js";$/) {
        #expect(earlier.contains(String(imported.1)), "\(name) imports \(imported.1)")
      }
      earlier.insert(name)
    }
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/GhostExport/HTML/Resources").standardized
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
    let modules = files.filter { $0.hasSuffix(".js") }.map { String($0.dropLast(3)) }
    #expect(earlier == Set(modules))
  }

  @Test("The script contains no import or export, and script and styles cannot end their elements")
  func embedded() {
    #expect(!ReportResources.script.contains(/(?m)^\s*(import|export)\b/))
    #expect(!ReportResources.script.contains("</"))
    #expect(!ReportResources.styles.contains("</"))
    // Styles in SVG are XML.
    #expect(!ReportResources.imageStyles.contains(/[<&]/))
  }
}

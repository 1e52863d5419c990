import Foundation
import TestSupport
import Testing

@Suite("The doctor command", .waiting)
struct DoctorCommandTests {
  @Test("Versions, formats, limits and the environment are one object")
  func json() throws {
    try withFixtures { (folder) throws in
      let outcome = try GhostConvertProgram.run(["doctor", "--json"], in: folder.url)
      #expect(outcome.status == 0)
      let object = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
      let versions = try #require(object["versions"] as? [String: String])
      for name in ["ghost_convert", "libxml2", "libarchive", "zlib", "sqlite"] {
        let version = try #require(versions[name])
        #expect(version.wholeMatch(of: /[0-9]+(\.[0-9]+)+/) != nil, "\(name) \(version)")
      }
      let formats = try #require(object["formats"] as? [String: [String]])
      #expect(formats["read"]?.contains("fit") == true && formats["write"]?.contains("kmz") == true)
      // The values in the article about limits.
      let limits = try #require(object["limits"] as? [String: Int])
      #expect(limits["xml_depth"] == 256 && limits["xml_text_bytes"] == 16 << 20)
      #expect(limits["archive_depth"] == 6 && limits["drive_points"] == 10_000_000)
      #expect(object["environment"] is [String: Any] && object["optional_programs"] is [String: Any])
    }
  }

  @Test("The text has the same sections, with variables that are not set named as such")
  func text() throws {
    try withFixtures { (folder) throws in
      let text = try folder.shell("env -u GHOST_LIBRARY TZ=Asia/Tokyo \"$GHOST_CONVERT\" doctor").text
      #expect(text.hasPrefix("Versions\n  ghost-convert "))
      #expect(text.contains(/\n  GHOST_LIBRARY +not set\n/))
      #expect(text.contains(/\n  TZ +Asia\/Tokyo\n/))
    }
  }
}

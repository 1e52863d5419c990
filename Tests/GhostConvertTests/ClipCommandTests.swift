import Foundation
import Testing

@testable import TestSupport

@Suite("Films of one drive on the command line", .waiting)
struct ClipCommandTests {
  private func withClips(_ body: (TemporaryFolder) throws -> Void) throws {
    try withFixtures { folder throws in
      for day in ["day1", "day2"] {
        try folder.write(FilmBuilder.film(0...60), to: "\(day)/1.mp4")
        try folder.write(FilmBuilder.film(61...120), to: "\(day)/2.mp4")
      }
      try body(folder)
    }
  }

  @Test("A folder with the films of one drive can be compared")
  func comparison() throws {
    try withClips { folder throws in
      let outcome = try folder.run("compare", "day1", "day2", "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let drives = try #require(try jsonObject(outcome.output)["drives"] as? [[String: Any]])
      #expect(drives.map { $0["duration_s"] as? Double } == [120, 120])
    }
  }

  @Test("The summary of a folder joins its films like an import; films themselves have a summary each")
  func summaries() throws {
    try withClips { folder throws in
      for (paths, tracks) in [(["day1"], [1]), (["day1/1.mp4", "day1/2.mp4"], [1, 1])] {
        let outcome = try GhostConvertProgram.run(["info", "--json"] + paths, in: folder.url)
        let lines = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
        #expect(try lines.map { try jsonObject(Data($0.utf8))["tracks"] as? Int } == tracks)
      }
    }
  }

  @Test("Films can be kept separate")
  func separate() throws {
    try withClips { folder throws in
      for (options, count) in [([String](), 1), (["--separate-clips"], 2)] {
        let outcome = try GhostConvertProgram.run(
          ["convert", "day1", "--to", "gpx", "-o", "-"] + options, in: folder.url)
        #expect(
          String(decoding: outcome.output, as: UTF8.self).components(separatedBy: "<trk>").count == count + 1)
      }
    }
  }
}

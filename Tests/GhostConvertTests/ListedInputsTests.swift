import Foundation
import TestSupport
import Testing

/// Inputs whose paths are listed on standard input.
@Suite("Lists of inputs on the command line", .waiting)
struct ListedInputsTests {
  @Test("Listed paths are inputs, for all kinds of file names")
  func names() throws {
    try withFixtures("even.gpx") { (folder) throws in
      let names = ["  blank .gpx", "-", "break\nin it.gpx", "ends\r", "ä.gpx"]
      for name in names { try folder.write(folder.text("even.gpx"), to: name) }
      // Foundation cannot create a name that is not UTF-8, but the shell can.
      #expect(try folder.shell("cp even.gpx \"$(printf 'no\\377text.gpx')\"").status == 0)
      let lines =
        Data("  blank .gpx\r\n-\nends\r\nä.gpx\n".utf8) + Data("no".utf8) + [0xFF] + Data("text.gpx".utf8)
      let outcome = try folder.run("import", "--stdin-paths", "--output-directory", "o", input: lines)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.text.split(separator: "\n").count == 5)
      let zeros = Data("break\nin it.gpx\0ends\r\0".utf8)
      let other = try folder.run("import", "--stdin-paths", "-0", "--output-directory", "p", input: zeros)
      #expect(other.status == 0, "\(other.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/p").count == 2)
    }
  }

  @Test(
    "Without an output each drive is written next to its input, and an invalid path does not stop the others"
  )
  func beside() throws {
    try withFixtures("even.gpx", "commute.gpx") { (folder) throws in
      let outcome = try folder.run(
        "import", "--stdin-paths", input: Data("even.gpx\nmissing.gpx\n\ncommute.gpx\n".utf8))
      #expect(outcome.status == 66)
      #expect(outcome.errorLines.count == 2 && outcome.errors.contains("missing.gpx: no such file"))
      #expect(try folder.names() == ["commute.drive.json", "commute.gpx", "even.drive.json", "even.gpx"])
    }
  }

  @Test("Paths on standard input are recognized as a list, which is reported", arguments: ["\n", "\0"])
  func recognized(separator: String) throws {
    try withFixtures("even.gpx", "commute.gpx") { (folder) throws in
      let list = Data("commute.gpx\(separator)even.gpx\(separator)".utf8)
      let outcome = try folder.run("import", "-", "--output-directory", "o", input: list)
      #expect(outcome.status == 0)
      #expect(outcome.errorLines.count == 1 && outcome.errors.contains("contains paths"))
      let names = outcome.text.split(separator: "\n").map { $0.prefix(7) }
      #expect(names == ["commute", "even.gp"])
      let joined = try folder.run("convert", "-", "-o", "both.csv", input: list)
      #expect(joined.status == 0)
      // 42 and 31 points, and the header.
      #expect(try folder.text("both.csv").split(whereSeparator: \.isNewline).count == 42 + 31 + 1)
    }
  }

  @Test(
    "A recognized format and --from take precedence over a file named like the first line")
  func notRecognized() throws {
    try withFixtures("even.gpx") { (folder) throws in
      let heading = "time,lat,lon"
      try folder.write("x", to: heading)
      let table = heading + "\n2024-05-17T06:12:30Z,46.9,7.4\n2024-05-17T06:12:31Z,46.9001,7.4\n"
      #expect(try folder.run("info", "-", input: Data(table.utf8)).text.contains("standard input: csv"))
      let other = try folder.run("info", "--from", "gpx", "-", input: Data("even.gpx\n".utf8))
      #expect(other.status == 65 && !other.errors.contains("contains paths"))
      #expect(
        try folder.run("info", "-", input: Data("no such name\n".utf8)).errors.contains(
          "unsupported format"))
    }
  }

  @Test("A conversion of listed inputs replaces no file")
  func convertedInPlace() throws {
    try withFixtures("even.gpx") { (folder) throws in
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("sub"), withIntermediateDirectories: true)
      try folder.write(folder.text("even.gpx"), to: "sub/commute.gpx")
      try folder.write("kept", to: "commute.gpx")
      let outcome = try folder.run(
        "convert", "--stdin-paths", "--to", "gpx", "--output-directory", ".",
        input: Data("sub/commute.gpx\neven.gpx\n".utf8))
      #expect(outcome.status == 73)
      #expect(
        outcome.errors.contains("outputs are not replaced")
          && outcome.errors.contains("the output is also an input"))
      #expect(try folder.text("commute.gpx") == "kept")
    }
  }

  @Test(
    "A list together with an input operand or a single output, and --null without a list, are usage errors"
  )
  func usage() throws {
    try withFixtures("even.gpx") { (folder) throws in
      let list = Data("even.gpx\n".utf8)
      #expect(try folder.run("import", "--stdin-paths", "even.gpx", input: list).status == 64)
      #expect(try folder.run("import", "--stdin-paths", "-o", "a.json", input: list).status == 64)
      #expect(try folder.run("info", "-0", "even.gpx").status == 64)
      #expect(try folder.run("info").errors.contains("missing operand FILE"))
      #expect(try folder.run("import", "-", "-o", "a.json", input: list).status == 64)
      #expect(try folder.names() == ["even.gpx"])
    }
  }

  @Test("With --json each listed file is an object, even if it cannot be read")
  func information() throws {
    try withFixtures("even.gpx") { (folder) throws in
      let outcome = try folder.run(
        "info", "--stdin-paths", "--json", input: Data("nothing.gpx\neven.gpx\n".utf8))
      #expect(outcome.status == 66)
      let objects = try outcome.text.split(separator: "\n").map { try jsonObject(Data($0.utf8)) }
      #expect(objects.map { $0["source"] as? String } == ["nothing.gpx", "even.gpx"])
      #expect(objects.first?["state"] as? String == "failed")
    }
  }
}

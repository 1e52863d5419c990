import TestSupport
import Testing

@testable import CommandLineParsing

struct ManualPageTests {
  let page = Sample.program.manualPage(date: "2025-01-31")

  @Test("The page has the sections of man-pages(7) in order")
  func sections() {
    let lines = page.split(separator: "\n")
    #expect(lines.first == #".TH "TRACKS" "1" "2025\-01\-31" "tracks 1.2.3" "User Commands""#)
    #expect(
      lines.filter { $0.hasPrefix(".SH") } == [
        #".SH "NAME""#, #".SH "SYNOPSIS""#, #".SH "DESCRIPTION""#, #".SH "EXAMPLES""#, #".SH "OPTIONS""#,
        #".SH "COMMANDS""#, #".SH "EXIT STATUS""#,
      ])
    #expect(
      lines.filter { $0.hasPrefix(".SS") } == [#".SS "import""#, #".SS "script""#, #".SS "formats""#])
  }

  @Test("Subcommands follow their command, with their full names")
  func nested() {
    let lines = Sample.nested.manualPage(date: "2025-01-31").split(separator: "\n")
    #expect(
      lines.filter { $0.hasPrefix(".SS") } == [
        #".SS "import""#, #".SS "store""#, #".SS "store import""#, #".SS "store formats""#,
        #".SS "store shelf""#, #".SS "store shelf script""#,
      ])
    #expect(lines.contains(#"\fBtracks\fR store import [OPTION]... FILE..."#))
  }

  @Test("The manual page shows details after the discussion; the help omits them")
  func details() {
    let program = Sample.nested
    #expect(
      program.manualPage(date: "2025-01-31").contains(
        """
        .PP
        They lie in one file.
        .PP
        Each is a row of bytes.
        """))
    let store = program.commands.first { $0.name == "store" }
    #expect(store?.details == "Each is a row of bytes.")
    #expect(!program.helpText(for: store).contains("a row of bytes"))
  }

  @Test("Options are tagged paragraphs with bold names")
  func options() {
    #expect(
      page.contains(
        #"""
        .TP
        \fB\-o\fR, \fB\-\-output\fR \fIFILE\fR
        Where to write; \- is standard output.

        """#))
  }

  @Test("Characters with a meaning for troff are escaped")
  func escapes() {
    let odd = Program(
      name: "odd", version: "1", summary: "Odd", discussion: ".start 'quoted' \"twice\" \\n a~b^c`d µ 🚗",
      commands: [])
    #expect(
      odd.manualPage(date: "2025-01-31").contains(
        #"\&.start \(aqquoted\(aq \(dqtwice\(dq \en a\(tib\(hac\(gad \[u00B5] \[u1F697]"#))
  }

  @Test(
    "groff renders the page without a warning", .enabled(if: OtherProgram("groff").isInstalled, "needs groff")
  )
  func renders() throws {
    let groff = OtherProgram("groff")
    let outcome = try groff.run(["-ww", "-man", "-Tutf8", "-P-cbou"], script: page)
    #expect(outcome.errors == "")
    #expect(outcome.status == 0)
    // The rendered text contains every option of every command.
    for option in Sample.program.commands.flatMap(\.options) {
      #expect(outcome.text.contains(option.spellings.joined(separator: ", ")), "\(option.name)")
    }
    #expect(outcome.text.contains("tracks import [OPTION]... FILE..."))
    #expect(outcome.text.contains("  ride.gpx  ->  ride.drive.json"))
  }
}

import Testing

/// Only the program uses the environment, signals and terminals; it passes values to the libraries.
@Suite("Process state")
struct ProcessStateTests {
  /// Files that may use a terminal, because a serial line is a terminal.
  private static let serialLines: Set = ["LiveReceivers/SerialDevice.swift"]

  /// Files without these words are skipped, because matching the regular expressions is slow.
  private static let parts = [
    "getenv", "setenv", "putenv", "environment", "signal(", "sigaction", "sigwait", "sigmask", "raise(",
    "isatty", "tcsetattr", "tcgetattr", "TIOCGWINSZ",
  ]

  private static func uses(_ file: SourceTree.File) -> [String] {
    guard parts.contains(where: file.text.contains) else { return [] }
    let environment = #/\b(?:getenv|setenv|putenv|ProcessInfo[\w.]*\.environment)\b/#
    let signals = #/[^.\w](signal\(|sigaction\b|sigwait\b|pthread_sigmask\b|raise\()/#
    let terminals = #/\b(?:isatty|tcsetattr|tcgetattr|TIOCGWINSZ)\b/#
    let code = file.code
    var found = code.matches(of: environment).map { String($0.output) }
    found += code.matches(of: signals).map { String($0.output.1) }
    if !serialLines.contains(file.path) { found += code.matches(of: terminals).map { String($0.output) } }
    return found
  }

  @Test("Libraries do not read the environment, install signal handlers or change terminals")
  func libraries() throws {
    for file in try SourceTree.files() where file.target != "ghost-convert" {
      let uses = Self.uses(file)
      #expect(uses == [], "\(file.path)")
    }
  }

  @Test("Calls are found, but not comments, string literals or methods of the same names")
  func reading() {
    let file = SourceTree.File(
      path: "A/b.swift",
      text: """
        let folder = unsafe getenv("TMPDIR")
        _ = signal(SIGINT, SIG_DFL)
        semaphore.signal()  // isatty(1)
        let shell = ProcessInfo.processInfo.environment["SHELL"]
        let text = "tcsetattr"
        """)
    #expect(Set(Self.uses(file)) == ["getenv", "signal(", "ProcessInfo.processInfo.environment"])
  }
}

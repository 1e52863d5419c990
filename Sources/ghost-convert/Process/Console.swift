import Synchronization
import TrackFormats
import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Prints messages: errors as single lines on standard error, results on standard output.
enum Console {
  /// Whether writing to standard output has failed.
  private static let hasFailed = Atomic(false)

  private static let quiet = Atomic(false)

  /// Whether only errors are written to standard error: no warnings, notes or progress.
  static var isQuiet: Bool {
    get { quiet.load(ordering: .relaxed) }
    set { quiet.store(newValue, ordering: .relaxed) }
  }

  /// Prints a line on standard output. ``status(_:)`` reflects failures.
  static func print(_ line: String) {
    RunProgress.clear()
    if let reason = write(line + "\n", to: STDOUT_FILENO), !hasFailed.exchange(true, ordering: .relaxed) {
      complain("standard output: \(reason)")
    }
  }

  /// Prints a JSON value on a line of standard output, while it is made.
  static func print(_ value: JSONValue) {
    var isWriting = true
    value.writeLine { part in isWriting = isWriting && printLine(part) }
  }

  /// Prints bytes that end with a line feed on standard output. A failure is reported once and is reflected
  /// by ``status(_:)``.
  ///
  /// - Returns: whether the bytes were written.
  static func printLine(_ line: [UInt8]) -> Bool {
    RunProgress.clear()
    let reason = unsafe line.withUnsafeBufferPointer { unsafe write($0, to: STDOUT_FILENO) }
    if let reason, !hasFailed.exchange(true, ordering: .relaxed) { complain("standard output: \(reason)") }
    return reason == nil
  }

  /// Returns the exit status of a command: the given status, or that of a failure to print.
  static func status(_ status: Int32) -> Int32 {
    status == ExitStatus.success && hasFailed.load(ordering: .relaxed) ? ExitStatus.inputOutputError : status
  }

  /// Prints `ghost-convert: …` on standard error.
  static func complain(_ message: String) {
    RunProgress.clear()
    write("ghost-convert: \(Diagnostic.singleLine(message))\n", to: STDERR_FILENO)
  }

  /// Prints a warning or a note on standard error, unless ``isQuiet``.
  static func note(_ message: String) {
    if !isQuiet { complain(message) }
  }

  static func report(_ error: TrackError) { complain(error.text) }

  static func report(_ warnings: [TrackWarning], file: String) {
    var log = WarningLog()
    // Each track of a file can have the same warnings.
    if warnings.count > maximumWarnings { log.add(warnings) }
    for warning in log.warnings.isEmpty ? warnings : log.warnings { note(text(of: warning, file: file)) }
  }

  /// The number of warnings above which equal ones are counted.
  private static let maximumWarnings = 20

  /// Returns a warning on one line, with its location in the file.
  static func text(of warning: TrackWarning, file: String) -> String {
    let place = warning.place.line.map { ":\($0)" } ?? ""
    return "\(Diagnostic.singleLine(file))\(place): warning: \(warning.textWithAdvice)"
  }

  /// Whether standard error is a terminal.
  static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether progress is shown.
  static var showsProgress: Bool { isInteractive && !isQuiet }

  /// Whether a command prints its result as text besides outputs: not if one is standard output, nor if
  /// there are outputs and ``isQuiet``.
  static func printsText(besides outputs: [String]) -> Bool {
    !outputs.contains("-") && (outputs.isEmpty || !isQuiet)
  }

  /// Whether standard output is a terminal.
  static var printsToTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Writes a complete text, with as many calls as necessary.
  ///
  /// - Returns: the system's error message if writing failed.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> String? {
    var text = FileName.shown(text)
    return text.withUTF8 { unsafe write($0, to: descriptor) }
  }

  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> String? {
    var written = 0
    while written < bytes.count {
      let result = unsafe systemWrite(
        descriptor, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
      if result < 0, errno != EINTR { return TrackError.systemMessage() }
      written += max(result, 0)
    }
    return nil
  }
}

private func systemWrite(_ descriptor: Int32, _ start: UnsafePointer<UInt8>?, _ count: Int) -> Int {
  unsafe write(descriptor, start, count)
}

import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import TrackFormats
import TrackModel

@testable import LiveReceivers

@Suite("Live fixes", .waiting)
struct LiveFixesTests {
  private static let log = """
    $GPRMC,101500.00,A,4630.000,N,00730.000,E,10.0,90.0,170524,,,A*53\r
    $GPRMC,101501.00,A,4630.000,N,00730.100,E,10.0,90.0,170524,,,A*53\r

    """
  /// The longitude of the second fix of `log`.
  private static let secondLongitude = 7 + 30.1 / 60

  /// Waits for all events up to the end.
  private static func events(_ fixes: LiveFixes) -> [LiveFixes.Event] {
    var events: [LiveFixes.Event] = []
    while let event = fixes.next() {
      events.append(event)
      if case .end = event { break }
    }
    return events
  }

  @Test("The fixes of a file arrive in order, then the end without an error")
  func file() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.log, to: "log.nmea")
    let fixes = LiveFixes(.file(path) { input throws(TrackError) in NMEAReader(input) })
    let events = Self.events(fixes)
    let longitudes = events.compactMap { event in
      if case .fix(let fix) = event { fix.coordinate.longitude } else { nil }
    }
    #expect(longitudes.count == 2)
    #expect(longitudes.first == 7.5)
    #expect(abs((longitudes.last ?? 0) - Self.secondLongitude) < 1e-9)
    // Nothing follows the end, and reading on does not block.
    #expect(fixes.next() == nil)
    guard case .end(nil)? = events.last else {
      Issue.record("\(String(describing: events.last))")
      return
    }
  }

  private final class Counter: Sendable {
    let count = Mutex(0)
  }

  /// A receiver that delivers points without end.
  private struct EndlessReader: TrackReader, ~Copyable {
    let delivered: Counter
    private var second: Int64 = 0

    init(_ delivered: Counter) { self.delivered = delivered }

    var warnings: [TrackWarning] { [] }

    mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
      batch.removeAll()
      for _ in 0..<64 {
        second += 1
        batch.append(latitude: 47, longitude: 8, time: second * 1_000_000)
      }
      delivered.count.withLock { $0 += 64 }
      return .points
    }
  }

  @Test("A receiver waits for a program that is slower, and no fix is lost")
  func bounded() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("x", to: "log")
    let delivered = Counter()
    let fixes = LiveFixes(.file(path) { _ throws(TrackError) in EndlessReader(delivered) })
    var count: Int64 = 0
    for _ in 0..<3 {
      // It runs ahead by 4,096 fixes and two batches at most.
      Thread.sleep(forTimeInterval: 0.2)
      let limit = Int(count) + 4096 + 2 * 64
      #expect(delivered.count.withLock { $0 } <= limit)
      for _ in 0..<5000 {
        guard case .fix(let fix)? = fixes.next() else {
          Issue.record("no fix")
          return
        }
        count += 1
        #expect(fix.time.microseconds == count * 1_000_000)
      }
    }
  }

  @Test("Closing ends the fixes after those that have arrived, and the thread ends")
  func closing() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("x", to: "log")
    weak var released: LiveFixes?
    do {
      let fixes = LiveFixes(.file(path) { _ throws(TrackError) in EndlessReader(Counter()) })
      released = fixes
      #expect(fixes.next(within: 10) != nil)
      fixes.close()
      fixes.close()
      var count = 0
      var isAtEnd = false
      while !isAtEnd, let event = fixes.next(within: 10) {
        if case .end(nil) = event { isAtEnd = true } else { count += 1 }
      }
      #expect(isAtEnd)
      #expect(count <= 4096)
      #expect(fixes.next(within: 0) == nil)
    }
    for _ in 0..<500 where released != nil { Thread.sleep(forTimeInterval: 0.02) }
    #expect(released == nil)
  }

  @Test("A file that does not exist ends with its error")
  func missing() throws {
    let folder = try TemporaryFolder()
    let fixes = LiveFixes(.file(folder.file("log.nmea")) { input throws(TrackError) in NMEAReader(input) })
    guard case .end(let error?)? = Self.events(fixes).last else {
      Issue.record("no error")
      return
    }
    #expect(error.code == .notFound)
  }

  @Test("A log without dates has a number of undated positions instead of fixes")
  func undated() throws {
    let folder = try TemporaryFolder()
    let sentence = "$GPGLL,4630.000,N,00730.000,E,101500,A*2A\r\n"
    let path = try folder.write(
      sentence + sentence.replacing("101500,A*2A", with: "101501,A*2B"), to: "a.nmea")
    let events = Self.events(LiveFixes(.file(path) { input throws(TrackError) in NMEAReader(input) }))
    var undated = 0
    var warnings: [TrackWarning] = []
    for event in events {
      switch event {
      case .fix: Issue.record("a fix")
      case .undated(let count): undated += count
      case .warnings(let found): warnings += found
      default: break
      }
    }
    #expect(undated == 2)
    #expect(warnings.map(\.count) == [2])
  }

  // MARK: gpsd

  private static let greeting = """
    {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}

    """

  private static func report(_ longitude: Double) -> String {
    #"{"class":"TPV","mode":3,"time":"2024-05-01T12:00:00Z","lat":46.5,"lon":\#(longitude)}"# + "\n"
  }

  /// Returns the next events as text.
  private static func texts(_ fixes: LiveFixes, _ count: Int) -> [String] {
    (0..<count).map { _ in
      switch fixes.next(within: 30) {
      case .fix(let fix): "\(fix.coordinate.longitude)"
      case .unavailable(.daemon(let reason)): "unavailable: \(reason)"
      case .unavailable(.device): "unavailable"
      case .available: "available"
      case .warnings(let warnings): "\(warnings.count) warnings"
      case .end(let error): "end: \(error.map(\.code.description) ?? "none")"
      case .began, .undated, nil: "unexpected"
      }
    }
  }

  @Test("A lost connection to gpsd is reported once and opened again")
  func lostConnection() throws {
    let server = try LocalServer()
    let fixes = LiveFixes(.gpsd(host: "127.0.0.1", port: server.port))
    let first = try server.client()
    #expect(first.line() == #"?WATCH={"enable":true,"json":true};"#)
    first.send(Self.greeting + Self.report(7.5))
    first.end()
    #expect(Self.texts(fixes, 2) == ["7.5", "unavailable: gpsd closed the connection"])
    // gpsd restarts, and loses its receiver at once.
    let second = try server.client()
    #expect(second.line().hasPrefix("?WATCH"))
    second.send(Self.greeting)
    second.end()
    let third = try server.client()
    #expect(third.line().hasPrefix("?WATCH"))
    third.send(Self.greeting + Self.report(7.75))
    #expect(Self.texts(fixes, 2) == ["available", "7.75"])
  }

  @Test("A server that is not gpsd ends the fixes with a reason")
  func otherServer() throws {
    let server = try LocalServer()
    let fixes = LiveFixes(.gpsd(host: "127.0.0.1", port: server.port))
    let client = try server.client()
    _ = client.line()
    client.send("220 mail.example.org ESMTP\r\n")
    client.end()
    guard case .end(let error?)? = Self.events(fixes).last else {
      Issue.record("no error")
      return
    }
    #expect(error.code == .malformed && error.message == "the server is not gpsd")
  }

  @Test("An unknown host and a port without a server are errors of the first attempt")
  func noServer() throws {
    // A name cannot contain a blank.
    expectError(.notFound) { _ = try GPSDConnection.open(host: "no host") }
    let port = try LocalServer().port
    expectError(.unreadable) {
      _ = try GPSDConnection.open(host: "127.0.0.1", port: port)
    }
    #expect(Self.texts(LiveFixes(.gpsd(host: "127.0.0.1", port: port)), 1) == ["end: unreadable"])
  }

  @Test("A connection without data ends after the time of silence")
  func silence() throws {
    let server = try LocalServer()
    var input = try GPSDConnection.open(host: "127.0.0.1", port: server.port, silence: 1)
    let client = try server.client()
    client.send("{}\n")
    #expect(try input.fill())
    let error = #expect(throws: TrackError.self) { try input.fill(atLeast: 4) }
    #expect(error?.code == .unreadable && error?.message == "no data for too long")
    client.end()
  }

  // MARK: Serial devices

  private static func device(_ path: String, opened: DispatchSemaphore) -> LiveFixes.Source {
    .device(path, baud: 9600) { input throws(TrackError) in
      opened.signal()
      return NMEAReader(input)
    }
  }

  @Test("A device that is unplugged and plugged in again delivers fixes again")
  func unplugged() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("device")
    let opened = DispatchSemaphore(value: 0)
    var pair: TerminalPair? = try TerminalPair()
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: try #require(pair).path)
    let fixes = LiveFixes(Self.device(path, opened: opened))
    #expect(opened.wait(timeout: .now() + 30) == .success)
    pair?.send(Self.log)
    #expect(Self.texts(fixes, 1) == ["7.5"])
    // The system gives the number of the terminal to the next one.
    try FileManager.default.removeItem(atPath: path)
    pair = nil
    #expect(Self.texts(fixes, 3) == ["\(Self.secondLongitude)", "0 warnings", "unavailable"])
    let next = try TerminalPair()
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: next.path)
    #expect(opened.wait(timeout: .now() + 30) == .success)
    next.send(Self.log)
    #expect(Self.texts(fixes, 2) == ["available", "7.5"])
    try FileManager.default.removeItem(atPath: path)
  }

  @Test("On request, the fixes end with the device")
  func endsWithDevice() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("device")
    let opened = DispatchSemaphore(value: 0)
    var pair: TerminalPair? = try TerminalPair()
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: try #require(pair).path)
    let fixes = LiveFixes(Self.device(path, opened: opened), endsWithDevice: true)
    #expect(opened.wait(timeout: .now() + 30) == .success)
    try FileManager.default.removeItem(atPath: path)
    pair?.send(Self.log)
    #expect(Self.texts(fixes, 1) == ["7.5"])
    pair = nil
    #expect(
      Self.texts(fixes, 4) == ["\(Self.secondLongitude)", "0 warnings", "unavailable", "end: not-found"])
  }

  @Test("A device that has never worked ends the fixes with its error")
  func noDevice() throws {
    let folder = try TemporaryFolder()
    let source = Self.device(folder.file("device"), opened: DispatchSemaphore(value: 0))
    #expect(Self.texts(LiveFixes(source), 1) == ["end: not-found"])
  }
}

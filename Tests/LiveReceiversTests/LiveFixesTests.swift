import TestSupport
import Testing
import TrackFormats
import TrackModel

@testable import LiveReceivers

@Suite("Live fixes")
struct LiveFixesTests {
  private static let log = """
    $GPRMC,101500.00,A,4630.000,N,00730.000,E,10.0,90.0,170524,,,A*53\r
    $GPRMC,101501.00,A,4630.000,N,00730.100,E,10.0,90.0,170524,,,A*53\r

    """

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
    #expect(abs((longitudes.last ?? 0) - (7 + 30.1 / 60)) < 1e-9)
    guard case .end(nil)? = events.last else {
      Issue.record("\(String(describing: events.last))")
      return
    }
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
}

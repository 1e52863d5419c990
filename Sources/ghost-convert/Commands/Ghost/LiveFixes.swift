import BulkImport
import Dispatch
import LiveReceivers
import Synchronization
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads live fixes on a separate thread, so that the clock continues between fixes.
final class LiveFixes: Sendable {
  /// A source of fixes.
  enum Source: Sendable {
    case gpsd(host: String, port: Int)
    /// A file, a device or, with `-`, standard input. `baud` is the speed of a serial device; nil leaves it
    /// unchanged.
    case file(String, format: TrackFormat?, baud: Int? = nil)
  }

  enum Event: Sendable {
    /// The receiver's time at the beginning of the log, before the first fix.
    case began(Instant)
    case fix(LocationFix)
    /// A number of positions without a time. They are not fixes.
    case undated(Int)
    /// A message for the user, for example about a lost connection.
    case notice(String)
    case warnings([TrackWarning])
    /// The end of the fixes, with the error that caused it, if any.
    case end(TrackError?)
  }

  private struct Queue {
    var events: [Event] = []
    var next = 0
  }

  private let queue = Mutex(Queue())
  /// The number of events that have not been read yet.
  private let arrived = DispatchSemaphore(value: 0)

  /// Starts reading.
  init(_ source: Source, isStrict: Bool = false) {
    DispatchQueue(label: "ghost-convert.fixes").async { [self] in
      switch source {
      case .gpsd(let host, let port): readGPSD(host, port)
      case .file(let path, let format, let baud):
        var opening = TrackOpening()
        opening.format = format
        opening.isStrict = isStrict
        if SerialDevice.isOne(path) {
          readSerialDevice(path, opening, baud)
        } else {
          readFile(path, opening, baud)
        }
      }
    }
  }

  /// Waits for the next event until the deadline, or indefinitely without a deadline.
  func next(until deadline: Date? = nil) -> Event? {
    let timeout = deadline.map { DispatchTime.now() + max($0.timeIntervalSinceNow, 0) } ?? .distantFuture
    guard arrived.wait(timeout: timeout) == .success else { return nil }
    return queue.withLock { queue in
      queue.next += 1
      let event = queue.events[queue.next - 1]
      if queue.next == queue.events.count { queue = Queue() }
      return event
    }
  }

  private func put(_ event: Event) {
    queue.withLock { $0.events.append(event) }
    arrived.signal()
  }

  private func readFile(_ path: String, _ opening: TrackOpening, _ baud: Int?) {
    do throws(TrackError) {
      guard baud == nil else {
        throw TrackError(
          .usage, "not a serial device, so --baud does not apply", suggestion: .text("omit --baud"))
      }
      var input = try Input.openLive(try ByteInput(path: path), opening)
      try put(&input)
      put(.end(nil))
    } catch {
      put(.end(error.inFile(InputPath.name(path))))
    }
  }

  /// Forwards all fixes of an input.
  private func put(_ input: inout OpenInput) throws(TrackError) {
    var batch = PointBatch(capacity: 64)
    while let event = try input.next(into: &batch) { put(event, batch) }
    put(.warnings(input.warnings))
  }

  private func put(_ event: TrackEvent, _ batch: borrowing PointBatch) {
    if case .beginTrack(let info) = event, let start = info.timeSpan?.begin { put(.began(start)) }
    guard case .points = event else { return }
    var undated = 0
    for row in 0..<batch.count {
      if let fix = LocationFix(batch, row: row) { put(.fix(fix)) } else { undated += 1 }
    }
    if undated > 0 { put(.undated(undated)) }
  }

  // MARK: Sources that go away and come back

  /// The delays between attempts to connect, in seconds.
  private static let pauses = [1.0, 2, 3, 5]

  private static func pause(_ attempts: Int) {
    // The semaphore is never signalled, so this waits for the timeout.
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + pauses[min(attempts, pauses.count - 1)])
  }

  /// Reads a receiver that may be unplugged and plugged in again.
  private func readSerialDevice(_ path: String, _ opening: TrackOpening, _ baud: Int?) {
    var wasOpen = false
    var attempts = 0
    while true {
      do throws(TrackError) {
        let device = try SerialDevice.open(path, baud: baud)
        if attempts > 0 { put(.notice("\(path) is available again")) }
        wasOpen = true
        attempts = 0
        var input = try Input.openLive(device, opening)
        try put(&input)
      } catch {
        // The failure may be temporary, except if the device has never worked.
        guard wasOpen, !opening.isStrict else { return put(.end(error.inFile(path))) }
      }
      if attempts == 0 { put(.notice("\(path) is unavailable, waiting for it")) }
      Self.pause(attempts)
      attempts += 1
    }
  }

  /// The state of a connection to gpsd.
  private struct Daemon {
    let host: String
    let port: Int
    /// Whether it has sent a gpsd report.
    var isKnown = false
    var isLost = false
    /// The number of attempts to connect since its last fix.
    var attempts = 0
  }

  private func readGPSD(_ host: String, _ port: Int) {
    var daemon = Daemon(host: host, port: port)
    while true {
      var reason = "gpsd closed the connection"
      do throws(TrackError) { try follow(&daemon) } catch {
        // If the first attempt fails, the address may be wrong. Later failures may be temporary.
        guard daemon.isKnown else { return put(.end(error)) }
        reason = error.message
      }
      if !daemon.isLost { put(.notice("\(reason), retrying")) }
      daemon.isLost = true
      Self.pause(daemon.attempts)
      daemon.attempts += 1
    }
  }

  /// Forwards gpsd's reports until the connection ends.
  private func follow(_ daemon: inout Daemon) throws(TrackError) {
    var reader = GPSDReader(try GPSDConnection.open(host: daemon.host, port: daemon.port))
    var batch = PointBatch(capacity: 64)
    while true {
      let event: TrackEvent?
      do throws(TrackError) { event = try reader.next(into: &batch) } catch {
        daemon.isKnown = daemon.isKnown || reader.hasReport
        guard error.code == .malformed else { throw error }
        throw TrackError(
          .malformed, "the server is not gpsd", file: error.file,
          suggestion: .text("check the port; gpsd listens on \(GPSDConnection.defaultPort)"))
      }
      daemon.isKnown = daemon.isKnown || reader.hasReport
      guard let event else { return }
      guard case .points = event else { continue }
      if daemon.isLost { put(.notice("gpsd is available again")) }
      daemon.isLost = false
      daemon.attempts = 0
      put(event, batch)
    }
  }
}

import BulkWork
import Dispatch
import GhostModel
import Synchronization
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Fixes as they come in, read by a thread of its own, so that a clock can tick between them.
final class LiveFixes: Sendable {
  /// Where they come from.
  enum Source: Sendable {
    case gpsd(host: String, port: Int)
    /// A file, a device or, with `-`, standard input.
    case file(String, format: TrackFormat?)
  }

  enum Event: Sendable {
    case fix(LocationFix)
    /// What the user should know, such as a connection that was lost.
    case notice(String)
    case warnings([TrackWarning])
    /// No more will come; with an error where that is why.
    case end(TrackError?)
  }

  private struct Queue {
    var events: [Event] = []
    var next = 0
  }

  private let queue = Mutex(Queue())
  /// Counts the events that were not yet taken.
  private let arrived = DispatchSemaphore(value: 0)

  /// Begins to read.
  init(_ source: Source, isStrict: Bool = false) {
    DispatchQueue(label: "ghost-convert.fixes").async { [self] in
      switch source {
      case .gpsd(let host, let port): readGPSD(host, port)
      case .file(let path, let format): readFile(path, format, isStrict: isStrict)
      }
    }
  }

  /// Waits for the next event, until `deadline` at the latest; without one as long as it takes.
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

  private func readFile(_ path: String, _ format: TrackFormat?, isStrict: Bool) {
    do throws(TrackError) {
      var opening = TrackOpening()
      opening.format = format
      opening.isStrict = isStrict
      var input = try Input.openLive(path, opening)
      var batch = PointBatch(capacity: 64)
      while let event = try input.next(into: &batch) { put(event, batch) }
      put(.warnings(input.warnings))
      put(.end(nil))
    } catch {
      put(.end(error.inFile(Input.name(path))))
    }
  }

  private func put(_ event: TrackEvent, _ batch: borrowing PointBatch) {
    guard case .points = event else { return }
    for row in 0..<batch.count {
      if let fix = LocationFix(batch, row: row) { put(.fix(fix)) }
    }
  }

  /// Seconds to wait before the next attempt to connect, longer each time.
  private static let pauses = [1.0, 2, 3, 5]

  private func readGPSD(_ host: String, _ port: Int) {
    var attempts = 0
    var wasConnected = false
    while true {
      do throws(TrackError) {
        var reader = GPSDReader(try GPSDConnection.open(host: host, port: port))
        if wasConnected { put(.notice("connected to gpsd again")) }
        wasConnected = true
        var batch = PointBatch(capacity: 64)
        while let event = try reader.next(into: &batch) {
          attempts = 0
          put(event, batch)
        }
        put(.notice("gpsd closed the connection, trying again"))
      } catch {
        // The first attempt tells whether the address is right; after that, whatever it is may pass.
        guard wasConnected else { return put(.end(error)) }
        if attempts == 0 { put(.notice("\(error.message), trying again")) }
      }
      // Nothing signals it: a pause.
      _ = DispatchSemaphore(value: 0).wait(
        timeout: .now() + Self.pauses[min(attempts, Self.pauses.count - 1)])
      attempts += 1
    }
  }
}

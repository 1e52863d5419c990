import Dispatch
import Synchronization
public import TrackFormats
public import TrackModel

/// Reads live fixes on a separate thread, so that the clock continues between fixes.
///
/// A serial device or gpsd that becomes unavailable is opened again until it returns.
///
/// ```swift
/// let fixes = LiveFixes(.gpsd(host: "localhost", port: GPSDConnection.defaultPort))
/// while let event = fixes.next() {
///   if case .fix(let fix) = event { print(fix.coordinate) }
///   if case .end = event { break }
/// }
/// ```
public final class LiveFixes: Sendable {
  /// Opens a reader for the bytes of a file or a device.
  public typealias Opening =
    @Sendable (consuming ByteInput) throws(TrackError) -> any TrackReader & ~Copyable

  /// A source of fixes.
  public enum Source: Sendable {
    /// A server of gpsd.
    case gpsd(host: String, port: Int)
    /// A file, a named pipe, or standard input with `-`.
    case file(String, Opening)
    /// A serial device. `baud` is one of ``SerialDevice/baudRates``; nil leaves its speed unchanged.
    case device(String, baud: Int?, Opening)

    /// The name of the input in messages, or nil for gpsd.
    package var name: String? {
      switch self {
      case .gpsd: nil
      case .file(let path, _): path == "-" ? "standard input" : path
      case .device(let path, _, _): path
      }
    }
  }

  /// A fix, or a change of the source.
  public enum Event: Sendable {
    /// The receiver's time at the beginning of the log, before the first fix.
    case began(Instant)
    /// A position with a time.
    case fix(LocationFix)
    /// A number of positions without a time. They are not fixes.
    case undated(Int)
    /// The device or the connection is unavailable and will be tried again.
    case unavailable(Outage)
    /// The device or the connection is available again.
    case available(Outage)
    /// The warnings about a complete input.
    case warnings([TrackWarning])
    /// The end of the fixes, with the error that caused it, if any.
    case end(TrackError?)
  }

  /// A source that is temporarily unavailable.
  public enum Outage: Sendable, Hashable {
    /// A serial device.
    case device(String)
    /// The connection to gpsd, with the reason of the first failure.
    case daemon(reason: String)
  }

  private struct Queue {
    var events: [Event] = []
    var next = 0
    var isClosed = false
    /// Whether the end has been taken. Nothing follows it.
    private(set) var isOver = false

    /// Removes and returns the next event.
    mutating func take() -> Event {
      let event = events[next]
      if case .end = event { isOver = true }
      next += 1
      // Not at each event, because that moves all others.
      if next == events.count || next == 1024 {
        events.removeFirst(next)
        next = 0
      }
      return event
    }
  }

  private let queue = Mutex(Queue())
  /// The number of events that have not been read yet, and that of those for which there is room: a receiver
  /// waits for a program that is slower, so that memory stays bounded.
  private let arrived = DispatchSemaphore(value: 0)
  private let room = DispatchSemaphore(value: 0)
  private static let capacity = 4096
  private let reported = Mutex<[TrackWarning]>([])

  /// The warnings about an input that has not ended. Those about a complete one are an event.
  public var warnings: [TrackWarning] { reported.withLock { $0 } }

  /// Starts reading.
  ///
  /// - Parameters:
  ///   - source: where the fixes come from.
  ///   - endsWithDevice: whether the fixes end when a serial device becomes unavailable.
  public init(_ source: Source, endsWithDevice: Bool = false) {
    // A semaphore must not be below its initial value when it is deallocated.
    for _ in 0..<Self.capacity { room.signal() }
    DispatchQueue(label: "ghost-convert.fixes").async { [self] in
      switch source {
      case .gpsd(let host, let port): readGPSD(host, port)
      case .file(let path, let open): readFile(path, open)
      case .device(let path, let baud, let open): readDevice(path, baud, open, endsWithDevice)
      }
    }
  }

  /// Waits for the next event for at most a number of seconds, or indefinitely without a limit.
  ///
  /// - Returns: nil if there was no event in this time, and after ``Event/end(_:)``.
  public func next(within seconds: Double? = nil) -> Event? {
    guard !queue.withLock({ $0.isOver }) else { return nil }
    let timeout = seconds.map { DispatchTime.now() + max($0, 0) } ?? .distantFuture
    guard arrived.wait(timeout: timeout) == .success else { return nil }
    defer { room.signal() }
    return queue.withLock { $0.take() }
  }

  /// Ends reading. The events that have arrived can still be read, and ``Event/end(_:)`` follows them.
  ///
  /// The thread, which holds this object, ends when the source delivers data or fails. Without a call it ends
  /// with its source, so that it may follow a device or gpsd forever.
  public func close() {
    let isFirst = queue.withLock { queue in
      defer { queue.isClosed = true }
      if !queue.isClosed { queue.events.append(.end(nil)) }
      return !queue.isClosed
    }
    guard isFirst else { return }
    arrived.signal()
    room.signal()
  }

  private var isClosed: Bool { queue.withLock { $0.isClosed } }

  private func put(_ event: Event) {
    room.wait()
    let isAdded = queue.withLock { queue in
      if !queue.isClosed { queue.events.append(event) }
      return !queue.isClosed
    }
    if isAdded { arrived.signal() } else { room.signal() }
  }

  private func readFile(_ path: String, _ open: Opening) {
    do throws(TrackError) {
      try read(try open(try ByteInput(path: path)))
      put(.end(nil))
    } catch {
      put(.end(error))
    }
  }

  /// Forwards all fixes of an input.
  private func read(_ input: consuming any TrackReader & ~Copyable) throws(TrackError) {
    var batch = PointBatch(capacity: 64)
    do throws(TrackError) {
      while !isClosed, let event = try input.next(into: &batch) {
        reported.withLock { $0 = input.warnings }
        put(event, batch)
      }
    } catch {
      end(input.warnings)
      throw error
    }
    reported.withLock { $0 = [] }
    put(.warnings(input.warnings))
  }

  /// Forwards the warnings about an input that ended with an error or will be opened again.
  private func end(_ warnings: [TrackWarning]) {
    reported.withLock { $0 = [] }
    if !warnings.isEmpty { put(.warnings(warnings)) }
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

  // MARK: Interrupted sources

  /// The delays between attempts to connect, in seconds.
  private static let pauses = [1.0, 2, 3, 5]

  private static func pause(_ attempts: Int) {
    // The semaphore is never signalled, so this waits for the timeout.
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + pauses[min(attempts, pauses.count - 1)])
  }

  /// Reads a receiver that may be unplugged and plugged in again.
  private func readDevice(_ path: String, _ baud: Int?, _ open: Opening, _ endsWithDevice: Bool) {
    var wasOpen = false
    var attempts = 0
    while !isClosed {
      do throws(TrackError) {
        let device = try SerialDevice.open(path, baud: baud)
        if attempts > 0 { put(.available(.device(path))) }
        wasOpen = true
        attempts = 0
        try read(try open(device))
      } catch {
        // The failure may be temporary, except if the device has never worked.
        guard wasOpen, !endsWithDevice else { return put(.end(error.inFile(path))) }
      }
      if attempts == 0 { put(.unavailable(.device(path))) }
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
    /// The reason why there is no connection, after it has been reported.
    var outage: Outage?
    /// The number of attempts to connect since its last fix.
    var attempts = 0
  }

  private func readGPSD(_ host: String, _ port: Int) {
    var daemon = Daemon(host: host, port: port)
    while !isClosed {
      var reason = "gpsd closed the connection"
      do throws(TrackError) { try follow(&daemon) } catch {
        // If the first attempt fails, the address may be wrong. Later failures may be temporary.
        guard daemon.isKnown else { return put(.end(error)) }
        reason = error.message
      }
      if daemon.outage == nil {
        daemon.outage = .daemon(reason: reason)
        put(.unavailable(.daemon(reason: reason)))
      }
      Self.pause(daemon.attempts)
      daemon.attempts += 1
    }
  }

  /// Forwards gpsd's reports until the connection ends.
  private func follow(_ daemon: inout Daemon) throws(TrackError) {
    var reader = GPSDReader(try GPSDConnection.open(host: daemon.host, port: daemon.port))
    var batch = PointBatch(capacity: 64)
    while !isClosed {
      let event: TrackEvent?
      do throws(TrackError) { event = try reader.next(into: &batch) } catch {
        end(reader.warnings)
        daemon.isKnown = daemon.isKnown || reader.hasReport
        guard error.code == .malformed else { throw error }
        throw TrackError(
          .malformed, "the server is not gpsd", file: error.file,
          suggestion: .text("check the port; gpsd listens on \(GPSDConnection.defaultPort)"))
      }
      daemon.isKnown = daemon.isKnown || reader.hasReport
      reported.withLock { $0 = reader.warnings }
      guard let event else { return end(reader.warnings) }
      guard case .points = event else { continue }
      if let outage = daemon.outage { put(.available(outage)) }
      daemon.outage = nil
      daemon.attempts = 0
      put(event, batch)
    }
  }
}

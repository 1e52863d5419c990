import Dispatch
import Foundation
import GhostConvertKit
import Synchronization
import Testing
import TrackArchives

@testable import TestSupport

@Suite("Reading drives")
struct DriveReadingTests {
  private static func gpx(_ tracks: String) -> Data {
    Data(
      """
      <?xml version="1.0"?>
      <gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="t">\(tracks)</gpx>
      """.utf8)
  }

  /// A track to the north with one point per second.
  private static func track(_ name: String, points: Int, hasTimes: Bool = true) -> String {
    let rows = (0..<points).map { row in
      let time = "<time>2024-05-17T06:\(10 + row / 60):\(row % 60 < 10 ? "0" : "")\(row % 60)Z</time>"
      return "<trkpt lat=\"\(47 + Double(row) / 10_000)\" lon=\"8\">\(hasTimes ? time : "")</trkpt>"
    }
    return "<trk><name>\(name)</name><trkseg>\(rows.joined())</trkseg></trk>"
  }

  @Test("A track that cannot become a drive is a failure; the others become drives")
  func failures() throws {
    let data = Self.gpx(Self.track("A", points: 5) + Self.track("B", points: 5, hasTimes: false))
    let result = try TrackFile(data, name: "a.gpx").importDrives()
    #expect(result.drives.map(\.name) == ["A"])
    #expect(result.failures.map(\.code) == [.noTimes])
    #expect(result.failures.first?.file == "a.gpx")
    var options = ImportOptions()
    options.duration = 8
    #expect(
      try Drive.read(Self.gpx(Self.track("B", points: 5, hasTimes: false)), options: options)[0].duration == 8
    )
  }

  @Test("The warnings of the file are returned")
  func warnings() throws {
    let point = "<trkpt lat=\"91\" lon=\"8\"/></trkseg>"
    let text = Self.track("A", points: 5).replacingOccurrences(of: "</trkseg>", with: point)
    let result = try TrackFile(Self.gpx(text)).importDrives()
    #expect(result.warnings.map(\.code) == [.invalidPosition])
    var file = TrackFile(Self.gpx(text))
    file.isStrict = true
    expectError(.warning) { try file.importDrives() }
  }

  @Test("The error of a file without a drive has the place and the reason of the first warning")
  func explainedError() throws {
    let rows = "<trkpt lat=\"99\" lon=\"8\"><time>2024-05-17T06:10:00Z</time></trkpt>"
    let data = Self.gpx("<trk><trkseg>\n\(rows)\n\(rows)</trkseg></trk>")
    let error = try #require(throws: TrackError.self) { try Drive.read(data) }
    #expect(error.code == .noTracks)
    #expect(error.message == "no track with points: invalid latitude or longitude, point skipped")
    #expect(error.place.line == 3)
    #expect(error.offendingText == "99")
  }

  @Test("A file without a drive, a missing file and a web URL have different errors")
  func errors() throws {
    expectError(.noTracks) { try Drive.read(Self.gpx("")) }
    expectError(.unknownFormat) { try Drive.read(Data("hello".utf8)) }
    expectError(.notFound) {
      try Drive.read(contentsOf: URL(filePath: "/nowhere/a.gpx"))
    }
    let url = try #require(URL(string: "https://example.org/a.gpx"))
    expectError(.unreadable) { try Drive.read(contentsOf: url) }
  }

  @Test("A drive contains the recorded points with their exact times")
  func exactTimes() throws {
    // Ten points one second apart, then one ten seconds later: the times are not evenly spaced.
    let late = "<trkpt lat=\"47.002\" lon=\"8\"><time>2024-05-17T06:10:19Z</time></trkpt></trkseg>"
    let text = Self.track("A", points: 10).replacingOccurrences(of: "</trkseg>", with: late)
    let drive = try Drive.read(Self.gpx(text))[0]
    let recorded = try #require(drive.recorded)
    let seconds: [Double] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 19]
    #expect(recorded.elapsed == seconds)
    #expect(recorded.latitudes.last == 47.002 && recorded.hasTimestamps)
    #expect(recorded.startTime == drive.startTime)
    #expect(try TimedDrive(drive).elapsed == recorded.elapsed)
    #expect(try TimedDrive(evenly: drive).count == drive.count)
    #expect(drive.count == 20 && drive.latitudes.count == 20)
  }

  @Test("An untimed recording has no exact times")
  func noTimes() throws {
    var options = ImportOptions()
    options.duration = 60
    let data = Self.gpx(Self.track("A", points: 5, hasTimes: false))
    #expect(try Drive.read(data, options: options)[0].recorded == nil)
  }

  @Test("Archives are read if the formats of TrackArchives are passed")
  func archives() throws {
    let folder = try TemporaryFolder()
    var zip = ZIPBuilder()
    zip.add("a.gpx", Array(Self.gpx(Self.track("A", points: 5))))
    zip.add("notes.txt", Array("hello".utf8))
    zip.add("b/b.gpx", Array(Self.gpx(Self.track("B", points: 5))))
    let url = URL(filePath: try folder.write(zip.bytes, to: "week.zip"))
    #expect(try Drive.read(contentsOf: url, formats: .withArchives).map(\.name) == ["A", "B"])
    #expect(throws: TrackError.self) { try Drive.read(contentsOf: url) }
    #expect(try Drive.read(contentsOf: folder.url, formats: .withArchives).count == 2)
  }

  @Test("A damaged file in an archive is a failure; the other files are read")
  func damagedEntry() throws {
    let folder = try TemporaryFolder()
    var zip = ZIPBuilder()
    zip.add("a.gpx", Array("<gpx><trk".utf8))
    zip.add("b.gpx", Array(Self.gpx(Self.track("B", points: 5))))
    let url = URL(filePath: try folder.write(zip.bytes, to: "week.zip"))
    let result = try TrackFile(url, formats: .withArchives).importDrives()
    #expect(result.drives.map(\.name) == ["B"])
  }

  // MARK: Tasks

  /// Formats that record on which queue they recognize files.
  private final class QueueProbe: Sendable {
    private let queues = Mutex<[Bool]>([])
    private let key = DispatchSpecificKey<Bool>()
    /// Whether each recognition ran on the main queue, which is that of the main actor.
    var wasMain: [Bool] { queues.withLock(\.self) }

    init() { DispatchQueue.main.setSpecific(key: key, value: true) }

    var formats: FormatRegistry {
      let probe = TrackFormat(
        name: "probe", title: "", fileExtensions: [],
        recognizes: { _ in
          self.queues.withLock { $0.append(DispatchQueue.getSpecific(key: self.key) == true) }
          return false
        }, reading: nil, writing: nil)
      return FormatRegistry([probe] + FormatRegistry.standard.formats)
    }
  }

  @MainActor private func readHere(_ data: Data, _ formats: FormatRegistry) throws -> Int {
    try Drive.read(data, formats: formats).count
  }

  @Test("Reading in a task does not run on the caller's actor")
  @MainActor func offActor() async throws {
    let data = Self.gpx(Self.track("A", points: 5))
    let probe = QueueProbe()
    #expect(try readHere(data, probe.formats) == 1)
    #expect(probe.wasMain == [true])
    #expect(try await Drive.read(data, formats: probe.formats).count == 1)
    for try await recording in TrackFile(data, formats: probe.formats).recordings {
      #expect(recording.count == 5)
    }
    #expect(probe.wasMain == [true, false, false])
  }

  /// Runs `work` in a task that is already cancelled.
  private func cancelled<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async -> (any Error)? {
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await work()
    }
    do {
      _ = try await task.value
      return nil
    } catch {
      return error
    }
  }

  @Test("A cancelled task throws a CancellationError")
  func cancellation() async throws {
    let data = Self.gpx(Self.track("A", points: 5))
    #expect(await cancelled { try await Drive.read(data) } is CancellationError)
    #expect(await cancelled { try await TrackFile(data).importDrives() } is CancellationError)
    let iteration = await cancelled {
      for try await _ in TrackFile(data).recordings {}
    }
    #expect(iteration is CancellationError)
    let drive = try await Drive.read(data)[0]
    #expect(await cancelled { try await DriveComparison(drive, drive) } is CancellationError)
    let folder = try TemporaryFolder()
    for name in ["a.gpx", "a.drive.json"] {
      let url = folder.url.appending(path: name)
      #expect(await cancelled { try await drive.write(to: url) } is CancellationError)
      #expect(try folder.names() == [])
    }
  }

  /// A collection of one drive that cancels the current task when the drive is read.
  private struct CancellingDrive: Collection, Sendable {
    let drive: Drive
    var startIndex: Int { 0 }
    var endIndex: Int { 1 }

    func index(after index: Int) -> Int { index + 1 }

    subscript(index: Int) -> Drive {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return drive
    }
  }

  @Test(
    "A task that is cancelled while it writes the last drive creates no file",
    arguments: ["a.kml", "a.drive.json"])
  func cancelledWhileWriting(name: String) async throws {
    let drives = CancellingDrive(drive: try await Drive.read(Self.gpx(Self.track("A", points: 5)))[0])
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: name)
    let error = await Task {
      do {
        try await drives.write(to: url)
        return nil as (any Error)?
      } catch {
        return error
      }
    }.value
    #expect(error is CancellationError)
    #expect(try folder.names() == [])
  }

  @Test("A task that is cancelled between two recordings reads no further recording")
  func cancelledOnTheWay() async throws {
    let data = Self.gpx(Self.track("A", points: 5) + Self.track("B", points: 5))
    let seen = Mutex<[String?]>([])
    let error = await Task {
      do {
        for try await recording in TrackFile(data).recordings {
          seen.withLock { $0.append(recording.name) }
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        }
        return nil as (any Error)?
      } catch {
        return error
      }
    }.value
    #expect(error is CancellationError)
    #expect(seen.withLock(\.self) == ["A"])
  }
}

import BulkImport
import DriveLibrary
import Foundation
import GhostModel
import TestSupport
import TrackArchives
import TrackModel

@testable import TrackFormats

/// A command that writes, in a separate folder.
struct Scenario: Sendable {
  /// What is wrong after a fault.
  struct Violation: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  let name: String
  /// Prepares the folder: inputs, and what earlier runs have left.
  let prepare: @Sendable (Folder) throws -> Void
  /// The command. Errors are expected.
  let run: @Sendable (Folder) throws -> Void
  /// Checks what a disturbed run has left.
  let check: @Sendable (_ left: Folder, _ undisturbed: Folder) throws -> Void
  /// Checks the folder once the command has been repeated.
  let compare: @Sendable (_ repeated: Folder, _ undisturbed: Folder) throws -> Void

  static let all = [files, library, journal, recorder]
}

/// A folder on a file system in memory, if there is one.
final class Folder: Sendable {
  let path: String

  init() throws {
    let base = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    path = base + "/faults-\(UUID().uuidString)/"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + name }
  func contents(_ name: String) -> Data? { FileManager.default.contents(atPath: path + name) }

  func write(_ text: String, to name: String) throws {
    let url = URL(filePath: file(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// The files below, by their names, without unfinished ones.
  func files() -> [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return names.filter { name in
      var isFolder: ObjCBool = false
      _ = unsafe FileManager.default.fileExists(atPath: path + name, isDirectory: &isFolder)
      return !isFolder.boolValue && !name.hasSuffix(".part")
    }.sorted()
  }
}

/// Shows nothing.
private struct NoProgress: InputProgress {
  let walk = EnumerationProgress(roots: 1)
  let bytes: ByteProgress? = nil

  func addInput() {}
  func update() {}
  func end() {}
}

extension Scenario {
  /// A GPX file with a track along a meridian, a point a second.
  private static func gpx(latitude: Double, day: Int) -> String {
    let rows = (0..<20).map { index in
      let time = "2024-05-0\(day)T06:12:\(index < 10 ? "0" : "")\(index)Z"
      return "<trkpt lat=\"\(latitude + Double(index) * 0.0001)\" lon=\"13\"><time>\(time)</time></trkpt>"
    }
    return "<gpx version=\"1.1\" creator=\"test\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"
      + rows.joined() + "</trkseg></trk></gpx>"
  }

  private static func writeInputs(_ folder: Folder) throws {
    for number in 1...4 {
      try folder.write(gpx(latitude: Double(40 + number), day: number), to: "in/\(number).gpx")
    }
    try folder.write("<gpx>", to: "in/5.gpx")
  }

  /// Files that are there are whole: as before the run or as after an undisturbed one.
  private static func checkWhole(
    _ left: Folder, _ undisturbed: Folder, old: [String: Data] = [:], except journals: Set<String> = []
  ) throws {
    for name in left.files() where !name.hasPrefix("in/") && !journals.contains(name) {
      let content = left.contents(name)
      guard content == undisturbed.contents(name) || content == old[name] else {
        throw Violation("\(name) is neither the old file nor the new one")
      }
    }
    for (name, content) in old {
      guard let found = left.contents(name) else { throw Violation("\(name) is gone") }
      guard found == content || found == undisturbed.contents(name) else {
        throw Violation("\(name) is damaged")
      }
    }
  }

  private static func compareFiles(
    _ repeated: Folder, _ undisturbed: Folder, except journals: Set<String> = []
  ) throws {
    let names = undisturbed.files().filter { !journals.contains($0) }
    for name in names where repeated.contents(name) != undisturbed.contents(name) {
      throw Violation("after another run \(name) is not that of an undisturbed run")
    }
    let more = repeated.files().filter { !journals.contains($0) && !names.contains($0) }
    if !more.isEmpty { throw Violation("after another run there are \(more)") }
  }

  /// `import` of a folder into drive documents.
  static let files = Scenario(
    name: "files",
    prepare: { folder in
      try writeInputs(folder)
      try folder.write("an old drive", to: "out/1.drive.json")
    },
    run: { folder in
      var sink = FileImport(
        DriveExtraction(), to: DriveDestination(.folder(folder.file("out"), isFlat: false)),
        FileImport.Settings(), report: try InputReport(nil), stop: WorkStop()
      ) { _ in }
      var run = InputRun<DriveStep>(paths: [folder.file("in")], progress: NoProgress())
      run.jobs = 2
      run.run(into: &sink)
      sink.finish()
    },
    check: { left, undisturbed in
      try checkWhole(left, undisturbed, old: ["out/1.drive.json": Data("an old drive".utf8)])
    },
    compare: { repeated, undisturbed in try compareFiles(repeated, undisturbed) })

  /// `import` of a folder into a library.
  static let library = Scenario(
    name: "library", prepare: { try writeInputs($0) },
    run: { folder in
      let library = try DriveLibrary(path: folder.file("drives.gpkg"), mode: .creating)
      defer { library.close() }
      let number = try library.beginRun(version: "1", command: "test", folder: "")
      var extraction = DriveExtraction()
      extraction.rules.keepsRecording = true
      var sink = try LibraryImport(
        extraction, to: library, run: number, LibraryImport.Settings(), report: try InputReport(nil),
        stop: WorkStop()
      ) { _ in }
      var run = InputRun<ExtractedInput>(paths: [folder.file("in")], progress: NoProgress())
      run.jobs = 2
      run.run(into: &sink)
      sink.finish(isStopped: false) { "\($0.imported) imported" }
      if let fault = sink.fault { throw fault }
    },
    check: { left, _ in
      guard let size = left.contents("drives.gpkg")?.count, size > 0 else { return }
      let library: DriveLibrary
      do throws(TrackError) {
        library = try DriveLibrary(path: left.file("drives.gpkg"), mode: .reading)
      } catch {
        // Made, and nothing in it yet.
        if error.code == .unknownFormat, error.message.contains("empty") { return }
        throw Violation("the library cannot be opened: \(error)")
      }
      defer { library.close() }
      let problems = try library.check()
      // A run that was cut off has not yet written the extent.
      guard problems.allSatisfy({ $0.text.contains("extent") }) else { throw Violation("\(problems)") }
    },
    compare: { repeated, undisturbed in
      let drives = try [repeated, undisturbed].map { folder in
        let library = try DriveLibrary(path: folder.file("drives.gpkg"), mode: .reading)
        defer { library.close() }
        let problems = try library.check()
        guard problems.isEmpty else { throw Violation("after another run: \(problems)") }
        return try library.drives().map { "\($0.id) \($0.name) \($0.points)" }.sorted()
      }
      guard drives[0] == drives[1] else { throw Violation("\(drives[0].count) drives of \(drives[1].count)") }
    })

  private static let states: Set = [ConversionJournal.name]

  /// `convert --resume` into a folder: outputs, and the journal of completed outputs.
  static let journal = Scenario(
    name: "journal", prepare: { try writeInputs($0) },
    run: { folder in
      let out = folder.file("out/")
      try ByteSink.makeFolder(out)
      TemporaryFiles.removeStale(inFolder: out)
      let journal = try ConversionJournal(folder: out, options: "o", isResuming: true)
      var batch = OutputBatch<String>()
      for number in 1...4 {
        let source = folder.file("in/\(number).gpx")
        let path = out + "\(number).gpx"
        let known = journal.claim(source, in: out, ending: "gpx")
        if let known, journal.isWhole(known, fingerprint: "f") { continue }
        journal.begin(path, source: source)
        let held = StagedFile()
        var writer = GPXWriter(try ByteSink(path: path, held: held))
        var reader = GPXReader(try ByteInput(path: source))
        var rows = PointBatch()
        while let event = try reader.next(into: &rows) { try writer.write(event, rows) }
        try writer.finish()
        journal.note(held, at: path, source: source, fingerprint: "f")
        batch.add(path, held: held)
      }
      for (_, fault) in batch.keep() { if let fault { throw fault } }
      journal.complete()
    },
    check: { left, undisturbed in try checkWhole(left, undisturbed, except: ["out/" + ConversionJournal.name])
    },
    compare: { repeated, undisturbed in
      try compareFiles(repeated, undisturbed, except: ["out/" + ConversionJournal.name])
    })

  private static let records = (0..<12).map {
    "{\"record\":\($0),\"text\":\"\(String(repeating: "x", count: 40 * $0))\"}\n"
  }

  /// `record`: a journal that grows by records, and the drive at the end.
  static let recorder = Scenario(
    name: "recorder", prepare: { _ in },
    run: { folder in
      // A name that is taken is not used again.
      var number = 0
      while AppendedFile.exists(folder.file("journal-\(number)")) { number += 1 }
      let file = try AppendedFile(new: folder.file("journal-\(number)"))
      for (index, record) in records.enumerated() {
        try file.append(Array(record.utf8))
        // Whatever a call has returned from is kept.
        try Data("\(index + 1)".utf8).write(to: URL(filePath: folder.file("in/acknowledged-\(number)")))
      }
      var sink = try ByteSink(path: folder.file("drive.json"))
      // Large enough for the thread that writes, and with an insertion.
      sink.insert(Array("{".utf8), at: 0)
      for _ in 0..<40 { try sink.write(String(repeating: "0123456789abcdef", count: 4096)) }
      try sink.finish()
    },
    check: { left, undisturbed in
      let whole = records.joined()
      for name in left.files() where name.hasPrefix("journal-") {
        let text = String(decoding: left.contents(name) ?? Data(), as: UTF8.self)
        guard whole.hasPrefix(text) else { throw Violation("\(name) holds something else") }
        let count = left.contents("in/acknowledged-" + name.dropFirst("journal-".count))
        let least = count.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        guard text.utf8.count >= records.prefix(least).joined().utf8.count else {
          throw Violation("\(name) has lost a record")
        }
      }
      if let drive = left.contents("drive.json"), drive != undisturbed.contents("drive.json") {
        throw Violation("drive.json is not whole")
      }
    },
    compare: { repeated, undisturbed in
      guard repeated.contents("drive.json") == undisturbed.contents("drive.json") else {
        throw Violation("after another run drive.json is another")
      }
    })
}

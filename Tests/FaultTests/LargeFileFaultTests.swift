import Foundation
import Synchronization
import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("Faults of large files")
struct LargeFileFaultTests {
  /// Makes one call of a kind fail, counted from 1.
  private static func fail(_ failing: SystemFaults.Call, at number: Int) {
    let calls = Mutex(0)
    SystemFaults.install { call, _ in
      guard call == failing else { return .success }
      return calls.withLock { calls in
        calls += 1
        return calls == number ? .failure(EIO) : .success
      }
    }
  }

  @Test("A disk that fails once while a large file is written fails the file, and the old one stays")
  func earlyFailure() async {
    // Faults affect the whole process, so it is a separate one.
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try folder.write("old", to: "out")
      // The system reports a failure to one caller, here the first, which does not wait for the end.
      LargeFileFaultTests.fail(.synchronize, at: 1)
      let error = #expect(throws: TrackError.self) {
        var sink = try ByteSink(path: folder.file("out"))
        for _ in 0..<100 { try sink.write(String(repeating: "x", count: 60_000)) }
        try sink.finish()
      }
      #expect(error?.code == .unwritable)
      SystemFaults.install(nil)
      #expect(try folder.text("out") == "old")
      #expect(try folder.names() == ["out"])
    }
  }

  @Test("A file is on the disk before it replaces another, and a new one is not waited for")
  func waiting() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let calls = Mutex(0)
      SystemFaults.install { call, _ in
        if call == .synchronize { calls.withLock { $0 += 1 } }
        return .success
      }
      defer { SystemFaults.install(nil) }
      for expected in [0, 1] {
        var sink = try ByteSink(path: folder.file("out"))
        try sink.write("text")
        try sink.finish()
        #expect(calls.withLock { $0 } == expected)
      }
      for (name, expected) in [("new", 1), ("out", 2)] {
        let held = StagedFile()
        var sink = try ByteSink(path: folder.file(name), held: held)
        try sink.write("text")
        try sink.finish()
        #expect(calls.withLock { $0 } == expected - (name == "out" ? 1 : 0))
        try held.keep()
        #expect(calls.withLock { $0 } == expected)
      }
    }
  }

  @Test(
    "A large file occupies no more than its size, also on a disk without space to reserve",
    arguments: [false, true])
  func reservedSpace(fails: Bool) async {
    await #expect(processExitsWith: .success) { [fails] in
      let folder = try TemporaryFolder()
      let calls = Mutex(0)
      SystemFaults.install { call, _ in
        guard call == .reserve else { return .success }
        calls.withLock { $0 += 1 }
        return fails ? .failure(ENOSPC) : .success
      }
      defer { SystemFaults.install(nil) }
      let piece = String(repeating: "x", count: 60_000)
      var sink = try ByteSink(path: folder.file("out"))
      for _ in 0..<100 { try sink.write(piece) }
      try sink.finish()
      #expect(try folder.text("out") == String(repeating: piece, count: 100))
      var status = stat()
      #expect(unsafe stat(folder.file("out"), &status) == 0)
      // File systems allocate whole blocks of up to 64 KiB.
      #expect(Int(status.st_blocks) * 512 < 6_000_000 + 1 << 17)
      #if os(Linux)
        #expect(fails ? calls.withLock { $0 } == 1 : calls.withLock { $0 } > 1)
      #endif
    }
  }

  @Test("A failure that the system reports when the file is closed fails the file")
  func closing() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      SystemFaults.install { call, _ in call == .close ? .failure(EDQUOT) : .success }
      defer { SystemFaults.install(nil) }
      let error = #expect(throws: TrackError.self) {
        var sink = try ByteSink(path: folder.file("out"))
        try sink.write("text")
        try sink.finish()
      }
      #expect(error?.code == .noSpace)
      #expect(try folder.names() == [])
    }
  }

  @Test("A folder that cannot be read to its end is an error")
  func folder() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      for name in ["a", "b", "c"] { try folder.write("text", to: name) }
      LargeFileFaultTests.fail(.readFolder, at: 3)
      defer { SystemFaults.install(nil) }
      let error = #expect(throws: TrackError.self) { try FileDescriptor.names(inFolder: folder.url.path) }
      #expect(error?.code == .unreadable)
      #expect(try FileDescriptor.names(inFolder: folder.url.path) == ["a", "b", "c"])
    }
  }
}

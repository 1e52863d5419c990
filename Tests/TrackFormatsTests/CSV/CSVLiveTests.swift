import Foundation
import Testing
import TrackModel

@testable import TrackFormats

@Suite struct CSVLiveTests {
  @Test("Rows of a live input are delivered as they arrive")
  func rows() throws {
    let pipe = Pipe()
    func send(_ text: String) throws { try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }
    try send("time,lat,lon\n2024-05-01T10:00:00Z,1,2\n")
    var input = try ByteInput(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
    #expect(try FormatRegistry.standard.detectLive(&input) == .csv)
    var options = ReadingOptions()
    options.isLive = true
    var reader = CSVReader(input, options: options)
    var batch = PointBatch()
    func points() throws -> [Double] {
      while let event = try reader.next(into: &batch) {
        if case .points = event { return (0..<batch.count).map { batch.latitudes[$0] } }
      }
      return []
    }
    #expect(try points() == [1])
    try send("2024-05-01T10:00:01Z,3,4\r\n2024-05-01T10:00:02Z,5,6\n2024-05-01T10:00:03Z,7")
    #expect(try points() == [3, 5])
    try send(",8\n")
    #expect(try points() == [7])
    try pipe.fileHandleForWriting.close()
    #expect(try points() == [])
  }
}

import Foundation
import GhostModel
import TrackModel

/// Encodes and decodes a million points with the blob codec and with Foundation's coders, alternately, and
/// prints the times as one JSON object: seconds per run, `encode` and `decode`, ours and Foundation's.
@main
struct BlobBenchmark {
  /// The declaration of an app without the codec.
  private struct Point: Codable, Equatable {
    var lat: Double
    var lon: Double
  }

  private struct Times: Encodable {
    var points: Int
    var bytes: Int
    var encode: [Double] = []
    var foundationEncode: [Double] = []
    var decode: [Double] = []
    var foundationDecode: [Double] = []
  }

  private struct Unequal: Error, CustomStringConvertible {
    let description: String
  }

  static func main() throws {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5
    let coordinates = drive(count: 1_000_000)
    let points = coordinates.map { Point(lat: $0.latitude, lon: $0.longitude) }
    let encoder = JSONEncoder()
    let decoder = JSONDecoder()
    let blob = CoordinateBlob.encode(coordinates)
    // Check before the measurement that both sides do the same work.
    guard try CoordinateBlob.decode(blob) == coordinates else {
      throw Unequal(description: "the codec is not exact")
    }
    guard try decoder.decode([Point].self, from: blob) == points else {
      throw Unequal(description: "Foundation reads other points")
    }
    guard try CoordinateBlob.decode(encoder.encode(points)) == coordinates else {
      throw Unequal(description: "the codec reads other points than Foundation wrote")
    }
    var times = Times(points: coordinates.count, bytes: blob.count)
    for _ in 0..<rounds {
      times.encode.append(try seconds { CoordinateBlob.encode(coordinates).count })
      times.foundationEncode.append(try seconds { try encoder.encode(points).count })
      times.decode.append(try seconds { try CoordinateBlob.decode(blob).count })
      times.foundationDecode.append(try seconds { try decoder.decode([Point].self, from: blob).count })
    }
    print(String(decoding: try encoder.encode(times), as: UTF8.self))
  }

  /// A drive at about 13 m/s with one point per second and seven decimals, as in recordings.
  private static func drive(count: Int) -> [Coordinate] {
    var latitude = 46.948
    var longitude = 7.4474
    return (0..<count).map { index in
      let course = Double(index) / 400
      latitude += 0.00012 * cos(course)
      longitude += 0.00017 * sin(course)
      return Coordinate(
        latitude: (latitude * 1e7).rounded() / 1e7, longitude: (longitude * 1e7).rounded() / 1e7)
    }
  }

  private static func seconds(_ work: () throws -> Int) throws -> Double {
    var count = 0
    let duration = try ContinuousClock().measure { count = try work() }
    // Use the result, so that the work is not optimised away.
    guard count > 0 else { throw Unequal(description: "nothing came out") }
    return duration / .seconds(1)
  }
}

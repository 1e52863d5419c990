import Foundation
import GhostModel
import TrackModel

/// A synthetic drive: the position of a car at every second, on roads near 0° N, 0° E.
///
/// A degree is 111,319.49 m along the equator and 110,574.28 m along a meridian there (WGS 84).
struct DrivenRoad {
  /// The positions in metres east and north, one per second.
  private(set) var places: [(east: Double, north: Double)]

  init(east: Double = 0, north: Double = 0) { places = [(east, north)] }

  /// Returns the road with a stop of `seconds` at its end.
  func standing(_ seconds: Int) -> DrivenRoad {
    var road = self
    let last = places[places.count - 1]
    road.places += Array(repeating: last, count: seconds)
    return road
  }

  /// Returns the road extended by a straight line to a position, driven in `seconds`.
  func driving(toEast east: Double, north: Double = 0, seconds: Int) -> DrivenRoad {
    var road = self
    let start = places[places.count - 1]
    for second in 1...max(seconds, 1) {
      let fraction = Double(second) / Double(max(seconds, 1))
      road.places.append(
        (start.east + fraction * (east - start.east), start.north + fraction * (north - start.north)))
    }
    return road
  }

  /// The road in the opposite direction.
  var reversed: DrivenRoad {
    var road = self
    road.places.reverse()
    return road
  }

  var coordinates: [Coordinate] {
    places.map { Coordinate(latitude: $0.north / 110_574.28, longitude: $0.east / 111_319.49) }
  }

  /// Returns a GPX file whose times start at 2024-05-14T06:00:00Z.
  func gpx(name: String = "road", isTimed: Bool = true) -> String {
    DrivenRoad.gpx([track(name: name, isTimed: isTimed)])
  }

  static func gpx(_ tracks: [String]) -> String {
    #"<gpx version="1.1" creator="tests" xmlns="http://www.topografix.com/GPX/1/1">"# + "\n"
      + tracks.joined() + "</gpx>\n"
  }

  /// Returns a track element of a GPX file.
  func track(name: String, isTimed: Bool = true) -> String {
    let start = Instant(microseconds: 1_715_666_400_000_000)
    var text = "<trk><name>\(name)</name><trkseg>\n"
    for (second, place) in coordinates.enumerated() {
      let time = Instant(microseconds: start.microseconds + Int64(second) * 1_000_000)
      text += "<trkpt lat=\"\(decimal(place.latitude))\" lon=\"\(decimal(place.longitude))\">"
      text += (isTimed ? "<time>\(time)</time>" : "") + "</trkpt>\n"
    }
    return text + "</trkseg></trk>\n"
  }

  private func decimal(_ degrees: Double) -> String { String(format: "%.9f", degrees) }

  /// Returns a drive document. Its duration is one second per step by default.
  func document(name: String = "road", duration: Double? = nil) -> String {
    let drive = Drive(
      name: name, startTime: nil, endTime: nil, duration: duration ?? Double(places.count - 1), distance: 0,
      coordinates: coordinates)
    return String(decoding: DriveDocument.encode(drive), as: UTF8.self)
  }
}

// Turns fixes into a drive, without C libraries and without files.
import GhostModel
import TrackModel

let start = Instant(microseconds: 1_747_459_200_000_000)
var segment = Recording.Segment()
// Ten minutes north at 50 km/h, with a fix every four seconds and a stop of a minute in the middle.
var latitude = 46.9
for second in stride(from: 0, through: 600, by: 4) {
  let isMoving = !(300..<360).contains(second)
  segment.append(
    Coordinate(latitude: latitude, longitude: 7.45), time: start.advanced(bySeconds: Double(second)))
  if isMoving { latitude += 4 * 50 / 3.6 / 111_132 }
}

do {
  let recording = Recording(name: "North", segments: [segment])
  for imported in try DriveImporter.drives(from: recording, options: ImportOptions(), name: "North") {
    let drive = imported.drive
    print(drive.name, drive.durationInSeconds, "s", drive.latitudes.count, "points")
    print("largest time error", imported.report.largestTimeError, "s")
  }
} catch {
  print(error)
}

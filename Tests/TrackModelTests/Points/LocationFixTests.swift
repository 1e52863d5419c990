import Testing
import TrackModel

struct LocationFixTests {
  private func fix(_ fill: (inout PointBatch) -> Void) -> LocationFix? {
    var batch = PointBatch(capacity: 4)
    // A row before it, whose values must not be used.
    batch.append(latitude: 1, longitude: 2, time: 1)
    batch.set(.horizontalAccuracy, 99)
    batch.append(latitude: 46.5, longitude: 7.5, time: 1_000_000)
    fill(&batch)
    return LocationFix(batch, row: 1)
  }

  @Test("A row with a time becomes a fix with all its values")
  func row() throws {
    let fix = try #require(
      fix { batch in
        batch.set(.elevation, 512)
        batch.set(.horizontalAccuracy, 4.5)
        batch.set(.hdop, 9)
        batch.set(.speed, 12.5)
        batch.set(.course, 270)
      })
    #expect(
      fix
        == LocationFix(
          coordinate: Coordinate(latitude: 46.5, longitude: 7.5), time: Instant(microseconds: 1_000_000),
          altitude: 512, horizontalAccuracy: 4.5, speed: 12.5, course: 270))
  }

  @Test(
    "A missing accuracy is estimated as 5 m times the horizontal dilution", arguments: [(0.9, 4.5), (3, 15)])
  func dilution(hdop: Double, accuracy: Double) {
    #expect(fix { $0.set(.hdop, hdop) }?.horizontalAccuracy == accuracy)
  }

  @Test("A row marked as having no fix becomes an invalid fix")
  func none() {
    let fix = fix { batch in
      batch.set(.horizontalAccuracy, 3)
      var details = PointDetails()
      details.fix = "none"
      batch.set(details)
    }
    #expect(fix?.horizontalAccuracy == -1)
    #expect(self.fix { _ in }?.horizontalAccuracy == nil)
  }

  @Test("A row without a time is not a fix")
  func untimed() {
    #expect(fix { $0.set(time: Instant.absent) } == nil)
  }
}

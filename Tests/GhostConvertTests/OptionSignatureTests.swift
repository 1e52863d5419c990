import Foundation
import GhostModel
import TestSupport
import Testing
import TrackFormats
import TrackModel
import TrackTransforms

@testable import BulkImport
@testable import ghost_convert

/// Libraries and journals store these texts, so a change of the format needs another version number.
@Suite struct OptionSignatureTests {
  @Test("Default options have an empty signature")
  func defaults() {
    #expect(GhostConvert.ImportCommandOptions().signature.isEmpty)
  }

  @Test("Import options that differ from the defaults are stored by name")
  func imports() throws {
    var options = GhostConvert.ImportCommandOptions()
    options.rules.timing = .moving
    options.rules.cadence = .seconds(5)
    options.rules.maximumAccuracy = nil
    options.name = "Über/Land"
    options.cleaning.changes.simplify = 2.5
    #expect(
      options.signature
        == #"{"cadence":"5.0","cleaning":{"simplify":2.5},"maximumAccuracy":"none","name":"Über/Land","#
        + #""timing":"moving","version":1}"#)
  }

  @Test("Every option that changes the points is stored")
  func cleaning() throws {
    var options = GhostConvert.ImportCommandOptions()
    options.cleaning.changes.kinds = ["driving"]
    options.cleaning.changes.shift = -30
    options.cleaning.crop = .timesOfDay(from: 27_000, to: 29_400)
    options.cleaning.changes.privacy = [
      PrivacyStage.Circle(center: Coordinate(latitude: 52.52, longitude: 13.4), radius: 200)
    ]
    options.cleaning.changes.merges = true
    options.cleaning.changes.resample = .metres(10)
    #expect(
      options.signature
        == #"{"cleaning":{"crop":"27000.0..29400.0","kinds":["driving"],"merge":true,"#
        + #""privacy":["52.52,13.4,200.0"],"resample":"10.0m","shift":-30},"version":1}"#)
  }

  @Test("The signature of a conversion includes the program's version and the format")
  func conversion() throws {
    var options = GhostConvert.ConvertOptions()
    options.columns = try CSVColumns(parsing: "lat=2,lon=3")
    options.writing.fitKind = .course
    #expect(
      options.signature(.track(.gpx))
        == #"{"columns":"lat=2,lon=3","fitKind":"course","output":"gpx","program":"#
        + #""\#(GhostConvert.version)","version":1}"#)
  }

  @Test("A stored signature can be read back")
  func roundTrip() throws {
    var signature = OptionSignature()
    signature.from = "csv"
    signature.duration = 90
    let read = try JSONDecoder().decode(OptionSignature.self, from: Data(signature.text.utf8))
    #expect(read == signature)
    #expect(read.version == 1)
  }
}

import Foundation
import GhostModel
import TestSupport
import Testing
import TrackFormats
import TrackModel
import TrackTransforms

@testable import BulkImport

/// Libraries and journals store these texts, so a change of the format needs another version number.
@Suite("Signatures of options")
struct OptionSignatureTests {
  @Test("Default options have an empty signature")
  func defaults() {
    #expect(OptionSignature(DriveExtraction(), TrackCleaning(), isUTC: false).text.isEmpty)
  }

  @Test("Import options that differ from the defaults are stored by name")
  func imports() throws {
    var extraction = DriveExtraction()
    extraction.rules.timing = .moving
    extraction.rules.cadence = .seconds(5)
    extraction.rules.maximumAccuracy = nil
    extraction.name = "Über/Land"
    var cleaning = TrackCleaning()
    cleaning.simplify = 2.5
    #expect(
      OptionSignature(extraction, cleaning, isUTC: false).text
        == #"{"cadence":"5.0","cleaning":{"simplify":2.5},"maximumAccuracy":"none","name":"Über/Land","#
        + #""timing":"moving","version":1}"#)
  }

  @Test("Every option that changes the points is stored")
  func cleaning() throws {
    var cleaning = TrackCleaning()
    cleaning.kinds = ["driving"]
    cleaning.shift = -30
    cleaning.crop = .timesOfDay(from: 27_000, to: 29_400)
    cleaning.privacy = [
      PrivacyStage.Circle(center: Coordinate(latitude: 52.52, longitude: 13.4), radius: 200)
    ]
    cleaning.merges = true
    cleaning.resample = .metres(10)
    #expect(
      OptionSignature(DriveExtraction(), cleaning, isUTC: false).text
        == #"{"cleaning":{"crop":"27000.0..29400.0","kinds":["driving"],"merge":true,"#
        + #""privacy":["52.52,13.4,200.0"],"resample":"10.0m","shift":-30},"version":1}"#)
  }

  @Test("The signature of a conversion includes the program's version and the format")
  func conversion() throws {
    var options = TrackConversion(to: .track(.gpx))
    options.opening.columns = try CSVColumns(parsing: "lat=2,lon=3")
    options.writing.fitKind = .course
    #expect(
      OptionSignature(options, program: "1.2", isUTC: false).text
        == #"{"columns":"lat=2,lon=3","fitKind":"course","output":"gpx","program":"#
        + #""1.2","version":1}"#)
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

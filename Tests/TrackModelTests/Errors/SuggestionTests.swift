import Testing
import TrackModel

@Suite("Suggestion")
struct SuggestionTests {
  @Test(
    "A suggestion is a sentence without command line options",
    arguments: [
      (.text("unpack it with its password"), "unpack it with its password"),
      (.provideDurationOrSpeed, "give the duration or the speed"),
      (.splitAtGaps(seconds: 21_600), "start a new drive at each gap of more than 6 h"),
      (.splitAtStops(seconds: 600), "start a new drive after each stop of 600 s or longer"),
      (.splitAtGaps(seconds: 90), "start a new drive at each gap of more than 90 s"),
      (.nameColumns(example: "lat=2,lon=3"), "assign the columns, for example lat=2,lon=3"),
      (.joinDeviceGroup, "become a member of the group of the device"),
      (.nameFiles(inFolder: "tracks"), "name the files in it"),
      (.reimportSourceToRepair(source: nil), "import its source again to repair it"),
      (.reimportSourceToRepair(source: "a.gpx"), "import its source (a.gpx) again to repair it"),
      (
        .either(.dropSpikes, .lengthenCadence),
        "remove points that imply impossible speeds; or increase the time between points"
      ),
    ] as [(Suggestion, String)])
  func description(suggestion: Suggestion, expected: String) {
    #expect(suggestion.description == expected)
  }

  @Test("A warning that becomes an error keeps its suggestion")
  func warningAsError() {
    let warning = TrackWarning(.invalidTime, "wrong", suggestion: .dropSpikes)
    #expect(warning.asError.suggestion == .dropSpikes)
  }
}

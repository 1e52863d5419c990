import TestSupport
import Testing
import TrackModel

@testable import ghost_convert

@Suite("Suggestions as options")
struct SuggestionTextTests {
  /// The suggestions, with the texts that name the options and commands.
  private static let advice: [(Suggestion, String)] = [
    (.text("unpack it with its password"), "unpack it with its password"),
    (.provideDuration, "give --duration 24:30"),
    (.provideDurationOrSpeed, "give --duration 24:30 or --speed 50km/h"),
    (.provideDurationOrSpeedOfRoute, "it holds a route: give --duration 24:30 or --speed 50km/h"),
    (.provideStart, "convert --start 2024-05-17T06:12:30Z gives it one"),
    (.splitAtGaps(seconds: 21_600), "--split-gap 6h of import and convert starts a new drive at each gap"),
    (.splitAtGaps(seconds: 90), "--split-gap 90s of import and convert starts a new drive at each gap"),
    (.provideSplitGap(seconds: 3600), "give --split-gap 1h"),
    (.lengthenSplitGap, "give a longer --split-gap"),
    (.lengthenCadence, "a longer --cadence of import needs fewer points"),
    (.dropSpikes, "--drop-spikes of import and convert removes such points"),
    (.allowLowerAccuracy, "give a larger --max-accuracy, or none"),
    (.splitOrSimplify, "split the track, or thin it with --simplify"),
    (.listFormats, "see the formats that can be read with: ghost-convert formats"),
    (
      .nameColumns(example: "lat=2,lon=3,time=1"),
      "say where they are, for example with --columns lat=2,lon=3,time=1"
    ),
    (.nameDateOrder, "say which it is with --columns dates=dmy, dates=mdy or dates=ymd"),
    (.writeToFile, "write to a file with -o instead of standard output"),
    (
      .recordReportsOrReadAsNMEA,
      "gpspipe -w writes what gpsd says; for NMEA sentences (gpspipe -r) give --from nmea"
    ),
    (.provideReceiverAddress, "give --gpsd HOST:PORT"),
    (.useCheckpoint, "use the .checkpoint file next to the output of record"),
    (.writeToFolder, "use --output-directory"),
    (.writeElsewhereOrReplace, "write to another file, or pass --force to replace the input"),
    (
      .writeToOtherFolderOrReplace,
      "name a folder without it with --output-directory, or pass --force to replace it"
    ),
    (.importEachDrive, "use ghost-convert import, which writes a document for each"),
    (.importEachDriveOrMerge, "use ghost-convert import, which writes a document for each, or --merge"),
    (.importAlone, "import it alone, without --stdin-paths --json"),
    (
      .checkPathOrCreateLibrary,
      "check the name, or make a library with ghost-convert import --library FILE"
    ),
    (.useLibrary, "a library is a GeoPackage that import --library has made"),
    (.useLibraryOrNewPath, "give a file that import --library has made, or a new name"),
    (.addDrives, "import --library and record --library make one of it"),
    (
      .nameOrExportDrives,
      """
      of a library of drives name one with --library FILE ID or FILE#ID; \
      ghost-convert library list shows what is in it, and library export makes files of it
      """
    ),
    (.checkLibrary, "ghost-convert library check says more"),
    (.makeRoomAndRepeat, "make room and run the same command again: what is done is not done twice"),
    (.update, "update ghost-convert"),
    (.reimportSource, "import its source with --again"),
    (.reimportSourceToRepair(source: nil), "import its source with --again to put it right"),
    (
      .reimportSourceToRepair(source: "week.gpx"),
      "import its source (week.gpx) with --again to put it right"
    ),
    (.reimportSourceToRestore, "import its source with --again to have it back"),
    (.reimportRemovedDrives, "--again brings them back"),
    (
      .either(.splitAtGaps(seconds: 21_600), .lengthenCadence),
      "--split-gap 6h of import and convert starts a new drive at each gap; "
        + "a longer --cadence of import needs fewer points"
    ),
  ]

  @Test("A suggestion is printed with options, which are not part of its description", arguments: advice)
  func options(suggestion: Suggestion, expected: String) {
    #expect(suggestion.advice == expected)
    #expect(!suggestion.description.contains(#/--[a-z]|ghost-convert/#))
  }

  @Test("Errors and warnings are printed with the options")
  func lines() {
    let error = TrackError(.noTimes, "no times", file: "a.gpx", suggestion: .provideDuration)
    #expect(error.text == "a.gpx: no times; give --duration 24:30")
    #expect(TrackError(.noTimes, "no times", file: "a.gpx").text == "a.gpx: no times")
    let warning = TrackWarning(.invalidValue, "too fast", suggestion: .dropSpikes)
    #expect(warning.textWithAdvice == "too fast; --drop-spikes of import and convert removes such points")
  }

  @Test("Reports name the remedies for a warning")
  func remedies() {
    let both = Suggestion.either(.splitAtGaps(seconds: 21_600), .lengthenCadence)
    #expect(both.remedies == ["splitAtGaps", "lengthenCadence"])
    #expect(Suggestion.provideStart.remedies == ["giveStart"])
    #expect(Suggestion.dropSpikes.remedies == ["dropSpikes"])
    #expect(Suggestion.text("x").remedies == [])
  }
}

import TestSupport
import Testing
import TrackModel

@testable import ghost_convert

@Suite("Suggestions as options", .waiting)
struct SuggestionTextTests {
  /// The suggestions, with the texts that name the options and commands.
  private static let advice: [(Suggestion, String)] = [
    (.text("unpack it with its password"), "unpack it with its password"),
    (.provideDuration, "add --duration 24:30"),
    (.provideDurationOrSpeed, "add --duration 24:30 or --speed 50km/h"),
    (.provideDurationOrSpeedOfRoute, "the file contains a route: add --duration 24:30 or --speed 50km/h"),
    (.provideStart, "add a start time with convert --start 2024-05-17T06:12:30Z"),
    (.splitAtGaps(seconds: 21_600), "--split-gap 6h starts a new drive at each gap"),
    (.splitAtStops(seconds: 600), "--split-stops 10m starts one after each stop"),
    (.splitAtGaps(seconds: 90), "--split-gap 90s starts a new drive at each gap"),
    (.provideSplitGap(seconds: 3600), "add --split-gap 1h"),
    (.lengthenSplitGap, "use a longer --split-gap"),
    (.lengthenCadence, "use a longer --cadence for fewer points"),
    (.dropSpikes, "--drop-spikes removes these points"),
    (.allowLowerAccuracy, "use a larger --max-accuracy, or none"),
    (.joinTimedWaypoints, "--track-from-points joins the waypoints, which have times"),
    (.reverseTracks, "--reverse reverses tracks that list the newest point first"),
    (.combineRecordings, "if devices recorded one drive, --fuse combines their recordings"),
    (.splitOrSimplify, "split the track, or use --simplify"),
    (.listFormats, "list the supported formats with: ghost-convert formats"),
    (
      .nameColumns(example: "lat=2,lon=3,time=1"),
      "assign the columns, for example with --columns lat=2,lon=3,time=1"
    ),
    (.nameDateOrder, "set the order with --columns dates=dmy, dates=mdy or dates=ymd"),
    (.writeToFile, "write to a file with -o instead of standard output"),
    (
      .recordReportsOrReadAsNMEA,
      "use gpspipe -w for gpsd reports, or --from nmea for NMEA sentences (gpspipe -r)"
    ),
    (.provideReceiverAddress, "add --gpsd HOST:PORT"),
    (.startReceiverDaemon, "is gpsd running? gpsd -n /dev/ttyUSB0 starts it"),
    (.joinDeviceGroup, "add yourself to the group of the device, on Debian with sudo adduser $USER dialout"),
    (.checkPermissions, "you may not read it; ls -l shows who may"),
    (.nameFiles(inFolder: "tracks"), "name the files in it, such as tracks/*"),
    (
      .nameColors(palettes: ["okabe-ito", "tol-bright"]),
      "write 0072b2,d55e00 or the name of a palette: okabe-ito, tol-bright"
    ),
    (.listIdentifiers, "list the ids with ghost-convert library list"),
    (.useCheckpoint, "use the .checkpoint file next to the output of record"),
    (.checkName, "check the name, or list the folder with ls"),
    (.stopRecording, "stop the recording with Ctrl-C, which saves it"),
    (.renameOrStopRecording, "choose another name, or stop the other recording with Ctrl-C"),
    (
      .restoreRecording(checkpoint: "a.gpx.checkpoint"),
      "ghost-convert record --recover a.gpx.checkpoint restores it; otherwise remove it"
    ),
    (.renameOrReplace, "use a different name, or --force to replace it"),
    (.lengthenStep, "use a longer --every"),
    (.listDrives, "list the drives with ghost-convert library list"),
    (.listRoutes, "list repeated routes with ghost-convert library routes"),
    (.listSegments, "list the segments with ghost-convert segment list"),
    (.writeDocumentPerDrive, "use --output-directory, which writes a document per drive"),
    (.importEachFile, "use ghost-convert import, which creates a drive from each"),
    (.writeToFolder, "use --output-directory FOLDER, or --library to collect drives"),
    (.writeElsewhereOrReplace, "write to another file, or pass --force to replace the input"),
    (
      .writeToOtherFolderOrReplace,
      "use a different folder, or pass --force to replace the file"
    ),
    (.importEachDrive, "use ghost-convert import, which writes a document per drive"),
    (.importEachDriveOrMerge, "use ghost-convert import, which writes a document per drive, or --merge"),
    (.importAlone, "import it separately, without --stdin-paths --json"),
    (
      .checkPathOrCreateLibrary,
      "check the path, or create a library with ghost-convert import --library FILE"
    ),
    (.useLibrary, "a library is a GeoPackage created by import --library"),
    (.useLibraryOrNewPath, "use a library created by import --library, or a new path"),
    (.addDrives, "import --library and record --library turn it into a library"),
    (
      .nameOrExportDrives,
      """
      to use a drive of a library, pass --library FILE ID, or FILE#ID; \
      ghost-convert library list lists the drives, and library export writes them to files
      """
    ),
    (.checkLibrary, "run ghost-convert library check for details"),
    (.makeRoomAndRepeat, "free disk space and run the same command again; completed work is kept"),
    (.update, "update ghost-convert"),
    (.reimportSource, "import its source with --again"),
    (.reimportSourceToRepair(source: nil), "import its source with --again to repair it"),
    (
      .reimportSourceToRepair(source: "week.gpx"),
      "import its source (week.gpx) with --again to repair it"
    ),
    (.reimportSourceToRestore, "import its source with --again to restore it"),
    (.reimportRemovedDrives, "use --again to restore them"),
    (
      .either(.splitAtGaps(seconds: 21_600), .lengthenCadence),
      "--split-gap 6h starts a new drive at each gap; "
        + "use a longer --cadence for fewer points"
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
    #expect(error.text == "a.gpx: no times; add --duration 24:30")
    #expect(TrackError(.noTimes, "no times", file: "a.gpx").text == "a.gpx: no times")
    let warning = TrackWarning(.invalidValue, "too fast", suggestion: .dropSpikes)
    #expect(warning.textWithAdvice == "too fast; --drop-spikes removes these points")
  }

  @Test("Reports contain the suggestions for a warning")
  func remedies() {
    let both = Suggestion.either(.splitAtGaps(seconds: 21_600), .lengthenCadence)
    #expect(both.remedies == ["split-at-gaps", "lengthen-cadence"])
    #expect(Suggestion.provideStart.remedies == ["provide-start"])
    #expect(Suggestion.dropSpikes.remedies == ["drop-spikes"])
    #expect(Suggestion.text("x").remedies == [])
  }

  @Test("The output in a folder that was removed is answered with advice about the folder")
  func removedFolder() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let outcome = try folder.shell(
        "f=$PWD/commute.gpx; mkdir gone; cd gone; rmdir ../gone; $GHOST_CONVERT convert $f -o out.gpx")
      #expect(outcome.status == 73)
      #expect(
        outcome.errors.hasSuffix("; the current folder was removed; change to another one\n"),
        "\(outcome.errors)")
    }
  }

  @Test(
    "A mistyped format, extension, file or value is answered with the intended one",
    arguments: [
      ("convert commute.gpx --to gpxx -o -", "did you mean gpx?"),
      ("convert commute.gpx --from gxp -o -", "did you mean gpx?"),
      ("convert commute.gpx -o out.gxp", "did you mean out.gpx?"),
      ("info comute.gpx", "did you mean commute.gpx?"),
      ("compare commute.gpx ./comute.gpx", "did you mean ./commute.gpx?"),
      ("info nothing-like-it", "check the name, or list the folder with ls"),
      ("completions zhs", "did you mean zsh?"),
      ("compare commute.gpx commute.gpx --mode start-locaton", "did you mean start-location?"),
      ("doktor", "did you mean doctor?"),
      ("commute.gpx", "to show the contents of a file, run ghost-convert info commute.gpx"),
      ("-v", "did you mean -V?"),
      ("convert commute.gpx out.kml", "write -o before the output: -o out.kml"),
      ("convert commute.gpx", "add --output FILE, or --output - for standard output"),
    ])
  func misspellings(arguments: String, advice: String) throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let outcome = try GhostConvertProgram.run(
        arguments.split(separator: " ").map(String.init), in: folder.url)
      #expect(outcome.status != 0)
      #expect(outcome.errors.hasSuffix("; \(advice)\n"), "\(outcome.errors)")
    }
  }
}

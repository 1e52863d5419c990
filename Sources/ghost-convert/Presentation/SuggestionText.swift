import TrackModel

extension Suggestion {
  /// What to do, with the options and commands of this program.
  var advice: String {
    switch self {
    case .text(let text): text
    case .either(let first, let second): "\(first.advice); \(second.advice)"
    case .provideDuration: "give --duration 24:30"
    case .provideDurationOrSpeed: "give --duration 24:30 or --speed 50km/h"
    case .provideDurationOrSpeedOfRoute: "it holds a route: give --duration 24:30 or --speed 50km/h"
    case .provideStart: "convert --start 2024-05-17T06:12:30Z gives it one"
    case .splitAtGaps(let seconds):
      "--split-gap \(Self.value(seconds)) of import and convert starts a new drive at each gap"
    case .provideSplitGap(let seconds): "give --split-gap \(Self.value(seconds))"
    case .lengthenSplitGap: "give a longer --split-gap"
    case .lengthenCadence: "a longer --cadence of import needs fewer points"
    case .dropSpikes: "--drop-spikes of import and convert removes such points"
    case .allowLowerAccuracy: "give a larger --max-accuracy, or none"
    case .splitOrSimplify: "split the track, or thin it with --simplify"
    case .provideGate: "give a place on the road with --gate LAT,LON"
    case .provideLine: "give the road with --line FILE"
    case .listFormats: "see the formats that can be read with: ghost-convert formats"
    case .nameColumns(let example): "say where they are, for example with --columns \(example)"
    case .nameDateOrder: "say which it is with --columns dates=dmy, dates=mdy or dates=ymd"
    case .writeToFile: "write to a file with -o instead of standard output"
    case .recordReportsOrReadAsNMEA:
      "gpspipe -w writes what gpsd says; for NMEA sentences (gpspipe -r) give --from nmea"
    case .provideReceiverAddress: "give --gpsd HOST:PORT"
    case .useCheckpoint: "use the .checkpoint file next to the output of record"
    case .writeToFolder: "use --output-directory"
    case .writeElsewhereOrReplace: "write to another file, or pass --force to replace the input"
    case .writeToOtherFolderOrReplace:
      "name a folder without it with --output-directory, or pass --force to replace it"
    case .importEachDrive: "use ghost-convert import, which writes a document for each"
    case .importEachDriveOrMerge: "use ghost-convert import, which writes a document for each, or --merge"
    case .importAlone: "import it alone, without --stdin-paths --json"
    case .checkPathOrCreateLibrary:
      "check the name, or make a library with ghost-convert import --library FILE"
    case .useLibrary: "a library is a GeoPackage that import --library has made"
    case .useLibraryOrNewPath: "give a file that import --library has made, or a new name"
    case .addDrives: "import --library and record --library make one of it"
    case .nameOrExportDrives:
      "of a library of drives name one with --library FILE ID or FILE#ID; "
        + "ghost-convert library list shows what is in it, and library export makes files of it"
    case .checkLibrary: "ghost-convert library check says more"
    case .makeRoomAndRepeat: "make room and run the same command again: what is done is not done twice"
    case .update: "update ghost-convert"
    case .reimportSource: "import its source with --again"
    case .reimportSourceToRepair(let source):
      "import its source\(source.map { " (\($0))" } ?? "") with --again to put it right"
    case .reimportSourceToRestore: "import its source with --again to have it back"
    case .reimportRemovedDrives: "--again brings them back"
    }
  }

  /// Seconds as the value of an option, such as `6h`.
  private static func value(_ seconds: Int) -> String {
    seconds % 3600 == 0 ? "\(seconds / 3600)h" : "\(seconds)s"
  }
}

extension TrackError {
  /// The error on one line, with the options that may help.
  var text: String { [problem, suggestion?.advice].joinedLine }
}

extension TrackWarning {
  /// The warning without its line and column, with the options that may help.
  var textWithAdvice: String { [text, suggestion?.advice].joinedLine }
}

extension [String?] {
  /// A problem and advice on one line, as `problem; advice`.
  var joinedLine: String { compactMap { $0.map(Diagnostic.singleLine) }.joined(separator: "; ") }
}

import BulkImport
import CommandLineParsing
import TrackFormats
import TrackModel

extension Suggestion {
  /// The advice, with the options and commands of this program.
  var advice: String {
    switch self {
    case .text, .nameColors: description
    case .either(let first, let second): "\(first.advice); \(second.advice)"
    case .provideDuration: "add --duration 24:30"
    case .provideDurationOrSpeed: "add --duration 24:30 or --speed 50km/h"
    case .provideDurationOrSpeedOfRoute: "the file contains a route: add --duration 24:30 or --speed 50km/h"
    case .provideStart: "add a start time with convert --start 2024-05-17T06:12:30Z"
    case .splitAtGaps(let seconds):
      "--split-gap \(Self.value(seconds)) starts a new drive at each gap"
    case .splitAtStops(let seconds): "--split-stops \(Self.value(seconds)) starts one after each stop"
    case .provideSplitGap(let seconds): "add --split-gap \(Self.value(seconds))"
    case .lengthenSplitGap: "use a longer --split-gap"
    case .lengthenCadence: "use a longer --cadence for fewer points"
    case .lengthenStep: "use a longer --every"
    case .dropSpikes: "--drop-spikes removes these points"
    case .allowLowerAccuracy: "use a larger --max-accuracy, or none"
    case .joinTimedWaypoints: "--track-from-points joins the waypoints, which have times"
    case .reverseTracks: "--reverse reverses tracks that list the newest point first"
    case .combineRecordings: "if devices recorded one drive, --fuse combines their recordings"
    case .splitOrSimplify: "split the track, or use --simplify"
    case .provideGate: "set a gate on the road with --gate LAT,LON"
    case .provideLine: "add the line of the road with --line FILE"
    case .listFormats: "list the supported formats with: ghost-convert formats"
    case .nameColumns(let example): "assign the columns, for example with --columns \(example)"
    case .nameDateOrder: "set the order with --columns dates=dmy, dates=mdy or dates=ymd"
    case .writeToFile: "write to a file with -o instead of standard output"
    case .recordReportsOrReadAsNMEA:
      "use gpspipe -w for gpsd reports, or --from nmea for NMEA sentences (gpspipe -r)"
    case .provideReceiverAddress: "add --gpsd HOST:PORT"
    case .startReceiverDaemon: "is gpsd running? gpsd -n /dev/ttyUSB0 starts it"
    case .joinDeviceGroup:
      "add yourself to the group of the device, on Debian with sudo adduser $USER dialout"
    case .checkPermissions: "you may not read it; ls -l shows who may"
    case .nameFiles(let folder): "name the files in it, such as \(folder)/*"
    case .checkName: "check the name, or list the folder with ls"
    case .useCheckpoint: "use the .checkpoint file next to the output of record"
    case .stopRecording: "stop the recording with Ctrl-C, which saves it"
    case .renameOrStopRecording: "choose another name, or stop the other recording with Ctrl-C"
    case .restoreRecording(let checkpoint):
      "ghost-convert record --recover \(checkpoint) restores it; otherwise remove it"
    case .renameOrReplace: "use a different name, or --force to replace it"
    case .writeToFolder: "use --output-directory FOLDER, or --library to collect drives"
    case .writeElsewhereOrReplace: "write to another file, or pass --force to replace the input"
    case .writeToOtherFolderOrReplace:
      "use a different folder, or pass --force to replace the file"
    case .importEachDrive: "use ghost-convert import, which writes a document per drive"
    case .importEachDriveOrMerge: "use ghost-convert import, which writes a document per drive, or --merge"
    case .importEachFile: "use ghost-convert import, which creates a drive from each"
    case .importAlone: "import it separately, without --stdin-paths --json"
    case .listIdentifiers: "list the ids with ghost-convert library list"
    case .listDrives: "list the drives with ghost-convert library list"
    case .listRoutes: "list repeated routes with ghost-convert library routes"
    case .listSegments: "list the segments with ghost-convert segment list"
    case .writeDocumentPerDrive: "use --output-directory, which writes a document per drive"
    case .checkPathOrCreateLibrary:
      "check the path, or create a library with ghost-convert import --library FILE"
    case .useLibrary: "a library is a GeoPackage created by import --library"
    case .useLibraryOrNewPath: "use a library created by import --library, or a new path"
    case .addDrives: "import --library and record --library turn it into a library"
    case .nameOrExportDrives:
      "to use a drive of a library, pass --library FILE ID, or FILE#ID; "
        + "ghost-convert library list lists the drives, and library export writes them to files"
    case .checkLibrary: "run ghost-convert library check for details"
    case .makeRoomAndRepeat: "free disk space and run the same command again; completed work is kept"
    case .update: "update ghost-convert"
    case .reimportSource: "import its source with --again"
    case .reimportSourceToRepair(let source):
      "import its source\(source.map { " (\($0))" } ?? "") with --again to repair it"
    case .reimportSourceToRestore: "import its source with --again to restore it"
    case .reimportRemovedDrives: "use --again to restore them"
    }
  }

  /// Formats seconds as the value of an option, such as `6h`.
  private static func value(_ seconds: Int) -> String {
    seconds % 3600 == 0 ? "\(seconds / 3600)h" : seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
  }
}

extension TrackError {
  /// The error on one line, with advice about the relevant options.
  var text: String { [problem, advice].joinedLine }

  /// The advice of the suggestion. A missing file's most similar name in the folder is added.
  var advice: String? {
    guard suggestion == .checkName, let file else { return suggestion?.advice }
    let folder = FileName.folder(file)
    guard
      let names = try? FileDescriptor.names(inFolder: folder.isEmpty ? "." : folder),
      let name = CommandLineParsing.suggestion(for: String(file.dropFirst(folder.count)), among: names),
      // Names of a few letters are not similar because of their extension.
      CommandLineParsing.suggestion(for: InputPath.stem(file), among: [InputPath.stem(name)]) != nil
    else {
      return file.isIdentifier ? Suggestion.nameOrExportDrives.advice : suggestion?.advice
    }
    return "did you mean \(folder)\(name)?"
  }
}

extension String {
  /// Whether the text may be the id of a drive in a library, or its beginning.
  fileprivate var isIdentifier: Bool {
    utf8.count >= 4 && utf8.count <= 36 && contains(where: \.isNumber)
      && allSatisfy { $0.isHexDigit || $0 == "-" }
  }
}

extension TrackWarning {
  /// The warning without its line and column, with advice about the relevant options.
  var textWithAdvice: String { [text, suggestion?.advice].joinedLine }
}

extension [String?] {
  /// A problem and advice on one line, as `problem; advice`.
  var joinedLine: String { compactMap { $0.map(Diagnostic.singleLine) }.joined(separator: "; ") }
}

/// A way to resolve an error or a warning.
///
/// ``description`` is a sentence for people that mentions no program's options. A program with options
/// presents each case in its own terms.
public indirect enum Suggestion: Sendable, Hashable, CustomStringConvertible {
  /// Plain advice, such as `unpack it with its password`.
  case text(String)
  /// Either of two alternatives.
  case either(Suggestion, Suggestion)

  // MARK: Times

  /// Give the duration of a drive without times.
  case provideDuration
  /// Give the duration or the speed of a drive without times.
  case provideDurationOrSpeed
  /// Give the duration or the speed of a route, so that it becomes a drive.
  case provideDurationOrSpeedOfRoute
  /// Give a start time to tracks without times.
  case provideStart

  // MARK: Points

  /// Start a new drive at each gap in time that is longer than `seconds`.
  case splitAtGaps(seconds: Int)
  /// Begin a new drive after each stop of at least a number of seconds.
  case splitAtStops(seconds: Int)
  /// Split at gaps longer than `seconds`, because the times cannot be in one drive.
  case provideSplitGap(seconds: Int)
  /// Split at longer gaps only.
  case lengthenSplitGap
  /// Increase the time between the points of a drive.
  case lengthenCadence
  /// Remove points that imply impossible speeds.
  case dropSpikes
  /// Keep points of lower accuracy.
  case allowLowerAccuracy
  /// Join the waypoints that have times into a track.
  case joinTimedWaypoints
  /// Reverse tracks that list the newest point first.
  case reverseTracks
  /// Combine recordings of one drive that overlap in time.
  case combineRecordings
  /// Split the track or reduce the number of its points.
  case splitOrSimplify

  /// Increase the time between the positions of a replay.
  case lengthenStep

  // MARK: Laps

  /// Give a gate, or a different one.
  case provideGate
  /// Give the line of a stretch of road.
  case provideLine

  // MARK: Formats

  /// Look up which formats can be read.
  case listFormats
  /// Assign columns of a table to values, as in `example`.
  case nameColumns(example: String)
  /// Give the order of day, month and year.
  case nameDateOrder
  /// Write to a file, which unlike a stream can be written out of order.
  case writeToFile
  /// Record the reports of gpsd as JSON, or read the input as NMEA.
  case recordReportsOrReadAsNMEA
  /// Give the host and the port of a receiver.
  case provideReceiverAddress
  /// Start the daemon that serves the positions of a receiver.
  case startReceiverDaemon
  /// Become a member of the group that may use a serial device.
  case joinDeviceGroup
  /// Use the checkpoint of a recording.
  case useCheckpoint

  /// Stop a running recording, which saves it.
  case stopRecording
  /// Use another name, or stop the recording that is using this one.
  case renameOrStopRecording
  /// Restore an interrupted recording, or remove its checkpoint.
  case restoreRecording(checkpoint: String)

  // MARK: Inputs

  /// Check the name of a file that does not exist in an existing folder.
  case checkName
  /// Check who may read a file.
  case checkPermissions
  /// Name the files in a folder instead of the folder.
  case nameFiles(inFolder: String)

  // MARK: Outputs

  /// Write each drive to a separate file in a folder.
  case writeToFolder
  /// Use a different name, or allow the file to be replaced.
  case renameOrReplace
  /// Write to a different file, or allow the output to replace the input.
  case writeElsewhereOrReplace
  /// Write to a folder without files of these names, or allow them to be replaced.
  case writeToOtherFolderOrReplace
  /// Import the input, which writes a document for each drive.
  case importEachDrive
  /// Import the input, or merge its tracks into one drive.
  case importEachDriveOrMerge
  /// Import each file of the input, which creates a drive from each.
  case importEachFile
  /// Import the input alone instead of in a list.
  case importAlone

  /// Give colours as hexadecimal digits, or the name of a palette.
  case nameColors(palettes: [String])

  // MARK: Libraries of drives

  /// Look up the identifiers of the drives.
  case listIdentifiers
  /// Look up the drives of the library.
  case listDrives
  /// Look up the routes that were driven repeatedly.
  case listRoutes
  /// Look up the segments of the library.
  case listSegments
  /// Write a document for each drive to a folder.
  case writeDocumentPerDrive
  /// Use the path of a library, or create a library.
  case checkPathOrCreateLibrary
  /// Use a file that is a library.
  case useLibrary
  /// Use a file that is a library, or a path at which there is no file.
  case useLibraryOrNewPath
  /// Add drives to an empty library file.
  case addDrives
  /// Name drives of the library, or export them to files.
  case nameOrExportDrives
  /// Check the library for damage.
  case checkLibrary
  /// Free space on the disk and repeat the failed operation.
  case makeRoomAndRepeat
  /// Update the program or the library that opens the file.
  case update
  /// Import the source of a drive again.
  case reimportSource
  /// Import the source of a damaged drive again.
  case reimportSourceToRepair(source: String?)
  /// Import the source of a lost drive again.
  case reimportSourceToRestore
  /// Import drives again that were removed from the library.
  case reimportRemovedDrives

  /// What to do, in the imperative, without a full stop.
  public var description: String {
    switch self {
    case .text(let text): text
    case .either(let first, let second): "\(first); or \(second)"
    case .provideDuration: "give the duration"
    case .provideDurationOrSpeed: "give the duration or the speed"
    case .provideDurationOrSpeedOfRoute: "give the duration or the speed of the route"
    case .provideStart: "give tracks without times a start time"
    case .splitAtGaps(let seconds): "start a new drive at each gap of more than \(Self.duration(seconds))"
    case .splitAtStops(let seconds):
      "start a new drive after each stop of \(Self.duration(seconds)) or longer"
    case .provideSplitGap(let seconds): "split the recording at gaps of more than \(Self.duration(seconds))"
    case .lengthenSplitGap: "split at longer gaps only"
    case .lengthenCadence: "increase the time between points"
    case .lengthenStep: "use a longer time between positions"
    case .dropSpikes: "remove points that imply impossible speeds"
    case .allowLowerAccuracy: "keep points of lower accuracy"
    case .joinTimedWaypoints: "join the waypoints, which have times, into a track"
    case .reverseTracks: "reverse the tracks, which list the newest point first"
    case .combineRecordings: "if devices recorded one drive, combine their recordings"
    case .splitOrSimplify: "split the track, or reduce the number of its points"
    case .provideGate: "give a gate on the road that was driven"
    case .provideLine: "give the line of the road"
    case .listFormats: "use a format that can be read"
    case .nameColumns(let example): "assign the columns, for example \(example)"
    case .nameDateOrder: "give the order of day, month and year"
    case .writeToFile: "write to a file instead of a stream"
    case .recordReportsOrReadAsNMEA: "record the reports of gpsd as JSON, or read the input as NMEA"
    case .provideReceiverAddress: "check the host and the port"
    case .startReceiverDaemon: "start the daemon of the receiver"
    case .joinDeviceGroup: "become a member of the group of the device"
    case .useCheckpoint: "use the checkpoint of a recording"
    case .stopRecording: "stop the recording, which saves it"
    case .renameOrStopRecording: "choose another name, or stop the other recording"
    case .restoreRecording: "restore it from its checkpoint; otherwise remove the checkpoint"
    case .checkName: "check the name"
    case .checkPermissions: "you may not read it; check its permissions"
    case .nameFiles: "name the files in it"
    case .writeToFolder: "write to a folder"
    case .renameOrReplace: "use a different name, or allow the file to be replaced"
    case .writeElsewhereOrReplace: "write to a different file, or allow the input to be replaced"
    case .writeToOtherFolderOrReplace: "write to a folder without it, or allow it to be replaced"
    case .importEachDrive: "import it, which writes a document for each drive"
    case .importEachDriveOrMerge: "import it, which writes a document for each drive, or merge the tracks"
    case .importEachFile: "import its files, which creates a drive from each"
    case .importAlone: "import it alone"
    case .nameColors(let palettes):
      "write 0072b2,d55e00 or the name of a palette: \(palettes.joined(separator: ", "))"
    case .listIdentifiers: "look up the identifiers of the drives"
    case .listDrives: "look up the drives of the library"
    case .listRoutes: "look up the routes that were driven repeatedly"
    case .listSegments: "look up the segments of the library"
    case .writeDocumentPerDrive: "write to a folder, with a document for each drive"
    case .checkPathOrCreateLibrary: "check the path, or create a library"
    case .useLibrary: "use a GeoPackage that was created as a library of drives"
    case .useLibraryOrNewPath: "use a library of drives, or a new path"
    case .addDrives: "add drives to make it a library"
    case .nameOrExportDrives: "name drives of the library, or export them to files"
    case .checkLibrary: "check the library for damage"
    case .makeRoomAndRepeat: "make room and try again: completed work is kept"
    case .update: "update the program"
    case .reimportSource: "import its source again"
    case .reimportSourceToRepair(nil): "import its source again to repair it"
    case .reimportSourceToRepair(let source?): "import its source (\(source)) again to repair it"
    case .reimportSourceToRestore: "import its source again to restore it"
    case .reimportRemovedDrives: "import them again to restore them"
    }
  }

  private static func duration(_ seconds: Int) -> String {
    seconds % 3600 == 0 ? "\(seconds / 3600) h" : "\(seconds) s"
  }
}

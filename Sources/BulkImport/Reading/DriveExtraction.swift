public import DriveMatching
public import GhostModel
public import TrackArchives
public import TrackFormats
public import TrackModel
import TrackTransforms

/// A result of reading an input, delivered in order.
public enum DriveStep: Sendable {
  /// A drive, with its positions over time if duplicates are to be detected.
  case drive(ImportedDrive, RideFingerprint?)
  /// A track that could not become a drive. The other tracks of the input are still read.
  case trackFailure(TrackError)
  /// The end of the input, delivered once.
  case end(DriveEnding)
}

extension TrackWarning.Code {
  /// A history has too few positions between its drives for another one.
  static let sparseTrack = Self("sparse-track")

  /// Whether warnings of this kind can affect drives. Developer fields in FIT files cannot.
  var concernsDrives: Bool { self != .unplacedField && self != .undescribedField }
}

/// The end of an input.
public struct DriveEnding: Sendable {
  /// The recoverable problems with the input.
  public var warnings: [TrackWarning] = []
  /// The summaries of the stages.
  public var summaries: [String] = []
  /// The error that interrupted reading, or the reason why there is no drive. Earlier drives are complete.
  public var fault: TrackError?
  /// The reason why it turned out not to be an input.
  public var skip: SkipReason?
  /// The detected format.
  public var format: TrackFormat?
  /// The identity of the content, if requested.
  public var identity: ContentIdentity?

  init() {}

  /// Whether a drive may be incomplete because the input is damaged, so that another copy may contain more
  /// of it. Drives before a fault are complete.
  package var isDamaged: Bool { warnings.contains { [.truncated, .damaged].contains($0.code) } }
}

/// Creates the drives of an input. A value can be used for many inputs and by many threads.
public struct DriveExtraction: Sendable {
  /// The options for reading inputs, with the stages that run before tracks become drives.
  public var opening = TrackOpening()
  /// The options for creating drives from tracks.
  public var rules = ImportOptions()
  /// The name for the drives, instead of the one in the file.
  public var name: String?
  /// The largest distance, in metres, between the recorded position at a time and its position after the
  /// stages.
  public var placeTolerance = 0.0
  /// Whether drives are delivered with their positions over time.
  public var takesFingerprints = false
  /// Whether drive documents in folders and archives are read. Otherwise they are treated as outputs of an
  /// import.
  public var takesDrives = false
  /// The seconds by which the stages shift times.
  private var shift = 0.0
  /// Whether an unchanged drive document keeps its identity.
  public var keepsDrives = false

  /// Creates an extraction with the default options.
  public init() {}

  /// Sets the changes to tracks before they become drives.
  ///
  /// - Parameters:
  ///   - cleaning: the changes.
  ///   - forLibrary: whether drives include their recordings instead of their positions over time.
  package mutating func apply(_ cleaning: TrackCleaning, forLibrary: Bool = false) {
    var cleaning = cleaning
    cleaning.isForDrives = true
    opening.stages = { [cleaning] in cleaning.stagesOfImport() }
    rules.keepsRecording = forLibrary
    rules.privacyZones = cleaning.privacy
    takesDrives = forLibrary
    keepsDrives = cleaning.stages.isEmpty
    placeTolerance = cleaning.simplify ?? 0
    shift = cleaning.shift ?? 0
  }

  /// Reads an input to its end.
  ///
  /// - Parameters:
  ///   - content: opens its content.
  ///   - onPoints: called regularly during reading.
  ///   - emit: receives the steps. If it returns false, reading stops and no end is delivered.
  package func run(
    _ input: DiscoveredInput, _ content: () throws(TrackError) -> ByteInput, _ onPoints: () -> Void = {},
    _ emit: (DriveStep) -> Bool
  ) {
    let name = input.label.path == "-" ? "Drive" : input.label.stem
    var reading = Reading(self, input.notes, name: name)
    do throws(TrackError) {
      var opening = opening.adapted(to: input)
      // The stages use no other channels either.
      opening.channels = ChannelSet(.horizontalAccuracy)
      if rules.keepsRecording { opening.channels.insert(ChannelSet(.elevation)) }
      var tracks = try opening.open(try content(), format: input.format)
      reading.ending.format = tracks.format
      reading.rules.keepsDrive = keepsDrives
      if tracks.format == .drive, input.isInContainer, !takesDrives {
        reading.ending.skip = .drive
      } else {
        guard try reading.read(&tracks, onPoints, emit) else { return }
      }
    } catch {
      // In an archive or a folder a file without tracks is not an input.
      if input.isInContainer, error.code == .noTracks {
        reading.ending.skip = reading.ending.skip ?? .noTrack
      } else {
        reading.ending.skip = nil
        reading.ending.fault = error
      }
    }
    guard reading.release(emit) else { return }
    _ = emit(.end(reading.ending))
  }

  /// Reads open tracks to their end.
  ///
  /// - Parameters:
  ///   - name: the name for drives without a name.
  ///   - hasHiddenPoints: whether privacy zones removed points before the tracks were joined.
  package func run(
    _ tracks: consuming OpenTracks, name: String, hasHiddenPoints: @escaping () -> Bool = { false },
    _ emit: (DriveStep) -> Bool
  ) {
    var tracks = tracks
    var reading = Reading(self, .none, name: name)
    reading.hasHiddenPoints = hasHiddenPoints
    do throws(TrackError) {
      guard try reading.read(&tracks, {}, emit) else { return }
    } catch {
      reading.ending.skip = nil
      reading.ending.fault = error
    }
    guard reading.release(emit) else { return }
    _ = emit(.end(reading.ending))
  }

  private struct Reading {
    let extraction: DriveExtraction
    let notes: ActivityNotesSource
    let name: String
    var rules: ImportOptions
    var ending = DriveEnding()
    var hasHiddenPoints: () -> Bool = { false }
    private var drives = 0
    private var failures = 0
    private var tracks = 0
    /// The number of parts between privacy zones that are too short for a drive.
    private var shortParts = 0
    /// If warnings are errors, the steps so far. A warning at the end discards them.
    private var held: [DriveStep] = []
    /// The first track, held until it is known whether there are others.
    private var first: Recording?
    private var routes: [Recording] = []
    /// The errors of tracks without times, held until it is known whether waypoints have times.
    private var untimed: [TrackError] = []
    private var timedWaypoints = 0
    /// The errors of the tracks of a history that have too few positions for a drive.
    private var sparse: [TrackError] = []
    /// The number of tracks without times in a file whose waypoints were joined.
    private var skippedLines = 0

    init(_ extraction: DriveExtraction, _ notes: ActivityNotesSource, name: String) {
      self.extraction = extraction
      self.notes = notes
      self.name = name
      rules = extraction.rules
      if extraction.takesFingerprints { rules.keepsRecording = true }
    }

    /// - Returns: false if no more steps are wanted.
    mutating func read(
      _ open: inout OpenTracks, _ onPoints: () -> Void, _ emit: (DriveStep) -> Bool
    ) throws(TrackError) -> Bool {
      do throws(TrackError) {
        guard try readTracks(&open, onPoints, emit) else { return false }
      } catch {
        guard addFirst(hasOthers: false, emit), passUntimed(of: open, emit) else { return false }
        takeWarnings(of: open)
        throw error
      }
      guard addFirst(hasOthers: false, emit), passUntimed(of: open, emit) else { return false }
      // A planned route becomes a drive only if the user specifies its duration, and if there is no
      // recording.
      if tracks == 0, rules.duration != nil || rules.speed != nil {
        for route in routes where !add(route, hasOthers: routes.count > 1, emit) { return false }
      }
      try end(open)
      return true
    }

    private mutating func pass(_ step: DriveStep, _ emit: (DriveStep) -> Bool) -> Bool {
      guard extraction.opening.isStrict else { return emit(step) }
      held.append(step)
      return true
    }

    /// Emits the held steps, without the drives if a warning has turned the input into a failure.
    mutating func release(_ emit: (DriveStep) -> Bool) -> Bool {
      let steps = held
      held = []
      for step in steps {
        if case .drive = step, ending.fault?.code == .warning { continue }
        guard emit(step) else { return false }
      }
      return true
    }

    /// Adds each track when it ends, and the first track when another one has points.
    private mutating func readTracks(
      _ open: inout OpenTracks, _ onPoints: () -> Void, _ emit: (DriveStep) -> Bool
    ) throws(TrackError) -> Bool {
      var recordings = RecordingBuilder(keepsElevations: extraction.rules.keepsRecording)
      var batch = PointBatch()
      var isInRoute = false
      while let event = try open.reader.next(into: &batch) {
        switch event {
        case .points:
          onPoints()
          if !isInRoute, !addFirst(hasOthers: true, emit) { return false }
        case .beginRoute: isInRoute = true
        case .endRoute: isInRoute = false
        case .waypoint(let waypoint) where waypoint.time != nil: timedWaypoints += 1
        default: break
        }
        guard let recording = recordings.add(event, batch) else { continue }
        if recording.kind == .route {
          routes.append(recording)
        } else if tracks == 0, first == nil, recording.count > 0 {
          first = recording
        } else if !add(recording, hasOthers: true, emit) {
          return false
        }
      }
      return true
    }

    private mutating func addFirst(hasOthers: Bool, _ emit: (DriveStep) -> Bool) -> Bool {
      guard let recording = first.take() else { return true }
      return add(recording, hasOthers: hasOthers, emit)
    }

    /// Emits the errors of tracks without times. If the waypoints were joined into a track, the others only
    /// show its way.
    private mutating func passUntimed(of open: borrowing OpenTracks, _ emit: (DriveStep) -> Bool) -> Bool {
      let errors = untimed
      untimed = []
      if open.reader.stages.contains(where: { ($0 as? TrackFromPointsStage).map { $0.joined > 0 } == true }) {
        failures -= errors.count
        skippedLines = errors.count
        return true
      }
      for error in errors {
        let suggestion =
          timedWaypoints > 1
          ? error.suggestion.map { .either(.joinTimedWaypoints, $0) } ?? .joinTimedWaypoints
          : error.suggestion
        let failure = TrackError(
          error.code, error.message, file: error.file, place: error.place, offendingText: error.offendingText,
          suggestion: suggestion)
        guard pass(.trackFailure(failure), emit) else { return false }
      }
      return true
    }

    private mutating func takeWarnings(of open: borrowing OpenTracks) {
      ending.warnings = open.reader.warnings.filter(\.code.concernsDrives)
      // Google's histories end with the few positions between the drives, which often make no drive.
      for error in sparse where drives > 0 {
        var warning = TrackWarning(.sparseTrack, "\(error.message); the track is skipped")
        warning.suggestion = error.suggestion
        ending.warnings.append(warning)
      }
      if skippedLines > 0 {
        ending.warnings.append(
          TrackWarning(
            .missingTime, "track without times beside the timed waypoints, skipped", count: skippedLines))
      }
    }

    /// Collects the reader's results at the end, and rejects an input without tracks.
    private mutating func end(_ open: borrowing OpenTracks) throws(TrackError) {
      takeWarnings(of: open)
      ending.summaries = open.reader.summaries
      if shortParts > 0 {
        ending.warnings.append(
          TrackWarning(.shortPart, "part of fewer than two points skipped", count: shortParts))
      }
      guard drives == 0, failures == 0 else { return }
      if let error = sparse.first { throw error }
      var isHidden = hasHiddenPoints()
      for stage in open.reader.stages {
        if let stage = stage as? KindStage, stage.removed > 0 {
          ending.skip = .otherKind
          throw TrackError(.noTracks, "no track of the requested kinds")
        }
        if let stage = stage as? UncoveredMonthsStage, stage.removed > 0 { ending.skip = .coarserCopy }
        if let stage = stage as? PrivacyStage, stage.removed > 0 { isHidden = true }
      }
      if let nothing = ending.warnings.first(where: { $0.code == .nothingLeft }) {
        ending.skip = .nothingLeft
        throw TrackError(.noTracks, nothing.message)
      }
      if let other = ending.warnings.first(where: { $0.code == .noTrackFile }) {
        throw TrackError(
          .noTracks, other.message,
          suggestion: .text("drives are in files of the type activity, in the folder Activity"))
      }
      if isHidden, ending.skip == nil { ending.skip = .inPrivacyZones }
      throw TrackError(
        .noTracks,
        isHidden ? "no points left outside the privacy zones" : "no track with points",
        suggestion: routes.isEmpty ? nil : .provideDurationOrSpeedOfRoute)
    }

    /// Imports one recording. A failure is reported and does not stop the others.
    ///
    /// - Parameter hasOthers: whether the input has further tracks.
    private mutating func add(
      _ recording: Recording, hasOthers: Bool, _ emit: (DriveStep) -> Bool
    ) -> Bool {
      guard recording.count > 0 else { return true }
      tracks += 1
      var recording = recording
      let notes = self.notes.notes(start: recording.startTime?.advanced(bySeconds: -extraction.shift))
      let kind = recording.activityKind
      let ownName = notes?.name == nil ? recording.name : nil
      var name = extraction.name ?? notes?.name ?? recording.name ?? self.name
      if extraction.name != nil || ownName == nil {
        if tracks > 1 { name += " \(tracks)" }
        // The kind distinguishes the tracks of one input, such as a ride and a run.
        if extraction.name == nil, hasOthers, let kind { name += " (\(kind))" }
      }
      if tracks == 1, recording.timeSpan == nil { recording.timeSpan = notes?.timeSpan }
      do throws(TrackError) {
        for imported in try DriveImporter.drives(from: recording, options: rules, name: name) {
          if extraction.opening.isStrict, let warning = imported.report.warnings.first {
            throw warning.asError
          }
          var imported = imported
          imported.report.largestPlaceError += extraction.placeTolerance
          imported.drive.describe(as: recording)
          imported.drive.kind = notes?.type ?? kind
          imported.drive.notes = notes?.description ?? imported.drive.notes
          imported.drive.gear = notes?.gear ?? imported.drive.gear
          drives += 1
          let fingerprint =
            extraction.takesFingerprints ? RideFingerprint(imported.drive, imported.recording) : nil
          if !extraction.rules.keepsRecording { imported.recording = nil }
          guard pass(.drive(imported, fingerprint), emit) else { return false }
        }
      } catch {
        // A zone may leave a single point between two cuts.
        if error.code == .tooFewPoints, !rules.privacyZones.isEmpty {
          shortParts += 1
          return true
        }
        let failure = TrackError(
          error.code, (tracks > 1 ? "track \(tracks): " : "") + error.message, file: error.file,
          place: error.place, offendingText: error.offendingText, suggestion: error.suggestion)
        if error.code == .limitExceeded, ending.format == .timeline {
          sparse.append(failure)
          return true
        }
        failures += 1
        guard error.code != .noTimes else {
          untimed.append(failure)
          return true
        }
        return pass(.trackFailure(failure), emit)
      }
      return true
    }
  }
}

public import DriveMatching
public import GhostModel
public import TrackArchives
public import TrackFormats
public import TrackModel
import TrackTransforms

/// What comes out of an input, in its order.
public enum DriveStep: Sendable {
  /// A drive; with where it was when, where duplicates are looked for.
  case drive(ImportedDrive, RideSketch?)
  /// A track that could not become a drive; the others of the input go on.
  case trackFailure(TrackError)
  /// The end of the input, once.
  case end(DriveEnding)
}

extension TrackWarning.Code {
  /// Whether a warning of the kind may change drives. Fields that apps add to FIT files do not.
  public var concernsDrives: Bool { self != .unplacedField && self != .undescribedField }
}

/// How an input ended.
public struct DriveEnding: Sendable {
  /// What was wrong with the input and could be recovered from.
  public var warnings: [TrackWarning] = []
  /// What the stages say they did.
  public var summaries: [String] = []
  /// What broke it off, or why nothing came of it; the drives before it are whole.
  public var fault: TrackError?
  /// Why it is no input after all.
  public var skip: SkipReason?
  /// What it turned out to be.
  public var format: TrackFormat?
  /// What its content is, where that was asked for.
  public var identity: ContentIdentity?

  public init() {}

  /// Whether a drive may have been cut off where the input is damaged, so that another copy may have more of
  /// it. Those
  /// before a fault are whole.
  public var isDamaged: Bool { warnings.contains { [.truncated, .damaged].contains($0.code) } }
}

/// Makes the drives of an input. One value serves many inputs and threads.
public struct DriveExtraction: Sendable {
  public var opening = TrackOpening()
  public var rules = ImportOptions()
  /// What to call the drives, instead of what the file says.
  public var name: String?
  /// How many metres the stages may have taken the points from where the recording was at their times.
  public var placeTolerance = 0.0
  /// Whether drives come with where they were when.
  public var sketchesRides = false
  /// Whether drive documents in folders and archives count; otherwise they are what an import has written
  /// there.
  public var takesDrives = false
  /// Whether a drive document that nothing is changed about stays the drive that it is.
  public var keepsDrives = false

  public init() {}

  /// Reads an input to its end.
  ///
  /// - Parameters:
  ///   - content: opens its content.
  ///   - onPoints: is called now and then while it is read.
  ///   - emit: takes the steps; where it wants no more, reading stops and no end comes.
  public func run(
    _ input: WalkedInput, _ content: () throws(TrackError) -> ByteInput, _ onPoints: () -> Void = {},
    _ emit: (DriveStep) -> Bool
  ) {
    var reading = Reading(self, input.notes, name: input.label.stem)
    do throws(TrackError) {
      var tracks = try opening.adapted(to: input).open(try content(), format: input.format)
      reading.ending.format = tracks.format
      reading.rules.keepsDrive = keepsDrives
      if tracks.format == .drive, input.isInContainer, !takesDrives {
        reading.ending.skip = .drive
      } else {
        guard try reading.read(&tracks, onPoints, emit) else { return }
      }
    } catch {
      // In an archive or a folder what has no tracks is none of the inputs.
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

  /// Reads tracks that are open, to their end.
  ///
  /// - Parameter name: of drives that have none.
  public func run(
    _ tracks: consuming OpenTracks, name: String, _ emit: (DriveStep) -> Bool
  ) {
    var tracks = tracks
    var reading = Reading(self, .none, name: name)
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
    private var drives = 0
    private var failures = 0
    private var tracks = 0
    /// Parts between privacy zones that are too short to be drives.
    private var shortParts = 0
    /// Where warnings are errors: what came so far, which a warning at the end takes back.
    private var held: [DriveStep] = []
    /// The first track, which waits until it is known whether there are others.
    private var first: Recording?
    private var routes: [Recording] = []

    init(_ extraction: DriveExtraction, _ notes: ActivityNotesSource, name: String) {
      self.extraction = extraction
      self.notes = notes
      self.name = name
      rules = extraction.rules
      if extraction.sketchesRides { rules.keepsRecording = true }
    }

    /// - Returns: false where no more is wanted.
    mutating func read(
      _ open: inout OpenTracks, _ onPoints: () -> Void, _ emit: (DriveStep) -> Bool
    ) throws(TrackError) -> Bool {
      do throws(TrackError) {
        guard try readTracks(&open, onPoints, emit) else { return false }
      } catch {
        guard addFirst(hasOthers: false, emit) else { return false }
        throw error
      }
      guard addFirst(hasOthers: false, emit) else { return false }
      // A planned route is a drive only where the user says how long it takes, and only where nothing was
      // recorded.
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

    /// Hands on what was held, but for the drives of an input that a warning has made a failure as a whole.
    mutating func release(_ emit: (DriveStep) -> Bool) -> Bool {
      let steps = held
      held = []
      for step in steps {
        if case .drive = step, ending.fault?.code == .warning { continue }
        guard emit(step) else { return false }
      }
      return true
    }

    /// Adds the tracks as they come, each when it is over; the first when another one has points.
    private mutating func readTracks(
      _ open: inout OpenTracks, _ onPoints: () -> Void, _ emit: (DriveStep) -> Bool
    ) throws(TrackError) -> Bool {
      var recordings = RecordingGathering()
      var batch = PointBatch()
      var isInRoute = false
      while let event = try open.reader.next(into: &batch) {
        switch event {
        case .points:
          onPoints()
          if !isInRoute, !addFirst(hasOthers: true, emit) { return false }
        case .beginRoute: isInRoute = true
        case .endRoute: isInRoute = false
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

    /// Takes what the reader says at its end, and refuses what has no tracks.
    private mutating func end(_ open: borrowing OpenTracks) throws(TrackError) {
      ending.warnings = open.reader.warnings.filter(\.code.concernsDrives)
      ending.summaries = open.reader.summaries
      if shortParts > 0 {
        ending.warnings.append(
          TrackWarning(.shortPart, "part of fewer than two points left out", count: shortParts))
      }
      guard drives == 0, failures == 0 else { return }
      for stage in open.reader.stages {
        if let stage = stage as? KindStage, stage.removed > 0 {
          ending.skip = .otherKind
          throw TrackError(.noTracks, "holds no track of the kinds asked for")
        }
        if let stage = stage as? UncoveredMonthsStage, stage.removed > 0 { ending.skip = .coarserCopy }
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
      throw TrackError(
        .noTracks, "holds no track with points",
        suggestion: routes.isEmpty ? nil : .provideDurationOrSpeedOfRoute)
    }

    /// Imports one recording; what cannot be imported is said and does not stop the others.
    ///
    /// - Parameter hasOthers: whether the input has further tracks.
    private mutating func add(
      _ recording: Recording, hasOthers: Bool, _ emit: (DriveStep) -> Bool
    ) -> Bool {
      guard recording.count > 0 else { return true }
      tracks += 1
      var recording = recording
      let notes = self.notes.notes(start: recording.startTime)
      // What TCX and FIT call a planned way is no kind of activity.
      let kind = recording.type.flatMap { $0.lowercased() == "course" ? nil : $0 }
      let ownName = notes?.name == nil ? recording.name : nil
      var name = extraction.name ?? notes?.name ?? recording.name ?? self.name
      if extraction.name != nil || ownName == nil {
        if tracks > 1 { name += " \(tracks)" }
        // Which is the ride, and which the run?
        if extraction.name == nil, hasOthers, let kind { name += " (\(kind))" }
      }
      if tracks == 1, recording.timeSpan == nil { recording.timeSpan = notes?.timeSpan }
      do throws(TrackError) {
        for imported in try DriveImporter.drives(from: recording, options: rules, name: name) {
          if extraction.opening.isStrict, let warning = imported.report.warnings.first {
            throw warning.asError
          }
          var imported = imported
          imported.drive.kind = notes?.type ?? kind
          imported.report.largestPlaceError += extraction.placeTolerance
          // What a drive document says stays with the drive; what any other file says of a track does not.
          let isDrive = recording.drive != nil
          imported.drive.notes = notes?.description ?? (isDrive ? recording.description : nil)
          imported.drive.gear = notes?.gear ?? (isDrive ? recording.gear : nil)
          drives += 1
          let sketch = extraction.sketchesRides ? RideSketch(imported.drive, imported.recording) : nil
          if !extraction.rules.keepsRecording { imported.recording = nil }
          guard pass(.drive(imported, sketch), emit) else { return false }
        }
      } catch {
        // A zone may leave a single point between two cuts.
        if error.code == .tooFewPoints, !rules.privacyZones.isEmpty {
          shortParts += 1
          return true
        }
        failures += 1
        return pass(
          .trackFailure(
            TrackError(
              error.code, (tracks > 1 ? "track \(tracks): " : "") + error.message, file: error.file,
              place: error.place, offendingText: error.offendingText, suggestion: error.suggestion)), emit)
      }
      return true
    }
  }
}

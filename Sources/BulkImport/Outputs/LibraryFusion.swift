package import DriveLibrary
import DriveMatching
import GhostModel
import TrackFormats
package import TrackModel
import TrackTransforms

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Combines the recordings of one ride by several devices in a library (``FuseStage``).
package enum LibraryFusion {
  /// Stores the drive that combines others, and removes those.
  ///
  /// - Parameter drives: the drives. Name, kind, notes and gear are those of the first drive that has any.
  /// - Returns: the id of the combined drive.
  /// - Throws: `noTimes` for a drive without recorded times, `invalidValue` for drives of different rides.
  package static func fuse(_ drives: [LibraryDrive], in library: DriveLibrary) throws(TrackError) -> UUID {
    var document = TrackDocument()
    for drive in drives {
      guard let recording = try LibraryTrack(drive, in: library)?.document else {
        throw TrackError(.noTimes, "drive \(drive.id): no recorded times")
      }
      document.tracks += recording.tracks
    }
    var extraction = DriveExtraction()
    extraction.rules.keepsRecording = true
    var fused: [ImportedDrive] = []
    var fault: TrackError?
    var summary = ""
    let reader = StagedReader(TrackDocumentReader(document), [FuseStage()])
    extraction.run(OpenTracks(reader: reader, format: .gpx), name: "") { step in
      switch step {
      case .drive(let drive, _): fused.append(drive)
      case .trackFailure(let error): fault = error
      case .end(let ending):
        fault = ending.fault ?? fault
        summary = ending.summaries.joined(separator: "; ")
      }
      return true
    }
    if let fault { throw fault }
    guard fused.count == 1 else {
      throw TrackError(.invalidValue, "not recordings of one ride by several devices; \(summary)")
    }
    let new = NewLibraryDrive(
      fused[0].drive, recording: fused[0].recording, kind: drives.compactMap(\.kind).first,
      description: drives.compactMap(\.description).first, gear: drives.compactMap(\.gear).first)
    return try library.replace(drives, by: PreparedDrive(new, takesFingerprint: false))
  }
}

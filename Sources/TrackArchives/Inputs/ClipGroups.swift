import TrackModel

/// The clips that cameras split a recording into, and clips with the same positions as others, such as those
/// of the rear camera.
struct ClipGroups {
  enum Role {
    /// The first clip of a recording, with the paths of the others in the order of their times.
    case first(next: [String])
    /// A later clip of a recording.
    case later
    /// A clip without positions.
    case copy
  }

  /// The roles of the clips that are part of a group, by path.
  private(set) var roles: [String: Role] = [:]

  /// Groups the films among files of one folder or one command. Other files are ignored.
  mutating func add(_ paths: [String]) {
    let clips = Set(paths).compactMap { FilmClip($0) }
    guard clips.count > 1 else { return }
    // The first of films with the same positions gives the recording its name.
    func order(_ clip: FilmClip) -> (Int64, Int, String) {
      let rank = clip.isProxy ? 2 : clip.path.lowercased().contains("front") ? 0 : 1
      return (FilmClip.second(of: clip.start), rank, clip.path)
    }
    var open: [Recording] = []
    for clip in clips.sorted(by: { order($0) < order($1) }) {
      for recording in open where !recording.mayContinue(at: clip.start) { add(recording) }
      open.removeAll { !$0.mayContinue(at: clip.start) }
      if open.contains(where: { $0.contains(clip) }) {
        roles[clip.path] = .copy
      } else if let index = open.firstIndex(where: { $0.isContinued(by: clip) }) {
        open[index].append(clip)
      } else {
        open.append(Recording(clip))
      }
    }
    for recording in open { add(recording) }
  }

  private mutating func add(_ recording: Recording) {
    guard let first = recording.paths.first, recording.paths.count > 1 else { return }
    let next = Array(recording.paths.dropFirst())
    roles[first] = .first(next: next)
    for path in next { roles[path] = .later }
  }

  /// Consecutive clips of one camera.
  private struct Recording {
    private(set) var paths: [String]
    private let camera: String?
    private var positions: [Int64: Coordinate]
    private var end: Int64
    private var last: Coordinate

    /// The longest time between the positions of two clips in seconds, for example in a tunnel.
    private static let longestGap = 120.0
    /// The overlap of consecutive clips of some cameras in seconds.
    private static let usualOverlap = 5.0
    /// The fastest driving speed in metres per second, and the error of the positions in metres.
    private static let fastest = 100.0
    private static let uncertainty = 100.0
    /// The largest difference in degrees between positions that are the same.
    private static let sameDegrees = 1e-5

    init(_ clip: FilmClip) {
      paths = [clip.path]
      camera = clip.camera
      positions = clip.positions
      end = clip.end
      last = clip.last
    }

    private func gap(to time: Int64) -> Double { Double(time - end) / 1e6 }

    func mayContinue(at time: Int64) -> Bool { gap(to: time) <= Self.longestGap }

    /// Whether a clip has the same positions at the same times.
    func contains(_ clip: FilmClip) -> Bool { gap(to: clip.end) <= 2 && agrees(with: clip) }

    /// Whether a clip begins where the recording ends.
    func isContinued(by clip: FilmClip) -> Bool {
      let gap = gap(to: clip.start)
      guard gap >= -Self.usualOverlap else { return agrees(with: clip) }
      return gap <= Self.longestGap && clip.camera == camera
        && Geodesy.sphericalDistance(from: last, to: clip.first)
          <= Self.uncertainty + Self.fastest * max(gap, 0)
    }

    /// Whether at least half of the positions of a clip up to the end of the recording are in the recording.
    private func agrees(with clip: FilmClip) -> Bool {
      var compared = 0
      var same = 0
      for (second, position) in clip.positions where second <= FilmClip.second(of: end) {
        compared += 1
        let isSame = (second - 1...second + 1).contains { time in
          guard let known = positions[time] else { return false }
          return abs(known.latitude - position.latitude) <= Self.sameDegrees
            && abs(known.longitude - position.longitude) <= Self.sameDegrees
        }
        if isSame { same += 1 }
      }
      return compared > 0 && same * 2 >= compared
    }

    mutating func append(_ clip: FilmClip) {
      paths.append(clip.path)
      positions.merge(clip.positions) { known, _ in known }
      guard clip.end >= end else { return }
      end = clip.end
      last = clip.last
    }
  }
}

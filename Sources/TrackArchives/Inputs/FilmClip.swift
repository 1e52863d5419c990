import TrackFormats
import TrackModel

/// The positions of a film over time, for finding the films that continue or repeat it.
struct FilmClip {
  let path: String
  private(set) var camera: String?
  /// The first position of each second since 1970.
  private(set) var positions: [Int64: Coordinate] = [:]
  /// The first and the last time in microseconds since 1970.
  private(set) var start = Instant.absent
  private(set) var end = Instant.absent
  private(set) var first = Coordinate(latitude: 0, longitude: 0)
  private(set) var last = Coordinate(latitude: 0, longitude: 0)

  /// The maximum number of ``positions``: 36 hours.
  private static let maximumPositions = 1 << 17
  /// The extensions of films, and of the small copies that cameras write next to them.
  private static let extensions: Set = ["mp4", "mov", "m4v", "360", "insv", "ts", "mts", "m2ts"]
  private static let extensionsOfProxies: Set = ["lrv", "glv", "lrf"]

  /// Reads the positions of a film.
  ///
  /// - Returns: nil if the file is not a film or has no positions with times.
  init?(_ path: String) {
    guard FilmClip.hasNameOfFilm(path), FileDescriptor.kind(at: path) == .regular,
      var input = try? ByteInput(path: path, chunk: FileOpening.length),
      (try? input.fill(atLeast: FileOpening.length)) != nil,
      InputRecognition.isFilm(input, InputLabel(path: path))
    else { return nil }
    self.path = path
    var reader = MP4Reader(film: input)
    var batch = PointBatch()
    // The clip ends at an error, which its reader reports.
    while let event = try? reader.next(into: &batch) {
      if case .header(let info) = event { camera = info.creator }
      for row in 0..<batch.count where batch.times[row] != Instant.absent {
        add(batch.coordinate(at: row), at: batch.times[row])
      }
    }
    guard !positions.isEmpty else { return nil }
  }

  private mutating func add(_ position: Coordinate, at time: Int64) {
    if start == Instant.absent || time < start { (start, first) = (time, position) }
    if end == Instant.absent || time >= end { (end, last) = (time, position) }
    let second = FilmClip.second(of: time)
    if positions[second] == nil, positions.count < FilmClip.maximumPositions { positions[second] = position }
  }

  static func second(of time: Int64) -> Int64 { time / 1_000_000 }

  /// Whether it is a small copy of another film, according to its name.
  var isProxy: Bool { FilmClip.extensionsOfProxies.contains(FilmClip.ending(of: path)) }

  private static func hasNameOfFilm(_ path: String) -> Bool {
    let ending = ending(of: path)
    return extensions.contains(ending) || extensionsOfProxies.contains(ending)
  }

  private static func ending(of path: String) -> String {
    path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() } ?? ""
  }
}

import DriveMatching
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The times of a library's drives on the days that were read.
///
/// Any drive of the last day can overlap a drive in time. In imports of thousands of short drives, they would
/// be read again for each one.
struct DriveTimes {
  struct Entry {
    let id: UUID
    /// The row of the drive, which is the order of imports.
    let row: Int64
    let start: Instant
    /// In seconds.
    let duration: Double
  }

  /// The version of the database at which the days were read, which changes with commits of other programs.
  private var version: Int64?
  /// The days since 1970.
  private var days: Set<Int64> = []
  /// The drives, nil for those that were removed.
  private var entries: [Entry?] = []
  private var numbers: [UUID: Int] = [:]
  private var spans = TimeSpanIndex()

  /// The number of drives above which all are forgotten before others are read: about 16 MiB.
  private static let maximumEntries = 1 << 16
  /// The longest duration in seconds of a drive that can overlap a later drive.
  private static let longestRide = 86_400.0
  /// The longest duration in seconds of a drive that others are searched for.
  private static let longestSearch = 1e9

  /// Forgets all drives if another program has changed the library.
  mutating func update(to version: Int64) {
    if self.version != version { self = DriveTimes() }
    self.version = version
  }

  /// Returns the days that must be read before ``drives(near:)``, from the first to the last, or nil.
  mutating func missingDays(near fingerprint: RideFingerprint) -> ClosedRange<Int64>? {
    let start = Double(fingerprint.start.microseconds) / 1e6
    let end = start + min(fingerprint.duration, Self.longestSearch) + DriveDuplicates.startTolerance
    let needed = Self.day(start - Self.longestRide)...Self.day(end)
    guard !needed.allSatisfy(days.contains) else { return nil }
    if entries.count > Self.maximumEntries {
      let version = version
      self = DriveTimes()
      self.version = version
    }
    let missing = needed.filter { !days.contains($0) }
    return missing[0]...missing[missing.count - 1]
  }

  /// Adds all drives of some days.
  mutating func read(_ days: ClosedRange<Int64>, _ drives: [Entry]) {
    self.days.formUnion(days)
    for drive in drives { add(drive) }
  }

  /// Adds a new drive. Those of days that were not read are left out.
  mutating func add(_ drive: Entry) {
    guard days.contains(Self.day(drive.start.secondsSince1970)), numbers[drive.id] == nil else { return }
    numbers[drive.id] = entries.count
    spans.insert(entries.count, start: drive.start, duration: drive.duration)
    entries.append(drive)
  }

  /// Forgets a drive that is removed.
  mutating func remove(_ id: UUID) {
    if let number = numbers.removeValue(forKey: id) { entries[number] = nil }
  }

  /// Returns the drives that overlap another drive in time, or nearly do, in the order of their rows.
  func drives(near fingerprint: RideFingerprint) -> [Entry] {
    let tolerance = DriveDuplicates.startTolerance
    return spans.candidates(start: fingerprint.start, duration: fingerprint.duration).compactMap {
      entries[$0]
    }
    .filter { drive in
      let delay = drive.start.seconds(since: fingerprint.start)
      return delay >= -Self.longestRide && delay <= min(fingerprint.duration, Self.longestSearch) + tolerance
        && delay + drive.duration > -tolerance
    }.sorted { $0.row < $1.row }
  }

  private static func day(_ seconds: Double) -> Int64 { Int64((seconds / 86_400).rounded(.down)) }
}

extension DriveLibrary {
  /// Returns the drives that overlap another drive in time, or nearly do, in import order.
  func drives(near fingerprint: RideFingerprint) throws(TrackError) -> [DriveTimes.Entry] {
    let version = try statement("PRAGMA data_version").rows([]).first?.first
    if case .integer(let version)? = version { times.update(to: version) }
    if let days = times.missingDays(near: fingerprint) {
      func text(_ day: Int64) -> SQLiteValue {
        .text(ISO8601.text(Instant(microseconds: day &* CivilCalendar.dayLength), decimals: 3))
      }
      let rows = try statement(
        "SELECT fid, id, start_us, duration_s FROM drives WHERE start_time >= ? AND start_time < ?"
      ).rows([text(days.lowerBound), text(days.upperBound + 1)])
      times.read(
        days,
        rows.compactMap { row in
          guard case .integer(let number) = row[0], let id = row[1].string.flatMap(UUID.init(uuidString:)),
            let start = row[2].microseconds, let duration = row[3].number
          else { return nil }
          return DriveTimes.Entry(id: id, row: number, start: start, duration: duration)
        })
    }
    return times.drives(near: fingerprint)
  }
}

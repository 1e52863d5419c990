import TrackFormats
import TrackModel

/// A folder that is being enumerated.
final class FolderFrame: EnumerationFrame {
  let guide: ExportGuide
  private let base: String
  private let label: String
  private let listing: FolderListing
  private var next = 0
  private var isEnded = false

  var count: Int { listing.files.count }
  var size: Int? { listing.files.count }
  var holdsOthers: Bool { !listing.links.isEmpty || !listing.others.isEmpty || !listing.faults.isEmpty }

  init(_ path: String, _ label: InputLabel, _ listing: FolderListing, tableSize: Int) {
    base = FileName.folderPrefix(path)
    self.label = path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
    self.listing = listing
    var guide = ExportGuide()
    for name in listing.files {
      guide.add(name)
      if ExportGuide.mayBeHealthRecord(name), var input = try? ByteInput(path: base + name),
        let workouts = try? HealthWorkouts(&input)
      {
        guide.add(workouts, from: name)
      }
      if ExportGuide.isMonth(name), let input = try? ByteInput(path: base + name) {
        guide.add(month: name, input)
      }
      guard ExportGuide.isTable(name), let bytes = FolderFrame.table(base + name, limit: tableSize) else {
        continue
      }
      guide.add(table: name, bytes)
    }
    guide.finish(listing.files)
    self.guide = guide
  }

  private static func table(_ path: String, limit: Int) -> [UInt8]? {
    guard var input = try? ByteInput(path: path), let size = input.size, size <= limit else { return nil }
    while (try? input.fill()) == true {}
    return input.available.array
  }

  func advance(_ walk: InputEnumerator) -> Bool {
    walk.passed(next)
    guard next < listing.files.count else {
      guard !isEnded else { return false }
      isEnded = true
      end(walk)
      return true
    }
    let name = listing.files[next]
    next += 1
    let label = InputLabel(label, entry: name)
    switch guide.verdict(name) {
    case .skip(let reason): walk.skip(label, reason)
    case .read(let notes):
      do throws(TrackError) { try walk.openFile(base + name, label, notes) } catch { walk.fail(label, error) }
    }
    return true
  }

  private func end(_ walk: InputEnumerator) {
    for link in listing.links { walk.skip(InputLabel(label, entry: link), .link) }
    for other in listing.others { walk.skip(InputLabel(label, entry: other), .notAFile) }
    for (name, error) in listing.faults { walk.fail(InputLabel(label, entry: name), error) }
    walk.frames.append(MissingActivitiesFrame(guide, Set(listing.files), label))
  }
}

/// The activities of an export without a file, reported one by one after its entries.
final class MissingActivitiesFrame: EnumerationFrame {
  private var activities: AnyIterator<(label: String, reason: SkipReason?)>
  private let container: String
  /// One value for all: a table can have hundreds of thousands of such rows.
  private let missing = TrackError(.notFound, "the file of this activity is missing in the export")
  var size: Int? { nil }
  var holdsOthers: Bool { false }

  init(_ guide: ExportGuide, _ names: Set<String>, _ container: String) {
    activities = AnyIterator(guide.activitiesWithoutFile(among: names).makeIterator())
    self.container = container
  }

  func advance(_ walk: InputEnumerator) -> Bool {
    guard let (label, reason) = activities.next() else { return false }
    let input = InputLabel(container, entry: label)
    if let reason {
      walk.skip(input, reason)
    } else {
      walk.fail(input, missing)
    }
    return true
  }
}

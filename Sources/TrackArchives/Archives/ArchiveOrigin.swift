import TrackFormats
import TrackModel

/// Where an archive comes from, so that it can be opened as often as needed: once for its list of names, once
/// for what is in it.
indirect enum ArchiveOrigin {
  /// A regular file.
  case file(FileDescriptor)
  case memory(ArchiveMemory)
  /// An entry of another archive, by its index, that is too large for memory: it streams.
  case entry(of: ArchiveOrigin, index: Int)

  /// Opens the archive at its beginning.
  func open(_ formats: ArchiveFormats, _ budget: ArchiveBudget) throws(TrackError) -> ArchiveReader {
    switch self {
    case .file(let file): return try ArchiveReader(file: file, formats: formats, budget: budget)
    case .memory(let memory): return try ArchiveReader(memory: memory, formats: formats, budget: budget)
    case .entry(let outer, let index):
      let reader = try outer.open(.archives, budget)
      for _ in 0...index where try reader.nextEntry() == nil {
        throw TrackError(.truncated, "the archive has changed while it was read")
      }
      return try ArchiveReader(stream: reader, formats: formats, budget: budget)
    }
  }

  /// Looks at what a ZIP says about itself at its end, where that can be reached.
  func checkZIPDirectory() throws(TrackError) {
    switch self {
    case .file(let file):
      guard let size = file.size else { return }
      let start = max(size - ZIPDirectory.maximumLength, 0)
      try ZIPDirectory.check(tail: try file.bytes(from: start, count: size - start), size: size)
    case .memory(let memory):
      try ZIPDirectory.check(tail: memory.suffix(ZIPDirectory.maximumLength), size: memory.count)
    case .entry: return
    }
  }
}

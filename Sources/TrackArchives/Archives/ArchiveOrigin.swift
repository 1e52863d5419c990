import TrackFormats
import TrackModel

/// The source of an archive, which can be opened repeatedly: once for the names and once for the contents.
indirect enum ArchiveOrigin {
  /// A regular file.
  case file(FileDescriptor)
  case memory(ArchiveMemory)
  /// An entry of another archive, given by its index, that is streamed because it is too large for memory.
  case entry(of: ArchiveOrigin, index: Int)

  /// Opens the archive at its start.
  func open(_ formats: ArchiveFormats, _ budget: ArchiveBudget) throws(TrackError) -> ArchiveReader {
    switch self {
    case .file(let file): return try ArchiveReader(file: file, formats: formats, budget: budget)
    case .memory(let memory): return try ArchiveReader(memory: memory, formats: formats, budget: budget)
    case .entry(let outer, let index):
      let reader = try outer.open(.archives, budget)
      for _ in 0...index where try reader.nextEntry() == nil {
        throw TrackError(.truncated, "the archive changed while it was being read")
      }
      return try ArchiveReader(stream: reader, formats: formats, budget: budget)
    }
  }

  /// Checks the end of a ZIP, if it is accessible.
  func checkZIPDirectory() throws(TrackError) {
    switch self {
    case .file(let file):
      let size = file.size ?? 0
      let start = max(size - ZIPDirectory.maximumLength, 0)
      try ZIPDirectory.check(
        head: file.bytes(from: 0, count: min(4, size)),
        tail: file.bytes(from: start, count: size - start), size: size)
    case .memory(let memory):
      let start = max(memory.count - ZIPDirectory.maximumLength, 0)
      try ZIPDirectory.check(
        head: memory.bytes(from: 0, count: 4),
        tail: memory.bytes(from: start, count: memory.count - start), size: memory.count)
    case .entry: return
    }
  }
}

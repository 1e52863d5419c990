public import TrackFormats
public import TrackModel

/// Enumerates files, folders and archives and finds possible track files in a fixed order: paths as given,
/// folders by name, archives in entry order, and nested archives in place. The paths of a list are separate
/// roots, read as the enumeration proceeds.
///
/// Nothing is unpacked to disk. Each archive is read twice, first for names and tables and then for contents.
/// The error of an input is a step, after which the enumeration continues.
public final class InputEnumerator {
  private let options: EnumerationOptions
  private let paths: [String]
  private var nextPath = 0
  private var root = -1
  private var rootPath = ""
  /// The open file on disk.
  private var file = ""
  /// The list that the current roots come from.
  private var list: PathList?
  private var isListed: Bool { list != nil }
  /// The open folders and archives, innermost last.
  var frames: [any EnumerationFrame] = []
  /// Pending steps in reverse order.
  var pending: [EnumerationStep] = []
  private var stream: ByteInput?
  private var clips = ClipGroups()
  /// The files whose films are grouped before the first of them is opened.
  private var ungrouped: [String] = []
  private let progress: EnumerationProgress?

  /// Creates an enumeration. Nothing is opened before the first step.
  ///
  /// - Parameters:
  ///   - paths: files, folders and archives; `-` is standard input.
  ///   - options: the items to skip, and the limits for memory.
  ///   - progress: receives the progress, from the thread that calls ``next()``.
  public init(
    _ paths: [String], options: EnumerationOptions = EnumerationOptions(),
    progress: EnumerationProgress? = nil
  ) {
    self.paths = paths
    self.options = options
    self.progress = progress
  }

  /// Returns the next step, or `nil` at the end. A streamed input that was not taken is skipped.
  public func next() -> EnumerationStep? {
    while true {
      if let step = pending.popLast() { return step }
      stream = nil
      if let frame = frames.last {
        guard !frame.advance(self) else { continue }
        frames.removeLast()
        if frames.isEmpty, isListed { return .left(root: root) }
        continue
      }
      if root >= 0 { progress?.finish(root: root) }
      root += 1
      if isListed {
        openListed()
        continue
      }
      if root == 0 { group(paths) }
      guard nextPath < paths.count else { return nil }
      rootPath = paths[nextPath]
      nextPath += 1
      do throws(TrackError) { try open(rootPath) } catch { fail(InputLabel(path: rootPath), error) }
    }
  }

  /// Whether a folder or an archive is being enumerated.
  public var isInContainer: Bool { !frames.isEmpty }

  private var isOneOfSeveral: Bool { paths.count > 1 || isListed || options.isOneOfSeveral }

  /// Opens the next path of the list, or ends it.
  private func openListed() {
    rootPath = ""
    do throws(TrackError) {
      guard let path = try list?.next() else {
        list = nil
        return
      }
      rootPath = InputEnumerator.file(path)
      try open(rootPath)
    } catch {
      // Paths that are too long are skipped. An unreadable list ends.
      if rootPath.isEmpty, error.code == .unreadable { list = nil }
      fail(InputLabel(path: rootPath.isEmpty ? "-" : rootPath), error)
    }
  }

  /// Returns the decompressed content of the current streamed input. Can be called once per input.
  ///
  /// - Parameter tap: receives the original bytes.
  public func takeStream(tap: HashingInput? = nil) throws(TrackError) -> ByteInput {
    guard let stream = stream.take() else {
      throw TrackError(.usage, "the input has already been read")
    }
    return try Decompression.unpacked(DiscoveredInput.tapped(stream, tap))
  }

  /// Whether a path is a folder or starts like an archive or a compressed file. A fast approximation of
  /// ``isContainer(_:options:)``.
  public static func mayHoldSeveral(_ path: String) -> Bool {
    if path == "-" { return false }
    if FileDescriptor.kind(at: path) == .folder { return true }
    guard FileDescriptor.kind(at: path) == .regular, var input = try? ByteInput(path: path),
      (try? input.fill(atLeast: ContainerKind.length)) != nil
    else { return false }
    return ContainerKind(input.available) != nil || path.lowercased().hasSuffix(".zip")
  }

  /// Whether a path is a folder or an archive of files.
  public static func isContainer(_ path: String, options: EnumerationOptions = EnumerationOptions()) -> Bool {
    guard mayHoldSeveral(path) else { return false }
    if case .container? = InputEnumerator([path], options: options).next() { return true }
    return false
  }

  /// Whether a path is a folder or an archive with more than one input. Enumerates it up to the second input.
  public static func holdsSeveral(_ path: String, options: EnumerationOptions = EnumerationOptions()) -> Bool
  {
    guard mayHoldSeveral(path) else { return false }
    let walk = InputEnumerator([path], options: options)
    var count = 0
    while count < 2, let step = walk.next() { if case .input = step { count += 1 } }
    return count > 1
  }

  /// The folder for outputs next to a path, with its trailing slash: the folder itself, or that of a file.
  /// Empty for the current folder.
  public static func folder(of path: String) -> String {
    if FileDescriptor.kind(at: path) == .folder { return FileName.folderPrefix(path) }
    return FileName.folder(path)
  }

  /// The folder of an input relative to the folder or archive that the user named, with a slash at the end.
  ///
  /// - Parameters:
  ///   - label: the label of the input.
  ///   - file: the file on disk: the input itself, or the outermost archive that contains it.
  ///   - root: the path that the user named.
  public static func subfolder(of label: InputLabel, in file: String, below root: String) -> String {
    let base = FileName.folderPrefix(root)
    guard file.hasPrefix(base), case let rest = file.dropFirst(base.count),
      let slash = rest.lastIndex(of: "/")
    else { return label.folder }
    return rest[...slash] + label.folder
  }

  /// Returns a folder and its subfolders. Links are not followed.
  public static func folders(below folder: String) -> [String] {
    var result = [folder]
    var next = 0
    while next < result.count {
      let base = FileName.folderPrefix(result[next])
      for name in (try? FileDescriptor.names(inFolder: base)) ?? []
      where FileDescriptor.kind(at: base + name) == .folder && !FileDescriptor.isLink(base + name) {
        result.append(base + name)
      }
      next += 1
    }
    return result
  }

  /// Returns the path of a file with any name: `-` is standard input, so a file of that name is `./-`.
  public static func file(_ name: String) -> String { name == "-" ? "./-" : name }

  /// Returns the size of a regular file, or `nil` for anything else.
  public static func size(_ path: String) -> Int? {
    FileDescriptor.size(at: path)
  }

  /// Whether a file or folder exists at a path.
  public static func exists(_ path: String) -> Bool { FileDescriptor.kind(at: path) != nil }

  // MARK: Steps

  func fail(_ label: InputLabel, _ error: TrackError) {
    pending.append(.failed(root: root, label: label, error))
  }

  func skip(_ label: InputLabel, _ reason: SkipReason) {
    pending.append(.skipped(root: root, label: label, reason))
  }

  func input(
    _ label: InputLabel, _ content: DiscoveredInput.Content, _ notes: ActivityNotesSource = .none,
    format: TrackFormat? = nil, nextClips: [String] = []
  ) {
    pending.append(
      .input(
        DiscoveredInput(
          root: root, label: label, isInContainer: isInContainer, notes: notes,
          format: format ?? options.format, content: content, rootPath: rootPath, file: file,
          isListed: isListed, nextClips: nextClips)))
  }

  private func streamed(
    _ label: InputLabel, _ input: consuming ByteInput, _ notes: ActivityNotesSource,
    format: TrackFormat? = nil
  ) {
    stream = consume input
    self.input(label, .stream, notes, format: format)
  }

  func passed(_ bytes: Int) { if frames.count == 1 { progress?.move(to: bytes) } }

  // MARK: Opening

  private func open(_ path: String) throws(TrackError) {
    let label = InputLabel(path: path)
    if path == "-", let standardInput = options.standardInput, standardInput.list != nil {
      list = try standardInput.takePaths()
      return
    }
    if path != "-", FileDescriptor.kind(at: path) == .folder {
      return try openFolder(path, label)
    }
    // Opening it can block forever.
    if isOneOfSeveral, FileDescriptor.isNamedPipe(path) {
      throw TrackError(
        .unsupported, "a named pipe among several inputs, skipped",
        suggestion: .text("use it as the only input"))
    }
    try openFile(path, label, .none, isNamed: true)
  }

  private func bytes(of path: String) throws(TrackError) -> ByteInput {
    if path == "-", let standardInput = options.standardInput { return try standardInput.take() }
    return try ByteInput(path: path)
  }

  private func openFolder(_ path: String, _ label: InputLabel) throws(TrackError) {
    let listing = try FolderListing(
      path, excluding: options.excludedFolder, options.excludedFiles, depth: options.folderDepth)
    let base = FileName.folderPrefix(path)
    group(listing.files.map { base + $0 })
    let frame = FolderFrame(path, label, listing, tableSize: options.archiveLimits.tableSize)
    push(frame, label, "folder", frame.guide, frame.count)
  }

  private func group(_ paths: [String]) {
    let isOn = options.joinsClips && paths.count > 1 && (options.format == nil || options.format == .mp4)
    if isOn { ungrouped += paths }
  }

  private func push(
    _ frame: any EnumerationFrame, _ label: InputLabel, _ kind: String, _ guide: ExportGuide, _ count: Int
  ) {
    if count == 0, !frame.holdsOthers {
      if kind == "folder", options.takesEmptyFolders {
        skip(label, .emptyFolder)
      } else if frames.isEmpty {
        fail(label, TrackError(.noTracks, kind == "folder" ? "the folder is empty" : "the archive is empty"))
      } else {
        skip(label, .noEntries)
      }
    }
    if frames.isEmpty { progress?.begin(size: frame.size) }
    pending.append(
      .container(
        DiscoveredContainer(
          root: root, label: label, kind: kind, services: guide.services, fileCount: count,
          depth: frames.count, rootPath: rootPath, isListed: isListed)))
    frames.append(frame)
  }

  /// Classifies a file.
  ///
  /// - Parameter isNamed: whether the user named the file, so that it must be an input.
  func openFile(
    _ path: String, _ label: InputLabel, _ notes: ActivityNotesSource, isNamed: Bool = false
  ) throws(TrackError) {
    file = path
    if !ungrouped.isEmpty {
      clips.add(ungrouped)
      ungrouped = []
    }
    switch clips.roles[path] {
    case .first(let next)?: return input(label, .file(path), notes, nextClips: next)
    case .later?: return skip(label, .laterClip)
    case .copy?: return skip(label, .sameClip)
    case nil: break
    }
    // Files in a folder are opened again for reading.
    var bytes = try isNamed ? bytes(of: path) : ByteInput(path: path, chunk: FileOpening.length)
    if options.format == .kmz { return input(label, .file(path), notes) }
    try bytes.fill(atLeast: FileOpening.length)
    let canBeReopened = bytes.size != nil && path != "-"
    guard let kind = InputRecognition.container(bytes, label) else {
      // A file named by the user must be an input.
      let isTrack = isNamed ? true : try isTrackFile(&bytes, label, notes)
      if isTrack {
        if canBeReopened { input(label, .file(path), notes) } else { streamed(label, bytes, notes) }
      }
      return
    }
    let file: FileDescriptor
    if canBeReopened {
      file = try FileDescriptor.reading(path)
    } else {
      // Kept compressed, because a pipe cannot be read twice.
      file = try FileDescriptor.anonymous()
      repeat {
        try file.write(bytes.available)
        bytes.consumeAll()
      } while try bytes.fill()
    }
    let origin = ArchiveOrigin.file(file)
    let budget = ArchiveBudget(options.archiveLimits, packedSize: file.size)
    if kind == .compressed, !holdsArchive(origin, budget) {
      if canBeReopened { return input(label, .file(path), notes) }
      try file.seek(to: 0)
      return streamed(label, ByteInput(file: file), notes)
    }
    try openArchive(kind, origin, label, notes, budget, size: file.size) { () throws(TrackError) in
      if canBeReopened {
        input(label, .file(path), notes, format: .kmz)
      } else {
        try file.seek(to: 0)
        streamed(label, ByteInput(file: file), notes, format: .kmz)
      }
    }
  }

  /// Classifies an entry of an archive.
  func openEntry(_ entry: ArchiveEntry, _ index: Int, of frame: ArchiveFrame, _ notes: ActivityNotesSource)
    throws(TrackError)
  {
    let label = InputLabel(frame.label, entry: entry.name, below: frame.folder)
    try frame.reader.check(entry)
    var bytes = ByteInput(stream: frame.reader, name: label.path)
    try bytes.fill(atLeast: FileOpening.length)
    if options.format == .kmz { return try hold(bytes, entry, label, notes) }
    if options.format == nil || options.format == .mp4, InputRecognition.isFilm(bytes, label) {
      var film = ByteInput(
        stream: RewindableEntryStream(frame.origin, frame.budget, index: index), name: label.path,
        size: entry.size)
      try film.fill(atLeast: FileOpening.length)
      if try isTrackFile(&film, label, notes) { try hold(film, entry, label, notes) }
      return
    }
    guard let kind = InputRecognition.container(bytes, label) else {
      if try isTrackFile(&bytes, label, notes) { try hold(bytes, entry, label, notes) }
      return
    }
    // The name indicates a single compressed track, and checking its content would be slow.
    if kind == .compressed, InputRecognition.isTrackName(label.path, packed: true) {
      return try hold(bytes, entry, label, notes)
    }
    guard frames.count <= frame.budget.limits.depth else {
      throw TrackError(
        .limitExceeded, "archives nested deeper than \(frame.budget.limits.depth) levels",
        suggestion: .text("unpack the outer ones"))
    }
    let origin: ArchiveOrigin
    var held: ArchiveMemory?
    if let size = entry.size, size <= options.heldArchiveSize {
      let memory = try ArchiveMemory(reading: &bytes, limit: options.heldArchiveSize)
      held = memory
      origin = .memory(memory)
    } else {
      origin = .entry(of: frame.origin, index: index)
    }
    func whole() throws(TrackError) -> ByteInput {
      if let held { return ByteInput(bytes: held.bytes, name: label.path) }
      return ByteInput(
        stream: EntryStream(try frame.origin.open(.archives, frame.budget), index: index), name: label.path)
    }
    if kind == .compressed, !holdsArchive(origin, frame.budget) {
      return try hold(try whole(), entry, label, notes)
    }
    try openArchive(kind, origin, label, notes, frame.budget, size: nil) { () throws(TrackError) in
      try hold(try whole(), entry, label, notes, format: .kmz)
    }
  }

  /// Makes an entry an input, in memory if it is small enough or else as a stream.
  private func hold(
    _ bytes: consuming ByteInput, _ entry: ArchiveEntry, _ label: InputLabel, _ notes: ActivityNotesSource,
    format: TrackFormat? = nil
  ) throws(TrackError) {
    var bytes = bytes
    if let size = entry.size, size > options.heldSize {
      return streamed(label, bytes, notes, format: format)
    }
    while bytes.available.count <= options.heldSize {
      guard try !bytes.fill() else { continue }
      return input(label, .bytes(bytes.available.array), notes, format: format)
    }
    streamed(label, bytes, notes, format: format)
  }

  /// Whether a compressed file contains an archive instead of a single file. A file that is damaged at its
  /// start is treated as a single file, which may be partly recoverable.
  private func holdsArchive(_ origin: ArchiveOrigin, _ budget: ArchiveBudget) -> Bool {
    guard let reader = try? origin.open([.tar, .gzip, .otherFilters, .compressedFile], budget),
      (try? reader.nextEntry()) != nil
    else { return false }
    return !reader.isCompressedFile
  }

  /// Opens an archive, or calls `asTrack` for a KMZ, which is a single track file.
  private func openArchive(
    _ kind: ContainerKind, _ origin: ArchiveOrigin, _ label: InputLabel, _ notes: ActivityNotesSource,
    _ budget: ArchiveBudget, size: Int?, asTrack: () throws(TrackError) -> Void
  ) throws(TrackError) {
    if kind == .zip { try origin.checkZIPDirectory() }
    let survey = try ArchiveSurvey(origin, budget, inside: notes)
    if kind == .zip, survey.isKMZ(called: label.path) { return try asTrack() }
    if kind == .zip, let spreadsheet = Spreadsheet(survey.names, origin, budget) {
      let isInput = frames.isEmpty || spreadsheet.hasPositions
      return isInput ? fail(label, spreadsheet.error) : skip(label, .noTrackFile)
    }
    if kind == .zip, let format = UnsupportedFormat(archive: label.path, entries: survey.names) {
      return fail(label, format.error)
    }
    let frame = try ArchiveFrame(origin, label, survey, budget, size: size)
    push(
      frame, label, kind == .zip ? "zip" : kind == .sevenZIP ? "7z" : "tar", survey.guide, survey.names.count)
  }

  /// Returns whether to read the content. If not, reports the reason.
  private func isTrackFile(
    _ input: inout ByteInput, _ label: InputLabel, _ notes: ActivityNotesSource
  ) throws(TrackError) -> Bool {
    switch try InputRecognition.verdict(on: &input, label, notes, options) {
    case .track: return true
    case .skipped(let reason): skip(label, reason)
    case .failed(let error): fail(label, error)
    }
    return false
  }
}

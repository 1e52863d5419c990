extension DriveComparisonEngine {
  /// The modes that there is an anchor for, as they are found.
  ///
  /// Start and end come at once: they are there when this returns. The others follow while the drives are
  /// looked through, off the caller's actor; a mode comes when each drive has turned out to have an anchor
  /// with the first.
  ///
  /// ```swift
  /// .task {
  ///   for await mode in DriveComparisonEngine.availableModes(for: drives, settings: settings) {
  ///     modes.insert(mode)
  ///   }
  /// }
  /// ```
  ///
  /// The search ends early where nobody waits for it any more: when the task that iterates is cancelled, or
  /// the stream is dropped. A drive whose coordinates cannot be decoded has none.
  ///
  /// - Returns: each mode once. The mode of the settings plays no part.
  public static func availableModes(
    for drives: [Drive], settings: ComparisonSettings
  ) -> AsyncStream<ComparisonMode> {
    let (stream, continuation) = AsyncStream.makeStream(of: ComparisonMode.self)
    continuation.yield(.startLocation)
    continuation.yield(.endLocation)
    let search = Task.detached(priority: .userInitiated) {
      let trails = drives.map(DriveTrail.init)
      findAnchoredModes(for: trails, settings: settings, isCancelled: { Task.isCancelled }) {
        continuation.yield($0)
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in search.cancel() }
    return stream
  }

  /// The modes that there is an anchor for, in the order of ``ComparisonMode``; start and end always are.
  ///
  /// - Complexity: O(n) in the number of points.
  public static func availableModes(
    for trails: [DriveTrail], settings: ComparisonSettings
  ) -> [ComparisonMode] {
    var found: Set<ComparisonMode> = [.startLocation, .endLocation]
    findAnchoredModes(for: trails, settings: settings, isCancelled: { false }) { found.insert($0) }
    return ComparisonMode.allCases.filter(found.contains)
  }

  /// Calls `found` for each mode that needs an anchor, as soon as every drive is known to have one with the
  /// first.
  ///
  /// - Parameter isCancelled: asked every 256 samples; where it says so, nothing more is looked for or found.
  package static func findAnchoredModes(
    for trails: [DriveTrail], settings: ComparisonSettings, isCancelled: () -> Bool,
    found: (ComparisonMode) -> Void
  ) {
    let segments = trimmed(trails, settings: settings)
    guard let first = segments.first, segments.count > 1 else { return }
    var diverging = 0
    var converging = 0
    for (index, second) in segments.dropFirst().enumerated() {
      let walk = PairWalk(first, second, settings)
      let divergence = DivergenceDetector(settings)
      var convergence = ConvergenceDetector(settings)
      // A mode that an earlier drive has no anchor for is not looked for any more.
      var seeksDivergence = diverging == index
      var seeksConvergence = converging == index
      for (number, sample) in walk.samples.enumerated() {
        guard seeksDivergence || seeksConvergence else { break }
        if number % 256 == 0, isCancelled() { return }
        if seeksDivergence, divergence.fires(at: sample, in: walk) {
          seeksDivergence = false
          diverging += 1
          if diverging == segments.count - 1 {
            found(.firstDivergence)
            found(.lastDivergence)
          }
        }
        if seeksConvergence, convergence.fires(at: sample) {
          seeksConvergence = false
          converging += 1
          if converging == segments.count - 1 {
            found(.firstConvergence)
            found(.lastConvergence)
          }
        }
      }
    }
  }
}

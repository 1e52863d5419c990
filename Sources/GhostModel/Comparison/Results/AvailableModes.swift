extension DriveComparisonEngine {
  /// Returns a stream of the modes that have an anchor.
  ///
  /// The modes for start and end are available immediately. The drives are then searched outside the caller's
  /// actor. Each other mode follows as soon as every drive is known to have an anchor with the first.
  ///
  /// ```swift
  /// .task {
  ///   for await mode in DriveComparisonEngine.availableModes(for: drives, settings: settings) {
  ///     modes.insert(mode)
  ///   }
  /// }
  /// ```
  ///
  /// The search ends early if the iterating task is cancelled or the stream is released.
  ///
  /// - Returns: each mode once. The mode of the settings is ignored.
  public static func availableModes(
    for drives: [Drive], settings: ComparisonSettings
  ) -> AsyncStream<ComparisonMode> {
    let (stream, continuation) = AsyncStream.makeStream(of: ComparisonMode.self)
    continuation.yield(.startLocation)
    continuation.yield(.endLocation)
    let search = Task.detached(priority: .userInitiated) {
      defer { continuation.finish() }
      var trails: [DecodedDrive] = []
      for drive in drives {
        guard !Task.isCancelled else { return }
        trails.append(DecodedDrive(drive))
      }
      findAnchoredModes(for: trails, settings: settings, isCancelled: { Task.isCancelled }) {
        continuation.yield($0)
      }
    }
    continuation.onTermination = { _ in search.cancel() }
    return stream
  }

  /// Returns the modes that have an anchor, in the order of ``ComparisonMode``. Start and end are always
  /// included.
  ///
  /// - Complexity: O(*n*) in the number of points.
  public static func availableModes(
    for trails: [DecodedDrive], settings: ComparisonSettings
  ) -> [ComparisonMode] {
    var found: Set<ComparisonMode> = [.startLocation, .endLocation]
    findAnchoredModes(for: trails, settings: settings, isCancelled: { false }) { found.insert($0) }
    return ComparisonMode.allCases.filter(found.contains)
  }

  /// Calls `found` for each mode as soon as an anchor between the first drive and every other drive is known.
  ///
  /// - Parameter isCancelled: called every 256 samples. If it returns true, the search ends.
  package static func findAnchoredModes(
    for trails: [DecodedDrive], settings: ComparisonSettings, isCancelled: () -> Bool,
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
      // Modes without an anchor for an earlier drive are skipped.
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

extension DriveComparison {
  /// The modes that are available for all pairs, in the order of ``ComparisonMode``. Start and end are always
  /// included.
  public var availableModes: [ComparisonMode] {
    func everyPairHas(_ kind: RouteEvent.Kind) -> Bool {
      // From an event at the end of the shared road on, nothing is compared.
      pairs.allSatisfy { pair in
        let end = pair.legs.last?.sides.first.toElapsed ?? .infinity
        return pair.events.contains { $0.kind == kind && $0.elapsed.first < end }
      }
    }
    return ComparisonMode.allCases.filter { mode in
      switch mode {
      case .startLocation, .endLocation: true
      case .firstDivergence, .lastDivergence: everyPairHas(.divergence)
      case .firstConvergence, .lastConvergence: everyPairHas(.convergence)
      }
    }
  }
}

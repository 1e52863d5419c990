/// The circuits that recordings with only a few fixes per lap may follow, for several gates.
struct SparseCircuits {
  private let paths: [SmoothPath]
  private let circuits: [SparseCircuit]
  /// The filled paths, per circuit.
  private var known: [Int: [SmoothPath]] = [:]

  /// Finds the circuits. The result is empty if the fixes of a path are dense.
  ///
  /// - Parameter isAnyDuration: whether laps may be short, because a gate is known.
  init(_ paths: [SmoothPath], isAnyDuration: Bool) {
    self.paths = paths
    circuits = SparseCircuit.candidates(paths, isAnyDuration: isAnyDuration)
  }

  /// Returns the paths with the points of the best circuit between their fixes. Without a circuit, returns
  /// the paths unchanged.
  ///
  /// - Parameter gate: a gate on the circuit, or nil if unknown.
  mutating func filled(through gate: Gate?) -> [SmoothPath] {
    guard let index = SparseCircuit.best(of: circuits, through: gate.flatMap { GateLine($0) }) else {
      return paths
    }
    let filled = known[index] ?? circuits[index].filled(paths)
    known[index] = filled
    return filled
  }
}

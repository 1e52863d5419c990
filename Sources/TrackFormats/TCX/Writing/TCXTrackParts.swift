import TrackModel

/// The extensions of a track, grouped by their position in TCX.
struct TCXTrackParts {
  /// A `Creator` that was kept from a TCX file.
  private(set) var creator: ExtensionElement?
  /// The additional elements of laps that have not been assigned to a lap yet.
  private(set) var laps: [TCXLapRest] = []
  /// The elements for `Extensions`.
  private(set) var kept: [ExtensionElement] = []
  /// The number of parts of a TCX file that cannot be restored.
  private(set) var lost = 0

  init(_ extensions: [ExtensionElement]) {
    for element in extensions {
      if let lap = TCXLapRest(element) {
        laps.append(lap)
      } else if creator == nil, element.name == "Creator", element.isTCX {
        creator = element
      } else if element.namespace == TCXNamespace.v2 {
        lost += 1
      } else {
        kept.append(element)
      }
    }
  }

  /// Removes and returns the elements of the lap that starts at a time, or of a lap without a start for nil.
  mutating func takeLap(startingAt start: Instant?) -> TCXLapRest? {
    guard let index = laps.firstIndex(where: { $0.startTime == start }) else { return nil }
    return laps.remove(at: index)
  }
}

extension ExtensionElement {
  /// Whether the element is of TCX or of a file without namespaces.
  var isTCX: Bool { namespace == TCXNamespace.v2 || namespace == nil }
}

import TrackModel

/// The extensions of a track, by where they go in TCX.
struct TCXTrackParts {
  /// A `Creator` that was kept from a TCX file.
  private(set) var creator: ExtensionElement?
  /// What laps say beyond the model, as far as no lap has taken it.
  private(set) var laps: [TCXLapRest] = []
  /// What goes into `Extensions`.
  private(set) var kept: [ExtensionElement] = []
  /// How many parts of a TCX file cannot be put back.
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

  /// What is known of the lap that starts at a time; of any without a start where it has none.
  mutating func takeLap(startingAt start: Instant?) -> TCXLapRest? {
    guard let index = laps.firstIndex(where: { $0.startTime == start }) else { return nil }
    return laps.remove(at: index)
  }
}

extension ExtensionElement {
  /// Whether the element is of TCX, or of a file without namespaces.
  var isTCX: Bool { namespace == TCXNamespace.v2 || namespace == nil }
}

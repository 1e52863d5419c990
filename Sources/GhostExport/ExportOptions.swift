/// What an export is to hold beyond what it always holds.
public struct ExportOptions: Sendable, Hashable {
  /// KML: a flight that follows whoever is ahead.
  public var tour: Bool
  /// KML and GeoJSON: every point of the recordings, where else those are left out that a viewer draws in the
  /// same place without them.
  public var full: Bool

  /// HTML and maps: tiles under them.
  public var basemap: Basemap?

  public init(tour: Bool = false, full: Bool = false, basemap: Basemap? = nil) {
    self.tour = tour
    self.full = full
    self.basemap = basemap
  }
}

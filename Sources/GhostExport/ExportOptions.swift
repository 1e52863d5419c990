/// Optional contents of an export.
public struct ExportOptions: Sendable, Hashable {
  /// KML: whether to add a flight that follows the leading drive.
  public var tour: Bool
  /// KML and GeoJSON: whether to write every recorded point. Otherwise the drives are simplified where
  /// viewers show no difference.
  public var full: Bool

  /// HTML and SVG maps: the map tiles below the drives.
  public var basemap: Basemap?

  /// CSV: whether to write an apostrophe before labels that spreadsheets would run as formulas.
  public var quotesFormulas: Bool

  /// Creates options. By default, lines are simplified and there is no tour and no basemap.
  public init(
    tour: Bool = false, full: Bool = false, basemap: Basemap? = nil, quotesFormulas: Bool = false
  ) {
    self.tour = tour
    self.full = full
    self.basemap = basemap
    self.quotesFormulas = quotesFormulas
  }
}

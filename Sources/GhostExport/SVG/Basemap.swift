public import TrackModel

/// Raster tiles from a server, for a map to lie on.
public struct Basemap: Sendable, Hashable {
  /// An address with `{z}`, `{x}` and `{y}` for the zoom and the place of a tile, as tile servers publish it.
  public let template: String
  /// Who has to be named for the tiles.
  public let attribution: String

  /// - Parameter attribution: what to show on the map; where it is left out the name of the server, and for
  ///   OpenStreetMap's own what its licence asks for.
  /// - Throws: `invalidValue` for an address without a place holder, or that does not begin with `https://`
  ///   or `http://`.
  public init(template: String, attribution: String? = nil) throws(TrackError) {
    let scheme = template.hasPrefix("https://") ? 8 : template.hasPrefix("http://") ? 7 : 0
    let host = String(template.dropFirst(scheme).prefix { $0 != "/" })
    // A host goes into the policy of the page as it is, where a blank or a semicolon would end it.
    let isHost =
      !host.isEmpty
      && host.utf8.allSatisfy { byte in
        (48...58).contains(byte) || (97...122).contains(byte) || (65...90).contains(byte) || byte == 45
          || byte == 46
      }
    guard scheme > 0, isHost, ["{z}", "{x}", "{y}"].allSatisfy({ template.contains($0) }) else {
      throw TrackError(
        .invalidValue, "the address of the tiles is no template", offendingText: template,
        suggestion: .text("write it as https://server/{z}/{x}/{y}.png"))
    }
    self.template = template
    origin = String(template.prefix(scheme)) + host
    self.attribution =
      attribution ?? (host.hasSuffix("openstreetmap.org") ? "© OpenStreetMap contributors" : "Map: " + host)
  }

  /// Scheme, host and port.
  let origin: String

  /// The address of a tile.
  func address(zoom: Int, x: Int, y: Int) -> String {
    var result = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      rest = rest[open...]
      if rest.hasPrefix("{z}") {
        result += String(zoom)
      } else if rest.hasPrefix("{x}") {
        result += String(x)
      } else if rest.hasPrefix("{y}") {
        result += String(y)
      } else {
        result.append("{")
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(3)
    }
    return result + rest
  }
}

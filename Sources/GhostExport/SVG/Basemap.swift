public import TrackModel

/// Raster tiles from a server, displayed below a map.
public struct Basemap: Sendable, Hashable {
  /// The URL template with `{z}`, `{x}` and `{y}` for the zoom level, column and row of a tile.
  public let template: String
  /// The attribution that the map displays.
  public let attribution: String

  /// Creates a basemap from the address of a tile server.
  ///
  /// - Parameters:
  ///   - template: the address of a tile with the placeholders `{z}`, `{x}` and `{y}`.
  ///   - attribution: the displayed attribution. By default, the server's name, or the text that the licence
  ///     of OpenStreetMap requires for its own server.
  /// - Throws: `invalidValue` for an address without a placeholder, or one that does not start with
  ///   `https://` or `http://`.
  public init(template: String, attribution: String? = nil) throws(TrackError) {
    let scheme = template.hasPrefix("https://") ? 8 : template.hasPrefix("http://") ? 7 : 0
    let host = String(template.dropFirst(scheme).prefix { $0 != "/" })
    // The host is part of the page's content security policy, where a space or a semicolon would end it.
    let isHost =
      !host.isEmpty
      && host.utf8.allSatisfy { byte in
        (48...58).contains(byte) || (97...122).contains(byte) || (65...90).contains(byte) || byte == 45
          || byte == 46
      }
    guard scheme > 0, isHost, ["{z}", "{x}", "{y}"].allSatisfy({ template.contains($0) }) else {
      throw TrackError(
        .invalidValue, "the tile address is not a template", offendingText: template,
        suggestion: .text("write it as https://server/{z}/{x}/{y}.png"))
    }
    self.template = template
    origin = String(template.prefix(scheme)) + host
    self.attribution =
      attribution ?? (host.hasSuffix("openstreetmap.org") ? "© OpenStreetMap contributors" : "Map: " + host)
  }

  /// The scheme, host and port.
  let origin: String

  /// Returns the address of a tile.
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

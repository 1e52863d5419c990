/// The scale bar of a map: a round distance, about a hundred pixels long.
struct ScaleBar: Sendable {
  /// The length in pixels.
  var length: Double
  var label: String

  /// - Parameter scale: the pixels per unit.
  init(_ projection: MapProjection, _ scale: Double) {
    let metresPerPixel = projection.metresPerUnit / scale
    let units = UnitSystem.current
    let longest = metresPerPixel * 120
    let unit = longest >= units.longUnit.length ? units.longUnit : units.shortUnit
    var count = 1.0
    for power in [1.0, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7] {
      for factor in [1.0, 2, 5] where power * factor * unit.length <= longest { count = power * factor }
    }
    length = count * unit.length / metresPerPixel
    label = "\(Quantity.fixed(count, 0)) \(unit.symbol)"
  }

  var markup: Markup {
    """
    <path d="M24 576v6h\(length, decimals: 1)v-6" fill="none" stroke="#59626d" stroke-width="1.5"/>\
    <text class="small" x="\(24 + length / 2, decimals: 1)" y="572" text-anchor="middle">\(label)</text>

    """
  }
}

/// The web files of reports and images, embedded in the program.
enum ReportResources {
  static let page = template(PackageResources.page_html)
  static let summary = template(PackageResources.summary_html)
  static let map = template(PackageResources.map_html)
  static let gap = template(PackageResources.gap_html)
  static let channels = template(PackageResources.channels_html)
  static let legs = template(PackageResources.legs_html)
  static let route = template(PackageResources.route_html)
  static let trend = template(PackageResources.trend_html)
  static let findings = template(PackageResources.findings_html)

  static let styles = text(PackageResources.report_css)
  static let imageStyles = text(PackageResources.image_css)

  /// The modules of the script, each after the modules it imports.
  static let modules = [
    ("race", PackageResources.race_js), ("format", PackageResources.format_js),
    ("state", PackageResources.state_js), ("map", PackageResources.map_js),
    ("tiles", PackageResources.tiles_js), ("ghosts", PackageResources.ghosts_js),
    ("gap", PackageResources.gap_js), ("player", PackageResources.player_js),
    ("map-input", PackageResources.map_input_js), ("links", PackageResources.links_js),
    ("main", PackageResources.main_js),
  ].map { (name: $0, source: text($1)) }

  static let script = bundle(modules.map(\.source))

  /// Joins modules into one script in its own scope, without `import` lines and the keyword `export`.
  /// Top-level names must be unique across the modules.
  static func bundle(_ modules: [String]) -> String {
    var script = "(() => {\n\"use strict\";\n"
    for module in modules {
      for line in module.split(separator: "\n", omittingEmptySubsequences: false)
      where !line.hasPrefix("import ") {
        script += (line.hasPrefix("export ") ? line.dropFirst("export ".count) : line) + "\n"
      }
    }
    return script + "})();"
  }

  private static func template(_ bytes: [UInt8]) -> Template { Template(text(bytes)) }
  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// The script of a report, put together from its parts. It needs no build and no library; every part is an idea.
enum ReportScript {
  static let markup = Markup(
    trusted: "(() => {\n\"use strict\";\n"
      + [
        RaceScript.text, MapViewScript.text, MapInputScript.text, TileScript.text, GhostScript.text,
        GapScript.text,
        PlayerScript.text, LinkScript.text,
      ].joined(separator: "\n") + "})();\n")
}

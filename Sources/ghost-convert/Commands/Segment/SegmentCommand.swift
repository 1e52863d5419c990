import CommandLineParsing

extension GhostConvert {
  static let segmentCommand: Command = Command(
    "segment", summary: "Time every passage of a stretch of road",
    discussion: """
      A segment is a stretch of road with a direction. A passage is a drive along the entire \
      segment, from its start to its end. Stops and seconds without fixes do not interrupt a passage. \
      Drives in the opposite direction, over a part of the segment, with a detour or on a parallel road are \
      not passages.

      Segments are stored in a library of drives, as a line layer that QGIS can show. An import finds their \
      passages in new drives.
      """,
    examples: [
      Example(
        "ghost-convert segment add climb --from 46.2,7.1 --to 46.25,7.15",
        "add the most common road between two places"),
      Example("ghost-convert segment show climb", "list its passages, the fastest first"),
      Example(
        "ghost-convert segment find --from 46.2,7.1 --to 46.25,7.15 rides/*.gpx",
        "time a stretch of road without a library"),
    ],
    commands: [
      segmentAddCommand, segmentListCommand, segmentShowCommand, segmentRemoveCommand, segmentExportCommand,
      segmentFindCommand,
    ])
}

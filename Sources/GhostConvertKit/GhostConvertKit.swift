// Exports the modules of all types that the functions of this module accept and return.
@_exported public import DriveMatching
@_exported public import GhostExport
@_exported public import GhostModel
@_exported public import TrackFormats
@_exported public import TrackModel
@_exported public import TrackTransforms

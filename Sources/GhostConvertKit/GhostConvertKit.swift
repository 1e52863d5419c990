// One import gives an app all types that the functions of this module take and return.
@_exported public import DriveMatching
@_exported public import GhostExport
@_exported public import GhostModel
@_exported public import TrackFormats
@_exported public import TrackModel
@_exported public import TrackTransforms

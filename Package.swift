// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors in CI, where the compiler's version is known; elsewhere a newer compiler's new warning
/// must not stop a build.
let warnings: [SwiftSetting] =
  Context.environment["WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]

let settings: [SwiftSetting] =
  warnings + [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // Lets a type lend its memory as a `Span` from a property; the columns of a batch leave that way.
    .enableExperimentalFeature("Lifetimes"),
  ]

let package = Package(
  name: "ghost-convert",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "TrackModel", targets: ["TrackModel"]),
    .library(name: "GhostModel", targets: ["GhostModel"]),
    .library(name: "TrackFormats", targets: ["TrackFormats"]),
    .library(name: "DriveLibrary", targets: ["DriveLibrary"]),
    .library(name: "GhostExport", targets: ["GhostExport"]),
    .executable(name: "ghost-convert", targets: ["ghost-convert"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CLibArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
    .systemLibrary(name: "CFileSystem"),
    .target(name: "TrackModel", swiftSettings: settings),
    .target(name: "GhostModel", dependencies: ["TrackModel"], swiftSettings: settings),
    .target(
      name: "TrackFormats", dependencies: ["TrackModel", "CLibXML2", "CLibArchive", "CFileSystem"],
      swiftSettings: settings),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(
      name: "DriveLibrary", dependencies: ["TrackModel", "GhostModel", "CSQLite"],
      swiftSettings: settings),
    .target(
      name: "GhostExport", dependencies: ["TrackModel", "GhostModel", "TrackFormats"],
      resources: [.embedInCode("HTML/Resources"), .embedInCode("KML/Resources")], swiftSettings: settings),
    .target(
      name: "BulkWork", dependencies: ["TrackModel", "GhostModel", "TrackFormats"], swiftSettings: settings),
    .target(name: "CommandLineParsing", swiftSettings: settings),
    .executableTarget(
      name: "ghost-convert",
      dependencies: [
        "TrackModel", "GhostModel", "TrackFormats", "GhostExport", "DriveLibrary", "BulkWork",
        "CommandLineParsing",
      ],
      swiftSettings: settings),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
    .testTarget(name: "TrackModelTests", dependencies: ["TrackModel"], swiftSettings: settings),
    .testTarget(
      name: "GhostModelTests", dependencies: ["GhostModel", "TestSupport", "TrackModel"],
      swiftSettings: settings),
    .testTarget(
      name: "TrackFormatsTests", dependencies: ["TestSupport", "TrackFormats", "TrackModel"],
      swiftSettings: settings),
    .testTarget(
      name: "DriveLibraryTests", dependencies: ["DriveLibrary", "GhostModel", "TestSupport", "TrackModel"],
      swiftSettings: settings),
    .testTarget(
      name: "GhostExportTests",
      dependencies: ["GhostExport", "GhostModel", "TestSupport", "TrackFormats", "TrackModel"],
      swiftSettings: settings),
    .testTarget(
      name: "BulkWorkTests",
      dependencies: ["BulkWork", "GhostModel", "TestSupport", "TrackFormats", "TrackModel"],
      swiftSettings: settings),
    .testTarget(
      name: "CommandLineParsingTests", dependencies: ["CommandLineParsing"], swiftSettings: settings),
    .testTarget(
      name: "GhostConvertTests",
      dependencies: ["ghost-convert", "DriveLibrary", "GhostExport", "GhostModel", "TrackFormats"],
      exclude: ["Golden"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

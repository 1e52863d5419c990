// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors in CI, where the compiler's version is known. Elsewhere, new warnings of newer
/// compilers do not stop a build.
let warnings: [SwiftSetting] =
  Context.environment["WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]

let settings: [SwiftSetting] =
  warnings + [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // Allows properties that return a `Span` of a type's memory, such as the columns of a batch.
    .enableExperimentalFeature("Lifetimes"),
  ]

/// The settings of targets that are not fast paths. `make build` optimizes them for size. Packages that depend on
/// this one cannot use unsafe flags, so they are not set otherwise.
let sizeSettings: [SwiftSetting] =
  settings
  + (Context.environment["OPTIMIZE_SIZE"] == nil
    ? [] : [.unsafeFlags(["-Osize"], .when(configuration: .release))])

/// The fuzz targets as a library for libFuzzer; `Fuzz/run build` asks for it.
let fuzzing: [Product] =
  Context.environment["FUZZ"] == nil
  ? [] : [.library(name: "FuzzTargets", type: .static, targets: ["FuzzTargets"])]

let package = Package(
  name: "ghost-convert",
  // The first versions with `InlineArray`. Neither system is built or tested in CI.
  platforms: [.macOS(.v26), .iOS(.v26)],
  products: [
    .library(name: "GhostConvertKit", targets: ["GhostConvertKit"]),
    .library(name: "TrackModel", targets: ["TrackModel"]),
    .library(name: "TrackTransforms", targets: ["TrackTransforms"]),
    .library(name: "GhostModel", targets: ["GhostModel"]),
    .library(name: "DriveMatching", targets: ["DriveMatching"]),
    .library(name: "TrackFormats", targets: ["TrackFormats"]),
    .library(name: "TrackArchives", targets: ["TrackArchives"]),
    .library(name: "LiveReceivers", targets: ["LiveReceivers"]),
    .library(name: "DriveLibrary", targets: ["DriveLibrary"]),
    .library(name: "GhostExport", targets: ["GhostExport"]),
    .library(name: "BulkImport", targets: ["BulkImport"]),
    .executable(name: "ghost-convert", targets: ["ghost-convert"]),
  ] + fuzzing,
  targets: [
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CLibArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
    .systemLibrary(
      name: "CZLib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CMath"),
    .systemLibrary(name: "CFileSystem"),
    .systemLibrary(name: "CMalloc"),
    .target(name: "TrackModel", dependencies: ["CMath"], swiftSettings: settings),
    .target(name: "TrackTransforms", dependencies: ["TrackModel"], swiftSettings: settings),
    .target(name: "GhostModel", dependencies: ["TrackModel", "TrackTransforms"], swiftSettings: settings),
    .target(
      name: "DriveMatching", dependencies: ["TrackModel", "TrackTransforms", "GhostModel", "CMath"],
      swiftSettings: settings),
    .target(
      name: "TrackFormats", dependencies: ["TrackModel", "CLibXML2", "CFileSystem", "CMath"],
      swiftSettings: settings),
    .target(
      name: "TrackArchives", dependencies: ["TrackModel", "TrackFormats", "CLibArchive", "CZLib"],
      swiftSettings: settings),
    .target(
      name: "LiveReceivers", dependencies: ["TrackModel", "TrackFormats", "TrackTransforms", "GhostModel"],
      swiftSettings: settings),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(
      name: "DriveLibrary",
      dependencies: ["TrackModel", "TrackTransforms", "GhostModel", "DriveMatching", "CSQLite"],
      swiftSettings: sizeSettings),
    .target(
      name: "GhostExport",
      dependencies: ["TrackModel", "GhostModel", "DriveMatching", "TrackFormats", "CMath"],
      resources: [.embedInCode("HTML/Resources"), .embedInCode("KML/Resources")], swiftSettings: sizeSettings),
    .target(
      name: "GhostConvertKit",
      dependencies: [
        "TrackModel", "TrackTransforms", "TrackFormats", "GhostModel", "DriveMatching", "GhostExport",
      ],
      swiftSettings: settings),
    .target(
      name: "BulkImport",
      dependencies: [
        "TrackModel", "TrackTransforms", "TrackFormats", "TrackArchives", "GhostModel", "DriveMatching",
        "DriveLibrary", "CMalloc",
      ],
      swiftSettings: sizeSettings),
    .target(name: "CommandLineParsing", dependencies: ["TrackModel"], swiftSettings: sizeSettings),
    .executableTarget(
      name: "ghost-convert",
      dependencies: [
        "TrackModel", "TrackTransforms", "GhostModel", "DriveMatching", "TrackFormats", "TrackArchives",
        "LiveReceivers", "GhostExport", "DriveLibrary", "BulkImport", "CommandLineParsing",
      ],
      swiftSettings: sizeSettings),
    .target(
      name: "TestSupport", dependencies: ["TrackModel", "TrackTransforms", "GhostModel", "TrackFormats"],
      path: "Tests/TestSupport", swiftSettings: settings),
    .target(name: "CFuzzSupport", path: "Fuzz/CFuzzSupport"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "CFuzzSupport", "TestSupport", "CommandLineParsing", "DriveLibrary", "DriveMatching", "GhostModel",
        "TrackArchives", "TrackFormats", "TrackModel",
      ],
      path: "Fuzz/Targets", swiftSettings: settings),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"], swiftSettings: settings),
    .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/CFaultVFS"),
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "CFaultVFS", "BulkImport", "DriveLibrary", "GhostModel", "TestSupport", "TrackArchives",
        "TrackFormats",
        "TrackModel",
      ],
      swiftSettings: settings),
    .testTarget(name: "ArchitectureTests", swiftSettings: settings),
    .testTarget(
      name: "TrackModelTests", dependencies: ["TestSupport", "TrackModel"], swiftSettings: settings),
    .testTarget(
      name: "TrackTransformsTests", dependencies: ["TestSupport", "TrackModel", "TrackTransforms"],
      swiftSettings: settings),
    .testTarget(
      name: "GhostModelTests", dependencies: ["GhostModel", "TestSupport", "TrackModel", "TrackTransforms"],
      swiftSettings: settings),
    .testTarget(
      name: "DriveMatchingTests",
      dependencies: [
        "CMath", "DriveMatching", "GhostModel", "TestSupport", "TrackModel", "TrackTransforms",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "TrackFormatsTests",
      // The matrix of conversions includes KMZ.
      dependencies: ["GhostModel", "TestSupport", "TrackArchives", "TrackFormats", "TrackModel"],
      swiftSettings: settings),
    .testTarget(
      name: "TrackArchivesTests",
      dependencies: ["TestSupport", "TrackArchives", "TrackFormats", "TrackModel"],
      swiftSettings: settings),
    .testTarget(
      name: "LiveReceiversTests",
      dependencies: ["GhostModel", "LiveReceivers", "TestSupport", "TrackFormats", "TrackModel"],
      swiftSettings: settings),
    .testTarget(
      name: "DriveLibraryTests",
      dependencies: [
        "DriveLibrary", "DriveMatching", "GhostModel", "TestSupport", "TrackModel", "TrackTransforms",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GhostExportTests",
      dependencies: [
        "CMath", "DriveMatching", "GhostExport", "GhostModel", "TestSupport", "TrackArchives", "TrackFormats",
        "TrackModel",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "BulkImportTests",
      dependencies: [
        "BulkImport", "DriveLibrary", "DriveMatching", "GhostModel", "TestSupport", "TrackArchives",
        "TrackFormats", "TrackModel", "TrackTransforms",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GhostConvertKitTests", dependencies: ["GhostConvertKit", "TestSupport", "TrackArchives"],
      swiftSettings: settings),
    .testTarget(
      name: "CommandLineParsingTests", dependencies: ["CommandLineParsing", "TestSupport", "TrackModel"],
      swiftSettings: settings),
    .testTarget(
      name: "GhostConvertTests",
      dependencies: [
        "ghost-convert", "CommandLineParsing", "DriveLibrary", "GhostModel", "TestSupport", "TrackArchives",
        "TrackFormats", "TrackModel", "TrackTransforms",
      ],
      exclude: ["Golden"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that building the program does not build its benchmarks.
let package = Package(
  name: "ghost-convert-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ghost-convert", path: "..")],
  targets: [
    .executableTarget(
      name: "BlobBenchmark",
      dependencies: [
        .product(name: "GhostModel", package: "ghost-convert"),
        .product(name: "TrackModel", package: "ghost-convert"),
      ])
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ModelOnly",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "ghost-convert", path: "../..")],
  targets: [
    .executableTarget(
      name: "ModelOnly",
      dependencies: [
        .product(name: "GhostModel", package: "ghost-convert"),
        .product(name: "TrackModel", package: "ghost-convert"),
      ])
  ]
)

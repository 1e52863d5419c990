// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Kit",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "ghost-convert", path: "../..")],
  targets: [
    .executableTarget(
      name: "Kit",
      dependencies: [
        .product(name: "GhostConvertKit", package: "ghost-convert")
      ])
  ]
)

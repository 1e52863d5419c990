// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "CustomFormat",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "ghost-convert", path: "../..")],
  targets: [
    .executableTarget(
      name: "CustomFormat",
      dependencies: [
        .product(name: "GhostConvertKit", package: "ghost-convert")
      ])
  ]
)

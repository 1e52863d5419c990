import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

/// Compares points written on the fast path with the same points written on the general path.
@Suite("GPX writer: points on the fast path")
struct GPXPlainPointsTests {
  private static let channels: [Channel] = [
    .elevation, .temperature, .waterTemperature, .depth, .heartRate, .cadence, .speed, .course, .bearing,
    .power,
    .distance, .horizontalAccuracy, .verticalAccuracy,
  ]

  /// Values at the limits of the schemas, and beyond them.
  private static let values: [Double] = [
    0, -0.0, 0.4, 0.5, 1, 7.25, 12.345678901, 99, 254, 254.5, 255, 256, 359.9, 65_535, 65_536, 1e9, 1e-9, -1,
    -17.5,
  ]

  private static func append(
    _ columns: [Channel], to batch: inout PointBatch, oddness: Double, _ random: inout SeededGenerator
  ) {
    let isOdd = Double.random(in: 0..<1, using: &random) < oddness
    let times = [Instant.absent, -62_135_596_800_000_001, 253_402_300_800_000_000, 1_715_926_350_123_456]
    batch.append(
      latitude: Double.random(in: -90...90, using: &random),
      longitude: isOdd ? 180 : Double.random(in: -180...180, using: &random),
      time: isOdd
        ? times.randomElement(using: &random) ?? 0
        : Int64.random(in: 0...1_700_000_000, using: &random) * 1_000_000)
    for channel in columns where !Double.random(in: 0..<1, using: &random).isLess(than: oddness / 2) {
      let value = Double(Int.random(in: 1...200, using: &random))
      batch.set(channel, isOdd ? values.randomElement(using: &random) ?? 0 : value)
    }
  }

  private static func info(_ random: inout SeededGenerator) -> FileInfo {
    var info = FileInfo()
    let prefix =
      ["p", "gpxtpx", "pwr", String(repeating: "long", count: 14)].randomElement(using: &random) ?? ""
    let uris = [
      GPXNamespace.trackPoint1, GPXNamespace.trackPoint2, GPXNamespace.power1, GPXNamespace.openTracks,
      GPXNamespace.cluetrust,
    ]
    if Bool.random(using: &random) {
      info.namespaces = [
        NamespaceDeclaration(prefix: prefix, uri: uris.randomElement(using: &random) ?? "")
      ]
    }
    return info
  }

  @Test("Both paths write the same points and count the same losses")
  func paths() {
    var random = SeededGenerator(seed: SeededGenerator.printedSeed())
    for round in 0..<Effort.rounds(2000) {
      let columns = Self.channels.filter { _ in Bool.random(using: &random) }
      let oddness: Double = [0, 0.1, 0.6].randomElement(using: &random) ?? 0
      var batch = PointBatch(capacity: 32)
      // A first row with another channel makes the batch take the general path.
      var general = PointBatch(capacity: 33)
      general.append(latitude: 0, longitude: 0)
      general.set(.hdop, 1)
      var copy = random
      let count = Int.random(in: 1...32, using: &random)
      _ = Int.random(in: 1...32, using: &copy)
      for _ in 0..<count { Self.append(columns, to: &batch, oddness: oddness, &random) }
      for _ in 0..<count { Self.append(columns, to: &general, oddness: oddness, &copy) }
      let info = Self.info(&random)
      // The channels of the first batch are declared, later batches can have others.
      let declared = Bool.random(using: &random) ? batch.channels : [ChannelSet(.heartRate)]
      let kind: GPXPointWriter.Kind = Bool.random(using: &random) ? .trackpoint : .routepoint
      func lines(_ batch: borrowing PointBatch) -> (text: String, losses: LossReport) {
        var writer = GPXPointWriter(version: .version11)
        writer.declare(info, channels: declared)
        var bytes = ByteBuffer()
        let split = batch.count / 2
        writer.append(batch, 0..<split, as: kind, to: &bytes)
        writer.append(batch, split..<batch.count, as: kind, to: &bytes)
        return (bytes.string, writer.losses)
      }
      let plain = lines(batch)
      let other = lines(general)
      #expect(plain.text == other.text.drop { $0 != "\n" }.dropFirst(), "round \(round)")
      #expect(plain.losses == other.losses, "round \(round)")
    }
  }

  @Test("Valid points with all channels take the fast path")
  func fastPath() {
    let declared = GPXPointWriter.Declared(prefix: "p")
    var plain = GPXPlainPoints(
      trackPoint: declared, hasVersion2: true, power: declared, distance: declared, accuracy: declared)
    var batch = PointBatch(capacity: 3)
    for row in 0..<3 {
      batch.append(latitude: 46.5, longitude: 7.5, time: Int64(row) * 1_000_000)
      for channel in Self.channels where row > 0 { batch.set(channel, 40) }
    }
    var bytes = ByteBuffer()
    let word = "trkpt".utf8.reversed().reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
    #expect(plain.append(batch, 0..<3, as: word, to: &bytes) == 3)
    #expect(batch.channels == plain.channels)
    #expect(
      bytes.string.split(separator: "\n").last == """
           <trkpt lat="46.5" lon="7.5"><ele>40</ele><time>1970-01-01T00:00:02Z</time><extensions>\
        <p:TrackPointExtension><p:atemp>40</p:atemp><p:wtemp>40</p:wtemp><p:depth>40</p:depth><p:hr>40</p:hr>\
        <p:cad>40</p:cad><p:speed>40</p:speed><p:course>40</p:course><p:bearing>40</p:bearing>\
        </p:TrackPointExtension><p:PowerInWatts>40</p:PowerInWatts><p:distance>40</p:distance>\
        <p:accuracy_horizontal>40</p:accuracy_horizontal><p:accuracy_vertical>40</p:accuracy_vertical>\
        </extensions></trkpt>
        """)
  }
}

import TestSupport
import Testing
import TrackModel

@testable import TrackArchives

/// Finding the films that continue or repeat others.
@Suite("Clip groups")
struct ClipGroupsTests {
  /// Returns a line for each film of a folder: its name and the names of the clips that continue it, or the
  /// reason for skipping it.
  private func lines(
    _ films: [String: [UInt8]], joining: Bool = true, asArguments: Bool = false
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    for (name, bytes) in films { try folder.write(bytes, to: "card/" + name) }
    var options = EnumerationOptions()
    options.joinsClips = joining
    func name(_ path: String) -> String { String(path.dropFirst(folder.file("card/").count)) }
    let paths = asArguments ? films.keys.sorted().map { folder.file("card/" + $0) } : [folder.file("card")]
    let walk = InputEnumerator(paths, options: options)
    var lines: [String] = []
    while let step = walk.next() {
      switch step {
      case .input(let input):
        lines.append(([input.label.path] + input.nextClips).map(name).joined(separator: " + "))
      case .skipped(_, let label, let reason): lines.append("\(name(label.path)): \(reason.code)")
      default: break
      }
    }
    return lines
  }

  @Test("Clips at most two minutes apart are one input, also if their names are not in order")
  func consecutive() throws {
    let films = [
      "GX010007.MP4": FilmBuilder.film(0...20), "GX010008.MP4": FilmBuilder.film(281...300),
      "GX020007.MP4": FilmBuilder.film(21...40), "GX030007.MP4": FilmBuilder.film(160...160),
    ]
    let expected = [
      "GX010007.MP4 + GX020007.MP4 + GX030007.MP4", "GX010008.MP4", "GX020007.MP4: later-clip",
      "GX030007.MP4: later-clip",
    ]
    #expect(try lines(films) == expected)
    #expect(try lines(films, asArguments: true) == expected)
    #expect(try lines(films, joining: false) == films.keys.sorted())
  }

  @Test("Films of the rear camera, small copies and clips of an event are copies")
  func copies() throws {
    let films = [
      "Event/0001.MP4": FilmBuilder.film(15...30), "Front/0001F.MP4": FilmBuilder.film(0...20),
      "Front/0002F.MP4": FilmBuilder.film(21...40), "Front/0002F.LRV": FilmBuilder.film(21...40),
      "Rear/0001R.MP4": FilmBuilder.film(0...20), "Rear/0002R.MP4": FilmBuilder.film(21...39),
    ]
    #expect(
      try lines(films) == [
        "Event/0001.MP4: later-clip",
        "Front/0001F.MP4 + Event/0001.MP4 + Front/0002F.MP4", "Front/0002F.LRV: same-clip",
        "Front/0002F.MP4: later-clip", "Rear/0001R.MP4: same-clip", "Rear/0002R.MP4: same-clip",
      ])
  }

  @Test("Of the films of a Tesla, the recording has the name of the one in front")
  func frontCamera() throws {
    let films = ["back", "front", "left_repeater"].map { ("12-00-00-\($0).mp4", FilmBuilder.film(0...20)) }
    #expect(
      try lines(Dictionary(uniqueKeysWithValues: films + [("12-01-00-front.mp4", FilmBuilder.film(21...40))]))
        == [
          "12-00-00-back.mp4: same-clip", "12-00-00-front.mp4 + 12-01-00-front.mp4",
          "12-00-00-left_repeater.mp4: same-clip", "12-01-00-front.mp4: later-clip",
        ])
  }

  @Test("Films of other cameras and places are not joined")
  func otherCameras() throws {
    let films = [
      "a.mp4": FilmBuilder.film(0...20), "b.mp4": FilmBuilder.film(21...40, camera: "DR750X"),
      "c.mp4": FilmBuilder.film(41...60, longitudeMinutes: 46),
      "d.mp4": FilmBuilder.film(41...60, longitudeMinutes: 47), "e.mp4": Array("no film".utf8),
    ]
    #expect(try lines(films) == ["a.mp4", "b.mp4", "c.mp4", "d.mp4", "e.mp4: no-track-file"])
  }

  @Test("The identity of clips is that of all their contents")
  func identity() throws {
    let folder = try TemporaryFolder()
    for (name, seconds) in [("a.mp4", 0...20), ("b.mp4", 21...40)] {
      try folder.write(FilmBuilder.film(seconds), to: name)
    }
    func input() throws -> DiscoveredInput {
      var options = EnumerationOptions()
      options.joinsClips = true
      let walk = InputEnumerator([folder.file("a.mp4"), folder.file("b.mp4")], options: options)
      while let step = walk.next() { if case .input(let input) = step { return input } }
      throw TrackError(.noTracks, "no input")
    }
    let first = try input()
    #expect(try first.size == first.identity().size)
    let known = try first.identity()
    try folder.write(FilmBuilder.film(21...41), to: "b.mp4")
    #expect(try input().identity() != known)
  }
}

import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

@Suite struct CoordinateBlobTests {
  private func text(_ coordinates: [(Double, Double)]) -> String {
    let places = coordinates.map { Coordinate(latitude: $0.0, longitude: $0.1) }
    return String(decoding: CoordinateBlob.encode(places), as: UTF8.self)
  }

  private func failure(_ text: String) -> TrackError? {
    do throws(TrackError) {
      _ = try CoordinateBlob.decode(Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  // MARK: Encoding

  @Test("The format is exactly that of the app")
  func form() {
    #expect(text([]) == "[]")
    #expect(text([(46.5, 7.5)]) == #"[{"lat":46.5,"lon":7.5}]"#)
    #expect(text([(46, -7), (-0.5, 180)]) == #"[{"lat":46,"lon":-7},{"lat":-0.5,"lon":180}]"#)
  }

  @Test(
    "Numbers have the fewest digits that result in the same value, without an exponent",
    arguments: [
      (1e-7, "0.0000001"), (-1e-7, "-0.0000001"), (179.99999999999997, "179.99999999999997"),
      (0.1 + 0.2, "0.30000000000000004"), (-0.0, "0"), (46.123456789012345, "46.123456789012344"),
      (1e-20, "0.00000000000000000001"),
      (.leastNonzeroMagnitude, "0." + String(repeating: "0", count: 323) + "5"),
    ])
  func shortest(_ value: Double, _ expected: String) {
    #expect(text([(0, value)]) == #"[{"lat":0,"lon":\#(expected)}]"#)
  }

  @Test("Decoding returns the encoded coordinates, with any number of digits")
  func identity() throws {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    func number(_ limit: Double) -> Double {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: return .random(in: -limit...limit, using: &generator)
      case 1: return (Double.random(in: -limit...limit, using: &generator) * 1e7).rounded() / 1e7
      case 2: return Double(Int.random(in: -Int(limit)...Int(limit), using: &generator))
      case 3:
        let tiny = Double(bitPattern: .random(in: 0...0x3FF0_0000_0000_0000, using: &generator))
        return Bool.random(using: &generator) ? tiny : -tiny
      case 4:
        let edges = [.leastNonzeroMagnitude, 1e-7, -0.0, limit, -limit, limit.nextDown]
        return edges[Int.random(in: 0..<edges.count, using: &generator)]
      default: return (Double.random(in: -limit...limit, using: &generator) * 1e9).rounded() / 1e9
      }
    }
    let places = (0..<20_000).map { _ in Coordinate(latitude: number(90), longitude: number(180)) }
    let blob = CoordinateBlob.encode(places)
    #expect(!blob.contains(UInt8(ascii: "e")), "seed \(seed)")
    #expect(try CoordinateBlob.decode(blob) == places, "seed \(seed)")
    #expect(try CoordinateBlob.decode(Array(blob)) == places, "seed \(seed)")
  }

  @Test("Foundation decodes the same coordinates")
  func foundation() throws {
    struct Point: Decodable, Equatable { var lat, lon: Double }
    let places = [(46.5, 7.25), (-89.99999999999999, 1e-9), (0, -180)]
    let points = try JSONDecoder().decode([Point].self, from: Data(text(places).utf8))
    #expect(points == places.map { Point(lat: $0.0, lon: $0.1) })
  }

  // MARK: Decoding

  @Test(
    "All equivalent JSON texts are decoded",
    arguments: [
      #"[{"lat":46.5,"lon":7.5}]"#,
      #"[{"lon":7.5,"lat":46.5}]"#,
      " [ {\n\t\"lat\" : 46.5 ,\r\n \"lon\" :7.5 } ] \n",
      #"[{"lat":4.65e1,"lon":750E-2}]"#,
      #"[{"lat":46.500000000000000000000000000000000,"lon":0.75e+1}]"#,
      #"[{"l\u0061t":46.5,"\u006c\u006F\u006E":7.5}]"#,
      #"[{"lat":1,"lat":46.5,"lon":-7.5,"lon":7.5}]"#,
      #"[{"ele":3,"lat":46.5,"x":{"lat":[1,{"lon":null}],"y":"}]"},"lon":7.5,"z":[true,false,null,1e999,[]]}]"#,
      #"[{"la":1,"latitude":2,"LAT":3,"lat":46.5,"lon":7.5,"":4,"ü😀\ud83d\ude00":5}]"#,
      "\u{FEFF}[{\"lat\":46.5,\"lon\":7.5}]",
    ])
  func accepted(_ text: String) throws {
    #expect(try CoordinateBlob.decode(Array(text.utf8)) == [Coordinate(latitude: 46.5, longitude: 7.5)])
  }

  @Test(
    "A comma before a closing mark is accepted, as in Foundation",
    arguments: [
      #"[{"lat": 46.5, "lon": 7.5, }]"#, #"[{"lat":46.5,"lon":7.5},]"#, #"[{"lat":46.5,"lon":7.5 , } , ]"#,
      #"[{"lat":46.5,"lon":7.5,"x":[1,]}]"#, #"[{"x":{"y":1,},"lat":46.5,"lon":7.5}]"#,
    ])
  func commaBeforeEnd(_ text: String) throws {
    struct Point: Decodable, Equatable { var lat, lon: Double }
    let points = try JSONDecoder().decode([Point].self, from: Data(text.utf8))
    #expect(points == [Point(lat: 46.5, lon: 7.5)])
    try accepted(text)
  }

  @Test("A number too small for a Double is decoded as 0")
  func underflow() throws {
    let blob = Array(#"[{"lat":1e-400,"lon":-0.1e-999}]"#.utf8)
    #expect(try CoordinateBlob.decode(blob) == [Coordinate(latitude: 0, longitude: 0)])
  }

  @Test("An empty array has no coordinates", arguments: ["[]", " [ ] ", "[\n]"])
  func empty(_ text: String) throws {
    #expect(try CoordinateBlob.decode(Data(text.utf8)).isEmpty)
  }

  /// In each text, ‸ marks the position of the invalid byte.
  @Test(
    "The error of an invalid blob contains the offset",
    arguments: [
      ("‸", "truncated", "unexpected end, expected [ at the start of the coordinates"),
      ("‸{}", "malformed", "expected [ at the start of the coordinates"),
      ("[‸", "truncated", "unexpected end, expected { at the start of a coordinate"),
      ("[‸1]", "malformed", "expected { at the start of a coordinate"),
      (#"[{"lat":1,"lon":2}‸"#, "truncated", "unexpected end, expected a comma or ]"),
      (#"[{"lat":1,"lon":2},‸,]"#, "malformed", "expected { at the start of a coordinate"),
      (#"[‸,]"#, "malformed", "expected { at the start of a coordinate"),
      (#"[{"lat":1,"lon":2,‸,}]"#, "malformed", "expected a string"),
      (#"[{‸,"lat":1,"lon":2}]"#, "malformed", "expected a string"),
      (#"[{"lat":1 ‸"lon":2}]"#, "malformed", "expected a comma or }"),
      (#"[{"lat"‸;1}]"#, "malformed", "expected a colon"),
      (#"[{‸'lat':1}]"#, "malformed", "expected a string"),
      (#"[{"lat":‸null,"lon":2}]"#, "malformed", "expected a number"),
      (#"[{"lat":‸"1","lon":2}]"#, "malformed", "expected a number"),
      (#"[{"lat":‸+1,"lon":2}]"#, "malformed", "expected a number"),
      (#"[{"lat":‸.5,"lon":2}]"#, "malformed", "expected a number"),
      (#"[{"lat":‸NaN,"lon":2}]"#, "malformed", "expected a number"),
      (#"[{"lat":‸-Infinity,"lon":2}]"#, "malformed", "expected a number"),
      (#"[{"lat":-‸"#, "truncated", "unexpected end, expected a number"),
      (#"[{"lat":‸01,"lon":2}]"#, "malformed", "expected a number without leading zeros"),
      (#"[{"lat":1.‸,"lon":2}]"#, "malformed", "expected a digit"),
      (#"[{"lat":1e‸,"lon":2}]"#, "malformed", "expected a digit"),
      (#"[{"lat":1‸x,"lon":2}]"#, "malformed", "expected a comma or }"),
      (#"[{"lat":‸91,"lon":2}]"#, "invalid-value", "expected a latitude within -90...90"),
      (#"[{"lat":1,"lon":‸-180.5}]"#, "invalid-value", "expected a longitude within -180...180"),
      (#"[{"lat":1,"lon":‸1e999}]"#, "invalid-value", "number too large"),
      (#"[{"lat":1,"lon":2},‸{"lat":1}]"#, "malformed", #"coordinate without "lon""#),
      (#"[‸{"lon":1,"ele":3}]"#, "malformed", #"coordinate without "lat""#),
      (#"[‸{}]"#, "malformed", #"coordinate without "lat""#),
      (#"[{"lat":1,"lon":2}] ‸x"#, "malformed", "expected the end"),
      (#"[{"x":‸nul}]"#, "malformed", "expected null"),
      (#"[{"x":[1‸}]"#, "malformed", "expected a comma or ]"),
      (#"[{"x":‸}]"#, "malformed", "expected a value"),
      (#"[{"x":"‸\x"}]"#, "malformed", "expected an escape"),
      (#"[{"x":"\u12‸G4"}]"#, "malformed", "expected four hexadecimal digits"),
      (#"[{"x":"‸\ud800"}]"#, "malformed", "expected a pair of surrogates"),
      (#"[{"x":"‸\udc00\ud800"}]"#, "malformed", "expected a pair of surrogates"),
      ("[{\"x\":\"a‸\n\"}]", "malformed", "expected an escape for a control character"),
      (#"[{"x":"abc‸"#, "truncated", "unexpected end, expected the end of a string"),
      (#"[{"lat":‸"#, "truncated", "unexpected end, expected a number"),
    ])
  func bad(_ marked: String, _ code: String, _ message: String) throws {
    let parts = marked.components(separatedBy: "‸")
    let error = try #require(failure(parts.joined()))
    #expect(error.code.description == code)
    #expect(error.place.byteOffset == parts[0].utf8.count)
    #expect(error.message.hasPrefix(message))
  }

  @Test(
    "Invalid UTF-8 is an error even in skipped values",
    arguments: [
      [0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3], [0x80],
    ] as [[UInt8]])
  func notUTF8(_ bytes: [UInt8]) throws {
    let blob = Array(#"[{"x":""#.utf8) + bytes + Array(#"","lat":1,"lon":2}]"#.utf8)
    do throws(TrackError) {
      _ = try CoordinateBlob.decode(blob)
      Issue.record("no error")
    } catch {
      #expect(error.code == .malformed)
      #expect(error.place.byteOffset == 7)
    }
  }

  @Test("The nesting depth is limited, even for a hundred thousand brackets")
  func depth() throws {
    func nested(_ levels: Int) -> String {
      let opening = String(repeating: "[", count: levels)
      let closing = String(repeating: "]", count: levels)
      return #"[{"lat":1,"lon":2,"x":\#(opening)\#(closing)}]"#
    }
    // The array and the surrounding object are two levels of the 512.
    #expect(failure(nested(510)) == nil)
    #expect(failure(nested(511))?.code == .limitExceeded)
    #expect(failure(nested(100_000))?.code == .limitExceeded)
    #expect(failure(nested(511))?.place.byteOffset == 22 + 510)
  }

  @Test("A blob with changed bytes is decoded or throws an error with an offset, and never crashes")
  func mutations() throws {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    let sound = Array(
      #"[{"lat":46.5,"lon":-7.5e0},{"x":{"a":["\u00e9\n",true,null]},"lon":1,"lat":2},{"lat":0,"lon":180}]"#
        .utf8)
    let alphabet = Array(#"[]{}:,"\ue+-.0123456789latonx "#.utf8) + [0, 0xC3, 0xA9, 0xFF]
    for _ in 0..<Effort.rounds(50_000) {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(alphabet[Int.random(in: 0..<alphabet.count, using: &generator)], at: index)
        default: bytes.removeLast(max(bytes.count - max(index, 4), 0))
        }
      }
      do throws(TrackError) {
        let places = try CoordinateBlob.decode(bytes)
        let areValid = places.allSatisfy { $0.isValid }
        #expect(areValid, "seed \(seed)")
      } catch {
        let offset = try #require(error.place.byteOffset, "seed \(seed)")
        #expect((0...bytes.count).contains(offset), "seed \(seed)")
      }
    }
  }

  /// Two kinds of input are excluded because Foundation treats them differently: numbers too small for a
  /// `Double`, which Foundation rejects and which are 0 here, and invalid numbers in skipped values, which
  /// Foundation ignores.
  @Test("JSONDecoder accepts the same blobs and returns the same numbers")
  func oracle() throws {
    struct Point: Decodable { var lat, lon: Double }
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    var accepted = 0
    let rounds = Effort.rounds(20_000)
    for _ in 0..<rounds {
      let text = RandomBlob.text(using: &generator)
      let bytes = Array(text.utf8)
      let points = try? JSONDecoder().decode([Point].self, from: Data(bytes))
      let isInRange = points?.allSatisfy { abs($0.lat) <= 90 && abs($0.lon) <= 180 } ?? false
      let places = try? CoordinateBlob.decode(bytes)
      #expect((places != nil) == (points != nil && isInRange), "\(text), seed \(seed)")
      if let places, let points {
        accepted += 1
        #expect(places.map(\.latitude) == points.map(\.lat), "\(text), seed \(seed)")
        #expect(places.map(\.longitude) == points.map(\.lon), "\(text), seed \(seed)")
      }
    }
    #expect((rounds / 10...rounds * 39 / 40).contains(accepted), "one-sided material, seed \(seed)")
  }
}

/// Random blobs that are valid or almost valid.
enum RandomBlob {
  static func text(using generator: inout SeededGenerator) -> String {
    let count = Int.random(in: 0...3, using: &generator)
    let objects = (0..<count).map { _ in object(using: &generator) }
    let separator = chance(60, &generator) ? pick(["", " ", ";", ",,"], &generator) : ","
    return blank(&generator) + "[" + objects.joined(separator: separator) + blank(&generator) + "]"
      + blank(&generator)
  }

  private static func object(using generator: inout SeededGenerator) -> String {
    var members = [
      pick([#""lat""#, #""l\u0061t""#], &generator) + ":" + number(using: &generator),
      blank(&generator) + #""lon""# + blank(&generator) + ":" + blank(&generator) + number(using: &generator),
    ]
    if chance(3, &generator) {
      members.append(#""\#(pick(["x", "ele", "é", "\\n"], &generator))":"# + value(0, using: &generator))
    }
    members.shuffle(using: &generator)
    if chance(40, &generator) { members.removeLast() }
    return "{" + members.joined(separator: ",") + blank(&generator) + "}"
  }

  private static func value(_ depth: Int, using generator: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<(depth > 4 ? 4 : 7), using: &generator) {
    case 0: return soundNumber(using: &generator)
    case 1: return pick(["true", "false", "null"], &generator)
    case 2: return #""\#(pick(["", "a", "\\\"", "\\u00e9", "😀", "\\ud83d\\ude00", "/", "\\/"], &generator))""#
    case 3: return pick(["[]", "{}", "[ ]"], &generator)
    case 4, 5:
      return "[" + value(depth + 1, using: &generator) + "," + value(depth + 1, using: &generator) + "]"
    default: return #"{"k":"# + value(depth + 1, using: &generator) + "}"
    }
  }

  private static func number(using generator: inout SeededGenerator) -> String {
    guard chance(40, &generator) else { return soundNumber(using: &generator) }
    let bad = ["+1", ".5", "5.", "01", "-", "1e", "1e+", "--1", "1.2.3", "0x10", "NaN", "91.5", "200"]
    return pick(bad, &generator)
  }

  private static func soundNumber(using generator: inout SeededGenerator) -> String {
    let plain = Double.random(in: -90...90, using: &generator)
    return pick(["\(plain)", "\(Int(plain))", "-0", "0", "1e1", "1E-2", "12.50e+0", "-0.0"], &generator)
  }

  private static func blank(_ generator: inout SeededGenerator) -> String {
    pick(["", "", " ", "\n", "\t \r\n"], &generator)
  }

  private static func chance(_ oneIn: Int, _ generator: inout SeededGenerator) -> Bool {
    Int.random(in: 0..<oneIn, using: &generator) == 0
  }

  private static func pick(_ choices: [String], _ generator: inout SeededGenerator) -> String {
    choices[Int.random(in: 0..<choices.count, using: &generator)]
  }
}

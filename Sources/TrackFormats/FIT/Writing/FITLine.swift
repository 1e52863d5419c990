import TrackModel

/// The points of a course, kept to locate course points that come before or after it in the stream.
struct FITLine: ~Copyable {
  private var spool = Spool()

  /// A position to be located on the course.
  struct Passage {
    let position: FITPosition
    /// The nearest point of the course: its time in FIT seconds and its distance in centimetres.
    var seconds: UInt32 = 0
    var centimetres: UInt32 = 0
    fileprivate var square = Double.infinity

    init(_ position: FITPosition) { self.position = position }
  }

  private static let pointSize = 16

  mutating func append(_ position: FITPosition, seconds: UInt32, centimetres: UInt32) {
    spool.buffer.append(littleEndian: position.latitude)
    spool.buffer.append(littleEndian: position.longitude)
    spool.buffer.append(littleEndian: seconds)
    spool.buffer.append(littleEndian: centimetres)
  }

  mutating func flush() throws(TrackError) { try spool.flush() }
  mutating func removeAll() throws(TrackError) { try spool.removeAll() }

  /// Finds the nearest point of the course for each position.
  ///
  /// - Complexity: O(*mn*) for *m* positions and *n* points.
  mutating func find(_ passages: inout [Passage]) throws(TrackError) {
    guard !passages.isEmpty else { return }
    let count = spool.count
    // Locally, the length of a degree of longitude is constant.
    let scales = passages.map { cos(degrees: FITRows.degrees($0.position.latitude)) }
    var input = try spool.input()
    while input.offset < count {
      if input.available.count < FITLine.pointSize {
        guard try input.fill() else { break }
        continue
      }
      let latitude = Int32(bitPattern: FITLine.word(input.available, 0))
      let longitude = Int32(bitPattern: FITLine.word(input.available, 1))
      let seconds = FITLine.word(input.available, 2)
      let centimetres = FITLine.word(input.available, 3)
      for index in passages.indices {
        let northwards = Double(latitude) - Double(passages[index].position.latitude)
        // Wraps around at 180°.
        let eastwards = Double(longitude &- passages[index].position.longitude) * scales[index]
        let square = northwards * northwards + eastwards * eastwards
        if square < passages[index].square {
          passages[index].square = square
          passages[index].seconds = seconds
          passages[index].centimetres = centimetres
        }
      }
      input.consume(FITLine.pointSize)
    }
  }
}

extension FITLine {
  fileprivate static func word(_ bytes: Span<UInt8>, _ index: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: FITBaseType.bits(bytes, at: 4 * index, size: 4, isBigEndian: false))
  }
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

private func cos(degrees: Double) -> Double { cos(degrees * .pi / 180) }

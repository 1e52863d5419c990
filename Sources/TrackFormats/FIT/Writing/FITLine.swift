import CMath
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

  /// The number of points that are searched at once, which bounds the memory.
  private static let partSize = 1 << 18

  /// Finds the nearest point of the course for each position.
  ///
  /// - Complexity: usually O((*m* + *n*) log *n*) for *m* positions and *n* points.
  mutating func find(
    _ passages: inout [Passage], partSize: Int = FITLine.partSize
  ) throws(TrackError) {
    guard !passages.isEmpty else { return }
    let count = spool.count
    // Equal positions are located once, and neighbours after each other.
    let order = passages.indices.sorted { left, right in
      let (first, second) = (passages[left].position, passages[right].position)
      return (first.latitude, first.longitude, left) < (second.latitude, second.longitude, right)
    }
    var points: [FITLineTree.Point] = []
    var input = try spool.input()
    while input.offset < count {
      if input.available.count < FITLine.pointSize {
        guard try input.fill() else { break }
        continue
      }
      points.append(
        FITLineTree.Point(
          latitude: Int32(bitPattern: FITLine.word(input.available, 0)),
          longitude: Int32(bitPattern: FITLine.word(input.available, 1)),
          seconds: FITLine.word(input.available, 2), centimetres: FITLine.word(input.available, 3)))
      input.consume(FITLine.pointSize)
      if points.count == partSize {
        FITLine.find(&passages, order, in: FITLineTree(points))
        points.removeAll(keepingCapacity: true)
      }
    }
    FITLine.find(&passages, order, in: FITLineTree(points))
  }

  private static func find(_ passages: inout [Passage], _ order: [Int], in tree: FITLineTree) {
    var previous: Passage?
    for index in order {
      let position = passages[index].position
      if let previous, previous.position == position {
        passages[index] = previous
      } else if let nearest = tree.nearest(
        to: position,
        // Locally, the length of a degree of longitude is constant.
        scale: cos(degrees: FITRows.degrees(position.latitude)), closerThan: passages[index].square)
      {
        passages[index].square = nearest.square
        passages[index].seconds = nearest.point.seconds
        passages[index].centimetres = nearest.point.centimetres
      }
      previous = passages[index]
    }
  }
}

extension FITLine {
  fileprivate static func word(_ bytes: Span<UInt8>, _ index: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: FITBaseType.bits(bytes, at: 4 * index, size: 4, isBigEndian: false))
  }
}

private func cos(degrees: Double) -> Double { cos(degrees * .pi / 180) }

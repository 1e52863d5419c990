import TrackModel

/// The fields of a container as XML, in the order of the schema; any of them may be empty.
struct GPXFields: ~Copyable {
  /// Writers append a field to it and then call ``end(inside:)``.
  var buffer = ByteBuffer()
  fileprivate var fields: [Field] = []

  fileprivate struct Field {
    var bytes: Range<Int>
    /// The element around the field, written only where the field is not empty.
    var wrapper: StaticString?
  }

  /// Ends a field.
  mutating func end(inside wrapper: StaticString? = nil) {
    fields.append(Field(bytes: (fields.last?.bytes.upperBound ?? 0)..<buffer.count, wrapper: wrapper))
  }

  /// Adds a field that is one element.
  mutating func add(_ name: StaticString, _ text: String?) {
    if let text { buffer.append(element: name, text) }
    end()
  }
}

/// What a container begins with in the output, and where in it more can be put that a file says late.
struct GPXHeading {
  /// The element around all fields, and whether it was written.
  private let wrapper: StaticString?
  private var isWrapperOpen = false
  /// Where the heading begins in the output.
  private var start = 0
  /// Where each field ends in the output, and whether its own wrapper was written.
  private var ends: [(offset: Int, isOpen: Bool)] = []

  /// - Parameter wrapper: the element around all fields, written only where there is a field.
  init(inside wrapper: StaticString? = nil) { self.wrapper = wrapper }

  /// Appends the fields.
  ///
  /// - Parameter base: where the buffer begins in the output.
  mutating func append(_ fields: borrowing GPXFields, to buffer: inout ByteBuffer, base: Int) {
    start = base + buffer.count
    isWrapperOpen = fields.buffer.count > 0
    if isWrapperOpen, let wrapper {
      buffer.append(" ")
      buffer.open(wrapper)
    }
    for field in fields.fields {
      let isOpen = !field.bytes.isEmpty
      if isOpen, let wrapper = field.wrapper { buffer.open(wrapper) }
      buffer.append(contentsOf: fields.buffer.bytes.extracting(field.bytes))
      ends.append((base + buffer.count, isOpen))
      if isOpen, let wrapper = field.wrapper { buffer.close(wrapper) }
    }
    if isWrapperOpen, let wrapper {
      buffer.close(wrapper)
      buffer.append("\n")
    }
  }

  /// What is to be put in for fields that are known only now.
  ///
  /// - Parameter late: as many fields as were written, in the same order; only those that were empty, or may
  ///   stand several times.
  /// - Returns: bytes with their places in the output, in ascending order of these.
  func insertions(_ late: borrowing GPXFields) -> [(offset: Int, bytes: [UInt8])] {
    guard late.buffer.count > 0 else { return [] }
    if wrapper != nil, !isWrapperOpen {
      var buffer = ByteBuffer()
      var whole = GPXHeading(inside: wrapper)
      whole.append(late, to: &buffer, base: 0)
      return [(start, buffer.array)]
    }
    var result: [(offset: Int, bytes: [UInt8])] = []
    for (field, end) in zip(late.fields, ends) where !field.bytes.isEmpty {
      var buffer = ByteBuffer(capacity: field.bytes.count + 32)
      let needsWrapper = !end.isOpen
      if needsWrapper, let wrapper = field.wrapper { buffer.open(wrapper) }
      buffer.append(contentsOf: late.buffer.bytes.extracting(field.bytes))
      if needsWrapper, let wrapper = field.wrapper { buffer.close(wrapper) }
      result.append((end.offset, buffer.array))
    }
    return result
  }
}

extension ByteBuffer {
  /// Puts bytes in at earlier places, given in ascending order.
  mutating func insert(_ insertions: [(offset: Int, bytes: [UInt8])]) {
    guard let first = insertions.first?.offset else { return }
    var rest = ByteBuffer(capacity: count - first)
    rest.append(contentsOf: bytes.extracting(first..<count))
    truncate(to: first)
    var position = 0
    for insertion in insertions {
      append(contentsOf: rest.bytes.extracting(position..<(insertion.offset - first)))
      append(contentsOf: insertion.bytes.span)
      position = insertion.offset - first
    }
    append(contentsOf: rest.bytes.extracting(position..<rest.count))
  }
}

import TrackModel

/// The fields of a container as XML, in the order of the schema. Any of them may be empty.
struct GPXFields: ~Copyable {
  /// The text of the fields. Writers append a field to it and then call ``end(inside:)``.
  var buffer = ByteBuffer()
  fileprivate var fields: [Field] = []

  fileprivate struct Field {
    var bytes: Range<Int>
    /// The element around the field, written only if the field is not empty.
    var wrapper: StaticString?
  }

  /// Ends a field.
  mutating func end(inside wrapper: StaticString? = nil) {
    fields.append(Field(bytes: (fields.last?.bytes.upperBound ?? 0)..<buffer.count, wrapper: wrapper))
  }

  /// Adds a field that is a single element.
  mutating func add(_ name: StaticString, _ text: String?) {
    if let text { buffer.append(element: name, text) }
    end()
  }
}

/// The written fields of a container, with the positions at which fields can be inserted later.
struct GPXHeading {
  /// The element around all fields, and whether it was written.
  private let wrapper: StaticString?
  private var isWrapperOpen = false
  /// The offset of the heading in the output.
  private var start = 0
  /// The end of each field in the output, and whether its wrapper was written.
  private var ends: [(offset: Int, isOpen: Bool)] = []

  /// - Parameter wrapper: the element around all fields, written only if there is a field.
  init(inside wrapper: StaticString? = nil) { self.wrapper = wrapper }

  /// Appends the fields.
  ///
  /// - Parameter base: the offset of the buffer in the output.
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

  /// Returns the bytes to insert for fields that became known after the heading was written.
  ///
  /// - Parameter late: the same fields in the same order. Only fields that were empty or may occur several
  ///   times have content.
  /// - Returns: the bytes and their offsets in the output, in ascending order of offset.
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
  /// Inserts bytes at earlier offsets, given in ascending order.
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

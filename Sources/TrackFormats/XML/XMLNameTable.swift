import TrackModel

/// The names of a document by their spelling in bytes, resolved once per spelling and namespace scope.
@unsafe
struct XMLNameTable {
  /// A spelling in a scope.
  struct Entry {
    /// The offset of the spelling in the stored bytes.
    var offset: Int
    var count: Int
    var scope: Int
    var isAttribute: Bool
    var hash: UInt64
    /// The first eight bytes of the spelling, the first in the lowest bits, padded with zeros.
    var head: UInt64
    /// A mask of the bytes used in `head`.
    var headMask: UInt64
    /// The index of the name on the tape.
    var index: UInt32
    var code: UInt16
    var hasPrefix: Bool
    /// The entry of the same kind that followed this one most recently, or -1, because files are repetitive.
    var successor = -1
    /// For an element, the entry of its most recent first attribute, or -1.
    var firstAttribute = -1
  }

  /// A prefix and its namespace; a nil prefix is the default namespace.
  struct Binding: Hashable {
    var prefix: String?
    var uri: String
  }

  private struct Scope {
    var parent: Int
    /// The namespaces declared in this scope, by prefix.
    var uris: [String?: String]
  }

  private struct ScopeKey: Hashable {
    var parent: Int
    var bindings: [Binding]
  }

  private var entries: UnsafeMutablePointer<Entry>
  private var entryCount = 0
  private var entryCapacity = 64
  private var lastElement = -1
  private var bytes: UnsafeMutablePointer<UInt8>
  private var byteCount = 0
  private var byteCapacity = 1 << 12
  /// A hash table with open addressing, of a power-of-two size: index in `entries` plus one, 0 for a free
  /// slot.
  private var slots: UnsafeMutablePointer<Int32>
  private var slotMask = 255
  private var scopes: [Scope] = [Scope(parent: -1, uris: [:])]
  private var scopeIndices: [ScopeKey: Int] = [:]
  private var bindingBytes = 0
  /// Whether a name was rejected because of the limit on names or on their bytes.
  private var isFull = false

  init() {
    unsafe bytes = .allocate(capacity: byteCapacity)
    unsafe entries = .allocate(capacity: entryCapacity)
    unsafe slots = .allocate(capacity: slotMask + 1)
    unsafe slots.initialize(repeating: 0, count: slotMask + 1)
  }

  func free() {
    unsafe bytes.deallocate()
    unsafe entries.deallocate()
    unsafe slots.deallocate()
  }

  @inline(__always)
  func entry(_ index: Int) -> UnsafePointer<Entry> { unsafe UnsafePointer(entries + index) }

  /// Returns whether the bytes begin with an entry's spelling.
  @inline(__always)
  func begins(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, with entry: UnsafePointer<Entry>)
    -> Bool
  {
    let count = unsafe entry.pointee.count
    let available = unsafe end - start
    guard available >= 8, available >= count else {
      guard available >= count else { return false }
      let spelling = unsafe bytes + entry.pointee.offset
      for index in 0..<count where unsafe spelling[index] != start[index] { return false }
      return true
    }
    let difference = unsafe (XMLByte.word(start) ^ entry.pointee.head) & entry.pointee.headMask
    guard difference == 0 else { return false }
    guard count > 8 else { return true }
    let spelling = unsafe bytes + entry.pointee.offset
    var index = 8
    while index < count {
      // The last word overlaps the one before it.
      let offset = min(index, count &- 8)
      guard unsafe XMLByte.word(spelling + offset) == XMLByte.word(start + offset) else { return false }
      index &+= 8
    }
    return true
  }

  func spelling(_ entry: Entry) -> String {
    unsafe String(
      decoding: UnsafeBufferPointer(start: bytes + entry.offset, count: entry.count), as: UTF8.self)
  }

  /// Returns the element that is most likely to come next in a scope, if the bytes begin with its spelling
  /// and a byte that ends it.
  @inline(__always)
  func expected(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, scope: Int,
    _ classes: UnsafeMutablePointer<UInt8>
  ) -> Int? {
    let last = unsafe lastElement
    guard last >= 0, case let guess = unsafe entries[last].successor, guess >= 0 else { return nil }
    let entry = unsafe UnsafePointer(entries + guess)
    guard unsafe entry.pointee.scope == scope, unsafe begins(start, end, with: entry),
      case let behind = unsafe start + entry.pointee.count, unsafe behind < end,
      unsafe classes[Int(behind.pointee)] & XMLByte.name == 0
    else { return nil }
    return guess
  }

  /// Returns the entry of an element's spelling, creating it if needed, and records it as the successor of
  /// the last element.
  mutating func element(
    _ start: UnsafePointer<UInt8>, _ count: Int, scope: Int, _ tape: UnsafeMutablePointer<XMLTapeMemory>
  ) -> Int? {
    guard let found = unsafe find(start, count, scope: scope, isAttribute: false, tape) else { return nil }
    if unsafe lastElement >= 0 { unsafe entries[lastElement].successor = found }
    unsafe lastElement = found
    return found
  }

  /// Records that the expected element occurred.
  @inline(__always)
  mutating func pass(_ element: Int) { unsafe lastElement = element }

  /// Returns the entry of an attribute's spelling, creating it if needed.
  ///
  /// - Parameter previous: the attribute before it in the tag, or -1 for the first.
  @inline(__always)
  mutating func attribute(
    _ start: UnsafePointer<UInt8>, _ count: Int, _ end: UnsafePointer<UInt8>, of element: Int,
    behind previous: Int, scope: Int, _ tape: UnsafeMutablePointer<XMLTapeMemory>
  ) -> Int? {
    let guess =
      unsafe previous < 0 ? entries[element].firstAttribute : entries[previous].successor
    if guess >= 0 {
      let entry = unsafe UnsafePointer(entries + guess)
      if unsafe entry.pointee.count == count, unsafe entry.pointee.scope == scope,
        unsafe begins(start, end, with: entry)
      {
        return guess
      }
    }
    guard let found = unsafe find(start, count, scope: scope, isAttribute: true, tape) else { return nil }
    if previous < 0 {
      unsafe entries[element].firstAttribute = found
    } else {
      unsafe entries[previous].successor = found
    }
    return found
  }

  /// Returns the code of a spelling in a scope, or nil if there is no entry for it.
  func code(of start: UnsafePointer<UInt8>, _ count: Int, scope: Int, isAttribute: Bool) -> UInt16? {
    let place = unsafe place(of: start, count, scope: scope, isAttribute: isAttribute)
    return place.entry.map { unsafe entries[$0].code }
  }

  /// Returns the entry of a spelling in a scope, creating it if needed.
  ///
  /// - Returns: the index for ``entry(_:)``, or nil if the spelling is not a name or a limit is exceeded.
  private mutating func find(
    _ start: UnsafePointer<UInt8>, _ count: Int, scope: Int, isAttribute: Bool,
    _ tape: UnsafeMutablePointer<XMLTapeMemory>
  ) -> Int? {
    let place = unsafe place(of: start, count, scope: scope, isAttribute: isAttribute)
    if let entry = place.entry { return entry }
    return unsafe add(
      start, count, scope: scope, isAttribute: isAttribute, hash: place.hash, slot: place.slot, tape)
  }

  /// Returns the entry of a spelling in a scope, or the free slot for it.
  private func place(
    of start: UnsafePointer<UInt8>, _ count: Int, scope: Int, isAttribute: Bool
  ) -> (entry: Int?, slot: Int, hash: UInt64) {
    var hash = UInt64(truncatingIfNeeded: scope &* 2 &+ (isAttribute ? 1 : 0)) &+ 0x9E37_79B9_7F4A_7C15
    for index in 0..<count { hash = unsafe (hash ^ UInt64(start[index])) &* 0x100_0000_01B3 }
    hash ^= hash >> 32
    let mask = unsafe slotMask
    var slot = Int(truncatingIfNeeded: hash) & mask
    while case let found = unsafe Int(slots[slot]), found > 0 {
      let entry = unsafe UnsafePointer(entries + (found &- 1))
      if unsafe entry.pointee.hash == hash, unsafe entry.pointee.count == count,
        unsafe entry.pointee.scope == scope, unsafe entry.pointee.isAttribute == isAttribute,
        unsafe begins(start, start + count, with: entry)
      {
        return (found &- 1, slot, hash)
      }
      slot = (slot &+ 1) & mask
    }
    return (nil, slot, hash)
  }

  private mutating func add(
    _ start: UnsafePointer<UInt8>, _ count: Int, scope: Int, isAttribute: Bool, hash: UInt64, slot: Int,
    _ tape: UnsafeMutablePointer<XMLTapeMemory>
  ) -> Int? {
    guard unsafe byteCount + count <= tape.pointee.limits.nameSize else {
      unsafe isFull = true
      return nil
    }
    let text = unsafe String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let spelling = text, XMLByte.isQualifiedName(spelling) else { return nil }
    let name = unsafe resolve(spelling, scope: scope, isAttribute: isAttribute)
    let interned = unsafe tape.pointee.intern(name)
    guard unsafe entryCount < 4 * tape.pointee.limits.nameCount,
      unsafe tape.pointee.names.count <= tape.pointee.limits.nameCount
    else {
      unsafe isFull = true
      return nil
    }
    if unsafe byteCount + count > byteCapacity {
      let capacity = unsafe max(byteCapacity * 2, byteCount + count)
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      unsafe larger.update(from: bytes, count: byteCount)
      unsafe bytes.deallocate()
      unsafe bytes = unsafe larger
      unsafe byteCapacity = capacity
    }
    unsafe (bytes + byteCount).update(from: start, count: count)
    if unsafe entryCount == entryCapacity {
      let larger = UnsafeMutablePointer<Entry>.allocate(capacity: unsafe entryCapacity * 2)
      unsafe larger.update(from: entries, count: entryCount)
      unsafe entries.deallocate()
      unsafe entries = unsafe larger
      unsafe entryCapacity *= 2
    }
    var head: UInt64 = 0
    for index in 0..<min(count, 8) { head |= unsafe UInt64(start[index]) << UInt64(8 * index) }
    unsafe (entries + entryCount).initialize(
      to: Entry(
        offset: byteCount, count: count, scope: scope, isAttribute: isAttribute, hash: hash, head: head,
        // A spelling is never empty, so the shift is by less than 64.
        headMask: UInt64.max >> UInt64(64 - 8 * min(count, 8)), index: interned.index, code: interned.code,
        hasPrefix: name.prefix != nil))
    unsafe byteCount += count
    unsafe entryCount += 1
    unsafe slots[slot] = unsafe Int32(entryCount)
    if unsafe entryCount * 2 > slotMask { unsafe rehash() }
    return unsafe entryCount - 1
  }

  /// Returns the limit that the last rejected name exceeds, or nil if the name is invalid.
  func exceededLimit(_ tape: UnsafeMutablePointer<XMLTapeMemory>) -> String? {
    guard unsafe isFull else { return nil }
    let limits = unsafe tape.pointee.limits
    return "more than \(limits.nameCount) names, or \(ReadingLimits.text(size: limits.nameSize)) of them"
  }

  private mutating func rehash() {
    let mask = unsafe (slotMask + 1) * 4 - 1
    unsafe slots.deallocate()
    unsafe slots = .allocate(capacity: mask + 1)
    unsafe slots.initialize(repeating: 0, count: mask + 1)
    unsafe slotMask = mask
    for index in 0..<(unsafe entryCount) {
      var slot = unsafe Int(truncatingIfNeeded: entries[index].hash) & mask
      while unsafe slots[slot] != 0 { slot = (slot + 1) & mask }
      unsafe slots[slot] = Int32(index + 1)
    }
  }

  // MARK: Namespaces

  /// Returns the scope of a nested element that declares namespaces. The same declarations in the same outer
  /// scope yield the same scope, so names are not resolved again.
  ///
  /// - Returns: nil if there are too many scopes.
  mutating func enter(
    _ parent: Int, _ bindings: [Binding], _ tape: UnsafeMutablePointer<XMLTapeMemory>
  ) -> Int? {
    let key = ScopeKey(parent: parent, bindings: bindings)
    if let known = unsafe scopeIndices[key] { return known }
    unsafe bindingBytes += bindings.reduce(0) { $0 + ($1.prefix?.utf8.count ?? 0) + $1.uri.utf8.count }
    guard unsafe scopes.count <= tape.pointee.limits.nameCount,
      unsafe bindingBytes <= tape.pointee.limits.nameSize
    else {
      return nil
    }
    let uris = Dictionary(bindings.map { ($0.prefix, $0.uri) }) { first, _ in first }
    unsafe scopes.append(Scope(parent: parent, uris: uris))
    let index = unsafe scopes.count - 1
    unsafe scopeIndices[key] = index
    return index
  }

  private func uri(of prefix: String?, _ scope: Int) -> String? {
    if prefix == "xml" { return XMLName.xmlNamespace }
    var scope = scope
    while scope > 0 {
      if let uri = unsafe scopes[scope].uris[prefix] { return uri.isEmpty ? nil : uri }
      scope = unsafe scopes[scope].parent
    }
    return nil
  }

  private func resolve(_ spelling: String, scope: Int, isAttribute: Bool) -> XMLName {
    guard let colon = spelling.firstIndex(of: ":") else {
      // A default namespace applies only to elements.
      return XMLName(namespace: isAttribute ? nil : unsafe uri(of: nil, scope), prefix: nil, local: spelling)
    }
    let prefix = String(spelling[..<colon])
    let local = String(spelling[spelling.index(after: colon)...])
    return XMLName(namespace: unsafe uri(of: prefix, scope), prefix: prefix, local: local)
  }
}

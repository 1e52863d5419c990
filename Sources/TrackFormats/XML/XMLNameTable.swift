import TrackModel

/// The names of a document as its bytes spell them, resolved once per spelling and scope of namespaces.
@unsafe
struct XMLNameTable {
  /// A spelling in a scope.
  struct Entry {
    /// Where the spelling lies among the kept bytes.
    var offset: Int
    var count: Int
    var scope: Int
    var isAttribute: Bool
    var hash: UInt64
    /// The name on the tape.
    var index: UInt32
    var code: UInt16
    /// The element that came after this one the last time, plus one: files repeat themselves.
    var successor = 0
  }

  /// A prefix and what it stands for; nil is the default namespace.
  struct Binding: Hashable {
    var prefix: String?
    var uri: String
  }

  private struct Scope {
    var parent: Int
    var bindings: [Binding]
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
  /// Open addressing, a power of two: index into `entries` plus one, 0 for a free slot.
  private var slots: UnsafeMutablePointer<Int32>
  private var slotMask = 255
  private var scopes: [Scope] = [Scope(parent: -1, bindings: [])]
  private var scopeIndices: [ScopeKey: Int] = [:]

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

  /// Whether bytes are the beginning of the spelling at an offset.
  @inline(__always)
  func matches(_ offset: Int, _ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let spelling = unsafe bytes + offset
    var index = 0
    while index < count {
      guard unsafe spelling[index] == start[index] else { return false }
      index &+= 1
    }
    return true
  }

  func spelling(_ entry: Entry) -> String {
    unsafe String(decoding: UnsafeBufferPointer(start: bytes + entry.offset, count: entry.count), as: UTF8.self)
  }

  /// Whether two names on a tape are one name, whatever their prefixes.
  func areTwins(_ first: UInt32, _ second: UInt32, _ tape: UnsafeMutablePointer<XMLTapeMemory>) -> Bool {
    if first == second { return true }
    let names = unsafe (tape.pointee.names[Int(first)], tape.pointee.names[Int(second)])
    return names.0.namespace != nil && names.0.namespace == names.1.namespace && names.0.local == names.1.local
  }

  /// Finds or makes the entry of an element's spelling, trying first the element that came next the last time.
  @inline(__always)
  mutating func findElement(
    _ start: UnsafePointer<UInt8>, _ count: Int, scope: Int, _ tape: UnsafeMutablePointer<XMLTapeMemory>
  ) -> Int? {
    let last = unsafe lastElement
    if last >= 0, case let guess = unsafe entries[last].successor &- 1, guess >= 0 {
      let entry = unsafe entries + guess
      if unsafe entry.pointee.count == count, unsafe entry.pointee.scope == scope,
        unsafe matches(entry.pointee.offset, start, count)
      {
        unsafe lastElement = guess
        return guess
      }
    }
    guard let found = unsafe find(start, count, scope: scope, isAttribute: false, tape) else { return nil }
    if last >= 0 { unsafe entries[last].successor = found + 1 }
    unsafe lastElement = found
    return found
  }

  /// Finds or makes the entry of a spelling in a scope.
  ///
  /// - Returns: the index for ``entry(_:)``; nil where it is no name, or there are too many.
  @inline(__always)
  mutating func find(
    _ start: UnsafePointer<UInt8>, _ count: Int, scope: Int, isAttribute: Bool,
    _ tape: UnsafeMutablePointer<XMLTapeMemory>
  ) -> Int? {
    var hash = UInt64(truncatingIfNeeded: scope &* 2 &+ (isAttribute ? 1 : 0)) &+ 0x9E37_79B9_7F4A_7C15
    for index in 0..<count { hash = unsafe (hash ^ UInt64(start[index])) &* 0x100_0000_01B3 }
    hash ^= hash >> 32
    let mask = unsafe slotMask
    var slot = Int(truncatingIfNeeded: hash) & mask
    while case let found = unsafe Int(slots[slot]), found > 0 {
      let entry = unsafe entries + (found &- 1)
      if unsafe entry.pointee.hash == hash, unsafe entry.pointee.count == count,
        unsafe entry.pointee.scope == scope, unsafe entry.pointee.isAttribute == isAttribute,
        unsafe matches(entry.pointee.offset, start, count)
      {
        return found &- 1
      }
      slot = (slot &+ 1) & mask
    }
    return unsafe add(start, count, scope: scope, isAttribute: isAttribute, hash: hash, slot: slot, tape)
  }

  private mutating func add(
    _ start: UnsafePointer<UInt8>, _ count: Int, scope: Int, isAttribute: Bool, hash: UInt64, slot: Int,
    _ tape: UnsafeMutablePointer<XMLTapeMemory>
  ) -> Int? {
    let spelling = unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard spelling.utf8.count == count, XMLByte.isName(spelling) else { return nil }
    let name = unsafe resolve(spelling, scope: scope, isAttribute: isAttribute)
    let interned = unsafe tape.pointee.intern(name)
    guard unsafe entryCount < 4 * XMLTape.maximumNames,
      unsafe tape.pointee.names.count <= XMLTape.maximumNames
    else { return nil }
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
    unsafe (entries + entryCount).initialize(
      to: Entry(
        offset: byteCount, count: count, scope: scope, isAttribute: isAttribute, hash: hash,
        index: interned.index, code: interned.code))
    unsafe byteCount += count
    unsafe entryCount += 1
    unsafe slots[slot] = unsafe Int32(entryCount)
    if unsafe entryCount * 2 > slotMask { unsafe rehash() }
    return unsafe entryCount - 1
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

  /// The scope of an element that declares namespaces inside another; the same declarations at the same place
  /// give the same scope, so that names need not be resolved again.
  ///
  /// - Returns: nil where there are too many scopes.
  mutating func enter(_ parent: Int, _ bindings: [Binding]) -> Int? {
    let key = ScopeKey(parent: parent, bindings: bindings)
    if let known = unsafe scopeIndices[key] { return known }
    guard unsafe scopes.count <= XMLTape.maximumNames else { return nil }
    unsafe scopes.append(Scope(parent: parent, bindings: bindings))
    let index = unsafe scopes.count - 1
    unsafe scopeIndices[key] = index
    return index
  }

  private func uri(of prefix: String?, _ scope: Int) -> String? {
    if prefix == "xml" { return "http://www.w3.org/XML/1998/namespace" }
    var scope = scope
    while scope > 0 {
      let here = unsafe scopes[scope]
      if let binding = here.bindings.last(where: { $0.prefix == prefix }) {
        return binding.uri.isEmpty ? nil : binding.uri
      }
      scope = here.parent
    }
    return nil
  }

  private func resolve(_ spelling: String, scope: Int, isAttribute: Bool) -> XMLName {
    guard let colon = spelling.firstIndex(of: ":") else {
      // A default namespace is for elements only.
      return XMLName(namespace: isAttribute ? nil : unsafe uri(of: nil, scope), prefix: nil, local: spelling)
    }
    let prefix = String(spelling[..<colon])
    let local = String(spelling[spelling.index(after: colon)...])
    return XMLName(namespace: unsafe uri(of: prefix, scope), prefix: prefix, local: local)
  }
}

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
    /// Whether nothing declares the prefix.
    var isUndeclared: Bool
    /// The name on the tape.
    var index: UInt32
    var code: UInt16
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

  private(set) var entries: [Entry] = []
  private var bytes: UnsafeMutablePointer<UInt8>
  private var byteCount = 0
  private var byteCapacity = 1 << 12
  /// Open addressing, a power of two: index into `entries` plus one, 0 for a free slot.
  private var slots: [Int32] = Array(repeating: 0, count: 256)
  private var scopes: [Scope] = [Scope(parent: -1, bindings: [])]
  private var scopeIndices: [ScopeKey: Int] = [:]

  init() { unsafe bytes = .allocate(capacity: byteCapacity) }

  func free() { unsafe bytes.deallocate() }

  /// Whether bytes are the beginning of an entry's spelling.
  @inline(__always)
  func matches(_ entry: Entry, _ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let spelling = unsafe bytes + entry.offset
    for index in 0..<count where unsafe spelling[index] != start[index] { return false }
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

  /// Finds or makes the entry of a spelling in a scope.
  ///
  /// - Returns: its index in ``entries``; nil where it is no name, or there are too many.
  @inline(__always)
  mutating func find(
    _ start: UnsafePointer<UInt8>, _ count: Int, scope: Int, isAttribute: Bool,
    _ tape: UnsafeMutablePointer<XMLTapeMemory>
  ) -> Int? {
    var hash = UInt64(truncatingIfNeeded: scope &* 2 &+ (isAttribute ? 1 : 0)) &+ 0x9E37_79B9_7F4A_7C15
    for index in 0..<count { hash = unsafe (hash ^ UInt64(start[index])) &* 0x100_0000_01B3 }
    hash ^= hash >> 32
    let mask = unsafe slots.count &- 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while case let found = unsafe Int(slots[slot]), found > 0 {
      let entry = unsafe entries[found &- 1]
      if entry.hash == hash, entry.count == count, entry.scope == scope, entry.isAttribute == isAttribute,
        unsafe matches(entry, start, count)
      {
        if entry.isUndeclared { unsafe tape.pointee.undeclaredPrefixes += 1 }
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
    let isUndeclared = name.prefix != nil && name.namespace == nil
    if isUndeclared { unsafe tape.pointee.undeclaredPrefixes += 1 }
    let interned = unsafe tape.pointee.intern(name)
    guard unsafe entries.count < 4 * XMLTape.maximumNames,
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
    unsafe entries.append(
      Entry(
        offset: byteCount, count: count, scope: scope, isAttribute: isAttribute, hash: hash,
        isUndeclared: isUndeclared, index: interned.index, code: interned.code))
    unsafe byteCount += count
    unsafe slots[slot] = unsafe Int32(entries.count)
    if unsafe entries.count * 2 > slots.count { unsafe rehash() }
    return unsafe entries.count - 1
  }

  private mutating func rehash() {
    let mask = unsafe slots.count * 4 - 1
    unsafe slots = Array(repeating: 0, count: mask + 1)
    for (index, entry) in unsafe entries.enumerated() {
      var slot = Int(truncatingIfNeeded: entry.hash) & mask
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

/// The names of a tape by the strings that libxml2 interned.
///
/// libxml2 keeps each spelling once for the lifetime of its parser, so three pointers identify a name: its
/// local part, prefix and namespace. A hash table with open addressing; finding a name is O(1).
@unsafe
struct InternedNameTable {
  private var entries: UnsafeMutablePointer<Entry>
  /// One less than the number of slots, which is a power of two.
  private var mask = 255
  private var count = 0

  @unsafe
  private struct Entry {
    var local: UnsafePointer<UInt8>?
    var prefix: UnsafePointer<UInt8>?
    var namespace: UnsafePointer<UInt8>?
    var index: UInt32 = 0
    var code: UInt16 = 0

    /// Returns the first slot to probe for three pointers.
    static func slot(
      _ local: UnsafePointer<UInt8>?, _ prefix: UnsafePointer<UInt8>?, _ namespace: UnsafePointer<UInt8>?,
      _ mask: Int
    ) -> Int {
      let mixed =
        UInt(bitPattern: local) &* 0x9E37_79B9_7F4A_7C15
        ^ UInt(bitPattern: prefix) &* 31 ^ UInt(bitPattern: namespace) &* 17
      return Int(truncatingIfNeeded: (mixed >> 32) ^ mixed) & mask
    }
  }

  init() {
    unsafe entries = .allocate(capacity: mask + 1)
    unsafe entries.initialize(repeating: Entry(), count: mask + 1)
  }

  func deallocate() { unsafe entries.deallocate() }

  /// Returns the name for three interned strings, or nil if it has not been added.
  func name(
    _ local: UnsafePointer<UInt8>, _ prefix: UnsafePointer<UInt8>?, _ namespace: UnsafePointer<UInt8>?
  ) -> (index: UInt32, code: UInt16)? {
    var slot = unsafe Entry.slot(local, prefix, namespace, mask)
    while let known = unsafe entries[slot].local {
      let entry = unsafe entries[slot]
      if unsafe known == local, unsafe entry.prefix == prefix, unsafe entry.namespace == namespace {
        return unsafe (entry.index, entry.code)
      }
      unsafe slot = (slot + 1) & mask
    }
    return nil
  }

  /// Adds a name that the table does not contain.
  mutating func insert(
    _ name: (index: UInt32, code: UInt16), for local: UnsafePointer<UInt8>, _ prefix: UnsafePointer<UInt8>?,
    _ namespace: UnsafePointer<UInt8>?
  ) {
    unsafe place(
      Entry(local: local, prefix: prefix, namespace: namespace, index: name.index, code: name.code))
    unsafe count += 1
    if unsafe count * 2 > mask { unsafe grow() }
  }

  /// Stores an entry in the first free slot.
  private func place(_ entry: Entry) {
    var slot = unsafe Entry.slot(entry.local, entry.prefix, entry.namespace, mask)
    while unsafe entries[slot].local != nil { unsafe slot = (slot + 1) & mask }
    unsafe entries[slot] = unsafe entry
  }

  private mutating func grow() {
    let (old, oldCount) = unsafe (entries, mask + 1)
    unsafe mask = oldCount * 4 - 1
    unsafe entries = .allocate(capacity: oldCount * 4)
    unsafe entries.initialize(repeating: Entry(), count: oldCount * 4)
    for index in 0..<oldCount where unsafe old[index].local != nil { unsafe place(old[index]) }
    unsafe old.deallocate()
  }
}

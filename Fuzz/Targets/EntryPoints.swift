import CFuzzSupport
import Synchronization
import TestSupport

/// The target that this process runs, from the name of its program: `fuzz-gpx`.
private let running = Mutex<FuzzTarget?>(nil)

@_cdecl("fuzz_start")
func start(_ program: UnsafePointer<CChar>) {
  let name = unsafe String(cString: program).split(separator: "-", maxSplits: 1).last.map(String.init) ?? ""
  guard let target = FuzzTarget.named(name) else {
    let names = FuzzTarget.all.map { "fuzz-\($0.name)" }.joined(separator: ", ")
    unsafe fuzz_fail("the program has to be called one of \(names)")
  }
  running.withLock { $0 = target }
}

@_cdecl("fuzz_one_input")
func runOne(_ data: UnsafePointer<UInt8>?, _ size: Int) {
  guard let target = running.withLock({ $0 }) else { return }
  let input = unsafe Array(UnsafeBufferPointer(start: data, count: size))
  do {
    try target.run(input)
  } catch {
    unsafe fuzz_fail("\(target.name): \(error)")
  }
}

@_cdecl("fuzz_custom_mutate")
func mutate(_ data: UnsafeMutablePointer<UInt8>?, _ size: Int, _ capacity: Int, _ seed: UInt32) -> Int {
  guard let data = unsafe data else { return 0 }
  var generator = SeededGenerator(seed: UInt64(seed))
  let isXML = running.withLock { $0?.isXML ?? false }
  guard isXML, Int.random(in: 0..<3, using: &generator) > 0 else {
    return unsafe fuzz_mutate(data, size, capacity)
  }
  var document = XMLMutator(unsafe Array(UnsafeBufferPointer(start: data, count: size)))
  document.mutate(using: &generator)
  let bytes = document.bytes.prefix(capacity)
  for (index, byte) in bytes.enumerated() { unsafe data[index] = byte }
  return bytes.count
}

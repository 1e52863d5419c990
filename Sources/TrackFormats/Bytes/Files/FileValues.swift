import TrackModel

extension FileDescriptor {
  /// Writes the bytes of values in their memory layout.
  func write<Value: BitwiseCopyable>(values: [Value]) throws(TrackError) {
    var fault: TrackError?
    unsafe values.withUnsafeBytes { bytes in
      let bytes = unsafe Span<UInt8>(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self))
      do throws(TrackError) { try write(bytes) } catch { fault = error }
    }
    if let fault { throw fault }
  }

  /// Reads values that ``write(values:)`` wrote.
  ///
  /// - Parameter filler: any value.
  func values<Value: BitwiseCopyable>(_ count: Int, like filler: Value) throws(TrackError) -> [Value] {
    var values = [Value](repeating: filler, count: count)
    var fault: TrackError?
    unsafe values.withUnsafeMutableBytes { bytes in
      guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      var done = 0
      do throws(TrackError) {
        while done < bytes.count {
          let count = try unsafe read(to: start + done, count: bytes.count - done)
          guard count > 0 else { throw TrackError(.unreadable, "the temporary file ends too early") }
          done += count
        }
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
    return values
  }
}

extension Int64 {
  /// Decodes a zigzag code: 0, 1, 2, 3, 4 … for 0, −1, 1, −2, 2 …
  @inlinable
  public init(zigzag code: UInt64) { self = Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1) }

  /// The zigzag code: 0, 1, 2, 3, 4 … for 0, −1, 1, −2, 2 …
  @inlinable
  public var zigzag: UInt64 { UInt64(bitPattern: self &<< 1 ^ self &>> 63) }
}

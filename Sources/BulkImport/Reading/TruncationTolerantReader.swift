import TrackFormats
import TrackModel

/// A reader of compressed content. Damage to the compressed data causes warnings, or an error in strict
/// reading. An error that ends the data replaces those that the underlying reader throws because of it.
struct TruncationTolerantReader: TrackReader, ~Copyable {
  private var reader: any TrackReader & ~Copyable
  private let damage: CompressionDamage
  private let isStrict: Bool

  init(_ reader: consuming any TrackReader & ~Copyable, _ damage: CompressionDamage, isStrict: Bool) {
    self.reader = reader
    self.damage = damage
    self.isStrict = isStrict
  }

  /// Complete at the end of the stream.
  private(set) var warnings: [TrackWarning] = []
  private(set) var unsupportedContent = LossReport()
  private(set) var sharedPoints = 0
  private var hasEnded = false

  private mutating func end() {
    hasEnded = true
    warnings = reader.warnings
    sharedPoints = reader.sharedPoints
    unsupportedContent = reader.unsupportedContent
    warnings.insert(contentsOf: damage.warnings, at: 0)
  }

  mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    guard !hasEnded else { return nil }
    do throws(TrackError) {
      if let event = try reader.next(into: &batch) { return event }
    } catch {
      end()
      throw damage.error ?? error
    }
    end()
    if isStrict, let error = damage.error ?? damage.warnings.first?.asError { throw error }
    return nil
  }
}

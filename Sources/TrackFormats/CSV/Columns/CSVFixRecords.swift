import TrackModel

/// The records with positions in a log of GnssLogger, which has records of several types. Fixes of one
/// provider are read: GPS if the log has it, because the positions of networks are less accurate.
struct CSVFixRecords: Sendable {
  /// The first field of the records.
  private let type: String
  /// The provider in lower case, or nil before the first fix.
  private var provider: String?

  private static let receiver = "gps"
  /// The columns of the type and of the provider.
  static let columns = [0, 1]

  /// - Parameters:
  ///   - logger: the logger of the table.
  ///   - rows: the first fixes.
  /// - Returns: nil for tables with records of one type.
  init?(_ logger: CSVLogger?, _ rows: [CSVLayout.Row]) {
    guard let type = logger?.recordType else { return nil }
    self.type = type
    for row in rows where row.fields.count > 1 { _ = reads(row.fields[1]) }
  }

  func contains(_ records: borrowing CSVRecords) -> Bool { records.text(of: 0) == type }

  /// Returns the provider of a fix that is not read, or nil.
  mutating func otherProvider(_ records: borrowing CSVRecords) -> String? {
    let provider = records.text(of: 1)
    return reads(provider) ? nil : provider
  }

  private mutating func reads(_ provider: String) -> Bool {
    let provider = provider.lowercased()
    if self.provider == nil || provider == Self.receiver { self.provider = provider }
    return provider == self.provider
  }
}

extension TrackWarning.Code {
  /// Positions of another provider, such as a network, are skipped.
  static let otherProvider = Self("other-provider")
}

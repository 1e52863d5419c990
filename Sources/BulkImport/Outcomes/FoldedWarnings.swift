public import TrackModel

/// The warnings of many inputs, grouped by kind.
public struct FoldedWarnings: Sendable {
  private struct Kind: Hashable {
    let code: TrackWarning.Code
    let message: String
  }

  /// Warnings of one kind.
  public struct Group: Sendable {
    /// The first warning, with its own count.
    public private(set) var first: TrackWarning
    /// The file of the first warning.
    public private(set) var file: String
    /// The number of files with warnings of this kind.
    public fileprivate(set) var files = 1
    /// The sum of the counts of all warnings.
    public fileprivate(set) var count: Int
    /// The file of the last warning. The warnings of a file follow each other.
    fileprivate var lastFile: String

    fileprivate init(_ warning: TrackWarning, _ file: String) {
      first = warning
      self.file = file
      count = warning.count
      lastFile = file
    }
  }

  /// Content that outputs of a format cannot represent.
  public struct Losses: Sendable {
    /// The kind of loss, such as `not representable in GPX`.
    public let description: String
    /// The content that was lost, summed over all files.
    public fileprivate(set) var report: LossReport
    /// The file of the first loss.
    public let file: String
    /// The number of files with losses.
    public fileprivate(set) var files = 1
  }

  package init() {}

  private var kinds: [Kind] = []
  private var groups: [Kind: Group] = [:]
  /// The losses by description, such as `not representable in GPX`.
  private var losses: [String: Losses] = [:]

  package mutating func add(_ warnings: [TrackWarning], file: String) {
    for warning in warnings {
      add(
        Kind(code: warning.code, message: warning.message),
        Group(warning, file))
    }
  }

  /// - Parameter description: the kind of loss, such as `not representable in GPX`.
  package mutating func add(_ report: LossReport, _ description: String, file: String) {
    add(Losses(description: description, report: report, file: file))
  }

  package mutating func add(_ other: FoldedWarnings) {
    for kind in other.kinds { if let group = other.groups[kind] { add(kind, group) } }
    for losses in other.losses.values { add(losses) }
  }

  private mutating func add(_ kind: Kind, _ group: Group) {
    guard var known = groups[kind] else {
      kinds.append(kind)
      groups[kind] = group
      return
    }
    known.files += group.file == known.lastFile ? group.files - 1 : group.files
    known.lastFile = group.lastFile
    known.count += group.count
    groups[kind] = known
  }

  private mutating func add(_ other: Losses) {
    guard var known = losses[other.description] else {
      losses[other.description] = other
      return
    }
    known.report.add(other.report)
    known.files += other.files
    losses[other.description] = known
  }

  /// The groups in the order of first occurrence.
  public var warnings: [Group] { kinds.compactMap { groups[$0] } }
  /// The losses in the order of their descriptions.
  public var lost: [Losses] { losses.values.sorted { $0.description < $1.description } }
}

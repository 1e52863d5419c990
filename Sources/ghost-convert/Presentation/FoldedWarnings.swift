import TrackModel

/// The warnings of many inputs, with one line for all warnings of a kind.
struct FoldedWarnings: Sendable {
  private struct Kind: Hashable {
    let code: TrackWarning.Code
    let message: String
  }

  /// Warnings of one kind.
  private struct Group {
    var first: TrackWarning
    var file: String
    var files = 1
    var count: Int
  }

  /// What outputs of a format have no place for.
  private struct Losses {
    var report: LossReport
    var file: String
    var files = 1
  }

  private var kinds: [Kind] = []
  private var groups: [Kind: Group] = [:]
  /// By their description, such as `not representable in GPX`.
  private var losses: [String: Losses] = [:]

  mutating func add(_ warnings: [TrackWarning], file: String) {
    for warning in warnings {
      add(
        Kind(code: warning.code, message: warning.message),
        Group(first: warning, file: file, count: warning.count))
    }
  }

  /// - Parameter description: `not representable in GPX`.
  mutating func add(_ report: LossReport, _ description: String, file: String) {
    add(Losses(report: report, file: file), description)
  }

  mutating func add(_ other: FoldedWarnings) {
    for kind in other.kinds { if let group = other.groups[kind] { add(kind, group) } }
    for (description, losses) in other.losses { add(losses, description) }
  }

  private mutating func add(_ kind: Kind, _ group: Group) {
    guard var known = groups[kind] else {
      kinds.append(kind)
      groups[kind] = group
      return
    }
    known.files += group.files
    known.count += group.count
    groups[kind] = known
  }

  private mutating func add(_ other: Losses, _ description: String) {
    guard var known = losses[description] else {
      losses[description] = other
      return
    }
    known.report.add(other.report)
    known.files += other.files
    losses[description] = known
  }

  /// One line for each kind, in the order of first occurrence.
  var lines: [String] {
    let warnings = kinds.compactMap { groups[$0] }.map { group in
      guard group.files > 1 else { return Console.text(of: group.first, file: group.file) }
      var first = group.first
      first.count = 1
      return
        "\(Counted.of(group.files, "file")): warning: \(group.first.message) (\(group.count) times), the first: "
        + Console.text(of: first, file: group.file).replacing(": warning: \(group.first.message)", with: "")
    }
    let lost = losses.sorted { $0.key < $1.key }.map { description, losses in
      losses.files == 1
        ? "\(losses.file): \(description): \(losses.report.text)"
        : "\(losses.files) files: \(description): \(losses.report.text), the first: \(losses.file)"
    }
    return warnings + lost
  }
}

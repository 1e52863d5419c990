import TrackModel

extension Remedy {
  /// The option that applies it.
  fileprivate var advice: String {
    switch self {
    case .dropSpikes: "--drop-spikes removes such points"
    case .splitAtGaps: "--split-gap 6h starts a new drive at each gap"
    case .giveStart: "convert --start 2024-05-17T06:12:30Z gives it one"
    case .lengthenCadence: "a longer --cadence needs fewer points"
    }
  }
}

extension TrackError {
  /// The hint and the options that may help; nil if there is neither.
  var advice: String? {
    let parts = [hint].compactMap(\.self) + remedies.map(\.advice)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// The error on one line, with options that may help.
  var text: String { ([description] + remedies.map(\.advice)).joined(separator: "; ") }
}

extension TrackWarning {
  /// The warning without its line and column, with options that may help.
  var textWithAdvice: String { ([text] + remedies.map(\.advice)).joined(separator: "; ") }
}

/// The outputs of one run, so that two inputs of one name do not overwrite each other.
struct OutputNames {
  private var taken: Set<String> = []

  /// `stem.ending`, or with a number behind the stem where this run has already written that.
  mutating func unused(_ stem: String, ending: String) -> String {
    var name = "\(stem).\(ending)"
    var number = 2
    while !taken.insert(name).inserted {
      name = "\(stem)-\(number).\(ending)"
      number += 1
    }
    return name
  }
}

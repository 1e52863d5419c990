/// Options as text, so that two runs can be told apart by how they read and changed their inputs.
enum OptionSignature {
  /// Those that differ from the defaults, as `name=value`; empty where all are as they come.
  ///
  /// - Parameters:
  ///   - options: a structure whose properties are the options.
  ///   - defaults: the same as it comes.
  static func text<Options>(of options: Options, defaults: Options) -> String {
    let values = Mirror(reflecting: options).children.map { ($0.label ?? "", text(of: $0.value)) }
    let common = Mirror(reflecting: defaults).children.map { text(of: $0.value) }
    return zip(values, common).filter { $0.0.1 != $0.1 }.map { "\($0.0.0)=\($0.0.1)" }.joined(separator: " ")
  }

  private static func text(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return "\(value)" }
    return mirror.children.first.map { "\($0.value)" } ?? "none"
  }
}

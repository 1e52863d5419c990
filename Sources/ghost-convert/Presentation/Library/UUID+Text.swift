#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension UUID {
  /// The id of a drive as it is printed.
  var text: String { uuidString }
}

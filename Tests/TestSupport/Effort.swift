import Foundation

/// The number of rounds of a property test, reduced in debug builds to keep test runs short.
package enum Effort {
  /// Returns a quarter of the rounds in debug builds, unless the environment variable `TEST_EFFORT` is `full`.
  package static func rounds(_ all: Int) -> Int {
    #if DEBUG
      ProcessInfo.processInfo.environment["TEST_EFFORT"] == "full" ? all : all / 4
    #else
      all
    #endif
  }
}

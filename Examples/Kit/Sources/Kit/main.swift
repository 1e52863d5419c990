// Compares two recordings and writes the comparison: Kit FILE FILE [OUTPUT]
import Foundation
import GhostConvertKit

let arguments = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
guard arguments.count >= 2 else {
  print("usage: Kit FILE FILE [OUTPUT]")
  exit(64)
}
do {
  // A file can contain several drives, but not none: that is an error.
  let first = try Drive.read(contentsOf: arguments[0])[0]
  let second = try Drive.read(contentsOf: arguments[1])[0]
  let comparison = try DriveComparison(first, second)
  if let winner = comparison.winner, let margin = comparison.margin {
    print("\(comparison.drives[winner].label) was faster by \(Int(abs(margin).rounded())) s")
  }
  if arguments.count > 2 { try comparison.write(to: arguments[2]) }
} catch {
  print(error.localizedDescription)
  exit(1)
}

// Compares two recordings and writes the comparison: Kit FILE FILE [OUTPUT]
import Foundation
import GhostConvertKit

let arguments = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
guard arguments.count >= 2 else {
  print("usage: Kit FILE FILE [OUTPUT]")
  exit(64)
}
do {
  let drives = try Drive.read(contentsOf: arguments[0]) + Drive.read(contentsOf: arguments[1])
  let comparison = try DriveComparison(drives[0], drives[1])
  if let winner = comparison.winner, let margin = comparison.margin {
    print("\(comparison.drives[winner].label) was faster by \(abs(margin)) s")
  }
  if arguments.count > 2 { try comparison.write(to: arguments[2]) }
} catch {
  print(error.localizedDescription)
  exit(1)
}

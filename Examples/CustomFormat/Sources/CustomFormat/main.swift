// Adds a format from outside the package, and imports a file in it: CustomFormat FILE
import Foundation
import GhostConvertKit

let formats = FormatRegistry([.simpleLog] + FormatRegistry.standard.formats)
do {
  for path in CommandLine.arguments.dropFirst() {
    for drive in try TrackFile(URL(filePath: path), formats: formats).importDrives().drives {
      print(drive.name, drive.durationInSeconds, "s")
    }
  }
} catch {
  print(error.localizedDescription)
  exit(1)
}

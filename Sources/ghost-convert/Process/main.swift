import CommandLineParsing
import TrackFormats
import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

StandardStreams.occupyClosed()
Interruption.install()
if let folder = Environment.value("TMPDIR") { TemporaryFiles.folder = folder }
// File names may contain any bytes, which the standard library's arguments do not preserve.
let arguments = (0..<Int(CommandLine.argc)).compactMap { index in
  unsafe CommandLine.unsafeArgv[index].map { unsafe FileName.text($0) }
}
exit(Console.status(GhostConvert.program.run(arguments, on: Terminal.output)))

import CommandLineParsing
import TrackFormats

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

TemporaryFiles.removeOnTermination()
exit(Console.status(GhostConvert.program.run(CommandLine.arguments)))

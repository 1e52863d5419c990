import TestSupport
import Testing
import TrackModel

@testable import LiveReceivers
@testable import TrackFormats

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("Serial device", .waiting, .serialized)
struct SerialDeviceTests {
  @Test("Bytes arrive unchanged at the requested speed", arguments: [4800, 9600, 115_200])
  func reading(baud: Int) throws {
    let pair = try TerminalPair()
    var input = try SerialDevice.open(pair.path, baud: baud)
    let other = unsafe open(pair.path, O_RDONLY | O_NOCTTY)
    defer { close(other) }
    var settings = termios()
    #expect(unsafe tcgetattr(other, &settings) == 0)
    let codes = [4800: B4800, 9600: B9600, 115_200: B115200]
    #expect(unsafe cfgetospeed(&settings) == speed_t(try #require(codes[baud])))
    #expect(unsafe cfgetispeed(&settings) == speed_t(try #require(codes[baud])))
    // No line buffering, no echo, no control characters, no conversion of carriage returns to line feeds.
    #expect(settings.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0)
    #expect(settings.c_iflag & tcflag_t(ICRNL | IXON) == 0)
    pair.send("$A\r\u{3}\u{11}")
    var bytes: [UInt8] = []
    while bytes.count < 5, try input.fill() {
      for index in input.available.indices { bytes.append(input.available[index]) }
      input.consumeAll()
    }
    #expect(bytes == [0x24, 0x41, 0x0D, 0x03, 0x11])
  }

  @Test("Without a requested speed, the device keeps its speed")
  func speedStays() throws {
    let pair = try TerminalPair()
    _ = try SerialDevice.open(pair.path, baud: 19_200)
    let again = try SerialDevice.open(pair.path)
    let other = unsafe open(pair.path, O_RDONLY | O_NOCTTY)
    defer { close(other) }
    var settings = termios()
    #expect(unsafe tcgetattr(other, &settings) == 0)
    #expect(unsafe cfgetospeed(&settings) == speed_t(B19200))
    _ = again.name
  }

  @Test("An unplugged device is at end of file")
  func unplugged() throws {
    var pair: TerminalPair? = try TerminalPair()
    var input = try SerialDevice.open(try #require(pair).path, baud: 9600)
    pair?.send("ab")
    #expect(try input.fill())
    pair = nil
    #expect(try !input.fill())
  }

  @Test("Only terminals are accepted as serial devices")
  func kinds() throws {
    let pair = try TerminalPair()
    #expect(SerialDevice.isOne(pair.path))
    let folder = try TemporaryFolder()
    try folder.write("$", to: "a.nmea")
    let made = unsafe mkfifo(folder.file("pipe"), 0o600)
    #expect(made == 0)
    for path in [
      folder.path, folder.file("a.nmea"), folder.file("pipe"), folder.file("none"), "/dev/null", "-",
    ] {
      #expect(!SerialDevice.isOne(path), "\(path)")
    }
  }

  @Test("A device that cannot be opened is an error that contains its name")
  func faults() throws {
    let folder = try TemporaryFolder()
    try folder.write("$", to: "a.nmea")
    expectError(.notFound) { _ = try SerialDevice.open(folder.file("none")) }
    expectError(.unreadable) { _ = try SerialDevice.open(folder.file("a.nmea")) }
    let pair = try TerminalPair()
    expectError(.unsupported) { _ = try SerialDevice.open(pair.path, baud: 12_345) }
  }
}

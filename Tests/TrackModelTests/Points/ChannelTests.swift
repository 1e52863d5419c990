import Testing
import TrackModel

@Suite("Channels")
struct ChannelTests {
  @Test("A channel's raw value is its index in the declaration, so that a set of all fits in 32 bits")
  func rawValues() {
    #expect(Channel.allCases.map { Int($0.rawValue) } == Array(0..<Channel.allCases.count))
    #expect(Channel.allCases.count <= 32)
  }

  @Test("A set contains exactly the added channels", arguments: Channel.allCases)
  func single(channel: Channel) {
    let set = ChannelSet(channel)
    #expect(set.channels == [channel])
    #expect(Channel.allCases.filter { set.contains($0) } == [channel])
    #expect(!ChannelSet.all.subtracting(set).contains(channel))
  }

  @Test("The set of all channels contains every channel and no other bit")
  func all() {
    #expect(ChannelSet.all.channels == Channel.allCases)
    #expect(ChannelSet.all.rawValue.nonzeroBitCount == Channel.allCases.count)
    #expect(ChannelSet().channels.isEmpty)
  }

  @Test("The channels of a set are in the order of their declaration")
  func order() {
    let set: ChannelSet = [ChannelSet(.bearing), ChannelSet(.elevation), ChannelSet(.heartRate)]
    #expect(set.channels == [.elevation, .heartRate, .bearing])
  }
}

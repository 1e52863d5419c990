import Testing
import TrackModel

@Suite("Channels")
struct ChannelTests {
  @Test("A channel's raw value is its place in the declaration, so that a set of all fits in 32 bits")
  func rawValues() {
    #expect(Channel.allCases.map { Int($0.rawValue) } == Array(0..<Channel.allCases.count))
    #expect(Channel.allCases.count <= 32)
  }

  @Test("A set holds exactly the channels put into it", arguments: Channel.allCases)
  func single(channel: Channel) {
    let set = ChannelSet(channel)
    #expect(set.channels == [channel])
    #expect(Channel.allCases.filter { set.contains($0) } == [channel])
    #expect(!ChannelSet.all.subtracting(set).contains(channel))
  }

  @Test("The set of all holds every channel and no other bit")
  func all() {
    #expect(ChannelSet.all.channels == Channel.allCases)
    #expect(ChannelSet.all.rawValue.nonzeroBitCount == Channel.allCases.count)
    #expect(ChannelSet().channels.isEmpty)
  }

  @Test("The channels of a set come in the order of their declaration")
  func order() {
    let set: ChannelSet = [ChannelSet(.bearing), ChannelSet(.elevation), ChannelSet(.heartRate)]
    #expect(set.channels == [.elevation, .heartRate, .bearing])
  }
}

import TrackFormats
import TrackModel

@testable import GhostModel

/// TCX samples for tests.
enum TCXSample {
  static let namespace = "http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"
  static let extensions = "http://www.garmin.com/xmlschemas/ActivityExtension/v2"

  /// Returns a document with the given content of the root.
  static func tcx(_ body: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <TrainingCenterDatabase xmlns="\(namespace)" xmlns:ns3="\(extensions)">\(body)</TrainingCenterDatabase>
    """
  }

  /// Returns a document with one activity that has the given content.
  static func activity(_ body: String, sport: String = "Biking") -> String {
    tcx("<Activities><Activity Sport=\"\(sport)\">\(body)</Activity></Activities>")
  }

  /// Returns a document with one activity with one lap and one track that has the given content.
  static func track(_ body: String) -> String {
    activity("<Id>2024-05-01T10:00:00Z</Id><Lap><Track>\(body)</Track></Lap>")
  }

  static func position(_ latitude: String, _ longitude: String) -> String {
    "<Position><LatitudeDegrees>\(latitude)</LatitudeDegrees><LongitudeDegrees>\(longitude)</LongitudeDegrees></Position>"
  }

  /// Returns a trackpoint at a number of seconds after ten o'clock, 0 to 59.
  static func point(_ second: Int, _ latitude: Double, _ longitude: Double, _ rest: String = "") -> String {
    let time = "2024-05-01T10:00:\(second < 10 ? "0" : "")\(second)Z"
    return "<Trackpoint><Time>\(time)</Time>\(position("\(latitude)", "\(longitude)"))\(rest)</Trackpoint>\n"
  }

  /// Two activities, one in a session, with several laps and tracks; a course with points; and all elements
  /// of the schema.
  static let everything = tcx(
    """
    <Folders/><Activities>
    <Activity Sport="Running"><Id>2024-05-01T10:00:00Z</Id>
    <Lap StartTime="2024-05-01T10:00:00Z"><TotalTimeSeconds>20.5</TotalTimeSeconds>
    <DistanceMeters>100.25</DistanceMeters><MaximumSpeed>3.5</MaximumSpeed><Calories>12</Calories>
    <AverageHeartRateBpm><Value>120</Value></AverageHeartRateBpm>
    <MaximumHeartRateBpm><Value>140</Value></MaximumHeartRateBpm><Intensity>Resting</Intensity>
    <Cadence>80</Cadence><TriggerMethod>Distance</TriggerMethod>
    <Track>\(point(1, 47.5, 8.5, "<AltitudeMeters>540.5</AltitudeMeters><DistanceMeters>0</DistanceMeters>"))
    \(point(11, 47.25, 8.25, "<HeartRateBpm><Value>121</Value></HeartRateBpm><SensorState>Present</SensorState>"))
    </Track><Track>\(point(21, 47.125, 8.125, "<Cadence>81</Cadence>"))</Track>
    <Notes>uphill</Notes><Extensions><ns3:LX><ns3:AvgSpeed>2.5</ns3:AvgSpeed></ns3:LX></Extensions></Lap>
    <Lap StartTime="2024-05-01T10:00:30Z"><TotalTimeSeconds>10</TotalTimeSeconds>
    <DistanceMeters>50</DistanceMeters><Calories>5</Calories><Intensity>Active</Intensity>
    <TriggerMethod>Manual</TriggerMethod><Track>
    \(point(31, 46.5, 7.5, "<Extensions><ns3:TPX><ns3:Speed>4.5</ns3:Speed><ns3:RunCadence>82</ns3:RunCadence>"
      + "<ns3:Watts>210</ns3:Watts></ns3:TPX></Extensions>"))
    </Track></Lap><Notes>Morning</Notes>
    <Creator xsi:type="Device_t" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Name>Edge 500</Name>
    <UnitId>381</UnitId><ProductID>1036</ProductID><Version><VersionMajor>3</VersionMajor>
    <VersionMinor>20</VersionMinor></Version></Creator></Activity>
    <MultiSportSession><Id>2024-05-02T10:00:00Z</Id><FirstSport><Activity Sport="Other"><Id>2024-05-02T10:00:00Z</Id>
    <Lap StartTime="2024-05-02T10:00:00Z"><TotalTimeSeconds>1</TotalTimeSeconds><DistanceMeters>0</DistanceMeters>
    <Calories>0</Calories><Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod></Lap></Activity>
    </FirstSport><Notes>both</Notes></MultiSportSession></Activities>
    <Courses><Course><Name>Loop</Name><Lap><TotalTimeSeconds>60</TotalTimeSeconds>
    <DistanceMeters>500</DistanceMeters><Intensity>Active</Intensity></Lap><Track>\(point(40, 45.5, 6.5))</Track>
    <Notes>flat</Notes><CoursePoint><Name>Left</Name><Time>2024-05-01T10:00:41Z</Time>\(position("45.25", "6.25"))
    <AltitudeMeters>400</AltitudeMeters><PointType>Left</PointType><Notes>at the mill</Notes></CoursePoint>
    <CoursePoint><Name>Here</Name><Time>2024-05-01T10:00:42Z</Time>\(position("45.125", "6.125"))
    <PointType>Generic</PointType></CoursePoint></Course></Courses>
    <Author xsi:type="Application_t" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Name>Sample</Name>
    <Build><Version><VersionMajor>0</VersionMajor><VersionMinor>0</VersionMinor></Version></Build>
    <LangID>en</LangID><PartNumber>000-00000-00</PartNumber></Author>
    """)
}

extension Transcript {
  /// Reads TCX.
  init(
    tcx bytes: [UInt8], chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false
  ) {
    var reader = TCXReader(
      ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions(isStrict: isStrict))
    self.init(reading: &reader, capacity: capacity)
  }

  init(tcx text: String, chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false) {
    self.init(tcx: Array(text.utf8), chunk: chunk, capacity: capacity, isStrict: isStrict)
  }
}

extension Conversion {
  /// Returns a document as TCX, and the losses.
  static func tcx(
    _ document: TrackDocument, capacity: Int = 64
  ) throws(TrackError) -> (bytes: [UInt8], losses: LossReport) {
    var reader = TrackDocumentReader(document)
    var writer = TCXWriter(ByteSink())
    try copy(&reader, to: &writer, capacity: capacity)
    return (writer.bytes, writer.losses)
  }

  /// Reads TCX and writes it again.
  static func rewrittenTCX(
    _ tcx: [UInt8], capacity: Int = 64
  ) throws(TrackError) -> (bytes: [UInt8], losses: LossReport) {
    var reader = TCXReader(ByteInput(bytes: tcx))
    var writer = TCXWriter(ByteSink())
    try copy(&reader, to: &writer, capacity: capacity)
    return (writer.bytes, writer.losses)
  }

  static func tcxDocument(_ tcx: [UInt8]) throws(TrackError) -> TrackDocument {
    var reader = TCXReader(ByteInput(bytes: tcx))
    return try TrackDocument(reading: &reader)
  }
}

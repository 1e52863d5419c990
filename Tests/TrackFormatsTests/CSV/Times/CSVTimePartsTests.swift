import Testing
import TrackModel

@testable import TrackFormats

@Suite("Times in several columns of tables")
struct CSVTimePartsTests {
  @Test(
    "The year, month, day, hour, minute and second are the time",
    arguments: [
      ("year,month,day,hour,minute,second", "2024,5,17,6,12,30", "2024-05-17T06:12:30Z", true),
      ("Year,Month,Day,Hour,Min,Sec", "2024,02,29,23,59,59.25", "2024-02-29T23:59:59.250Z", true),
      ("YYYY,MM,DD,HH,MI,SS", "2024,12,31,0,0,0", "2024-12-31T00:00:00Z", true),
      (
        "UTC year,UTC month,UTC day,UTC hour,UTC minute,UTC second", "1970,1,1,0,0,1", "1970-01-01T00:00:01Z",
        false
      ),
    ])
  func calendar(heading: String, values: String, time: String, warns: Bool) {
    let table = "\(heading),lat,lon\n\(values),47,8\n"
    #expect(CSVTable.points(table) == ["point 47 8 \(time)"])
    #expect(Transcript(csv: table).warnings.map(\.code) == (warns ? [.timeWithoutZone] : []))
    #expect(!Transcript(csv: table).lines.contains { $0.contains("channels") })
  }

  @Test(
    "Invalid dates and times are ignored with a warning",
    arguments: [
      "2023,2,29,0,0,0", "2024,13,1,0,0,0", "2024,0,1,0,0,0", "2024,1,0,0,0,0", "2024,1,1,24,0,0",
      "2024,1,1,0,60,0", "2024,1,1,0,0,61", "2024,1.5,1,0,0,0", "1969,1,1,0,0,0", "99999,1,1,0,0,0",
      "2024,-1,1,0,0,0", "2024,x,1,0,0,0", "1e300,1,1,0,0,0", "2024,1,1,0,0,-1",
    ])
  func invalid(values: String) {
    let table = "year,month,day,hour,minute,second,lat,lon\n2024,1,1,0,0,0,47,8\n\(values),47,8\n"
    #expect(CSVTable.points(table) == ["point 47 8 2024-01-01T00:00:00Z", "point 47 8"])
    #expect(CSVTable.warnings(table).contains { $0.contains("invalid time, ignored") })
  }

  @Test("A column with a date and time precedes the parts, and one with a time since the start does not")
  func beside() throws {
    let parts = "year,month,day,hour,minute,second"
    #expect(
      CSVTable.points("time,\(parts),lat,lon\n2024-05-17T06:12:30Z,2024,5,17,8,12,30,47,8\n")
        == ["point 47 8 2024-05-17T06:12:30Z"])
    #expect(
      CSVTable.points("time (s),\(parts),lat,lon\n1,2024,5,17,8,12,30,47,8\n2,2024,5,17,8,12,31,47,8\n")
        == ["point 47 8 2024-05-17T08:12:30Z", "point 47 8 2024-05-17T08:12:31Z"])
    #expect(
      try CSVTable.points(
        "\(parts),clk,lat,lon\n2024,5,17,8,12,30,2024-05-17T06:12:30Z,47,8\n", CSVColumns(parsing: "time=clk")
      )
        == ["point 47 8 2024-05-17T06:12:30Z"])
    // Incomplete parts are numbers of their own, and so is a column without a heading.
    let rows = (0..<1100).map { "\($0),\($0 * 2),47,8\n" }.joined()
    #expect(CSVTable.points(",seconds,lat,lon\n" + rows).last == "point 47 8 1999-09-09T09:45:47Z")
    #expect(
      Transcript(csv: "year,month,day,hour,lat,lon\n2024,5,17,8,47,8\n").lines.contains {
        $0.hasPrefix("  channels year 2024, month 5, day 17")
      })
  }

  @Test(
    "The week of GPS and the time in it are the time",
    arguments: [
      // Week 2314 begins on 2024-05-12, and 475,220 s are 5 days and 12:00:20. GPS is 18 s ahead of UTC.
      ("GWk,GMS", "2314,475220000", "2024-05-17T12:00:02Z"),
      ("GPSWeek,GPSSeconds", "2314,475220.25", "2024-05-17T12:00:02.250Z"),
      ("gps_week,time of week (ms)", "2314,475220250", "2024-05-17T12:00:02.250Z"),
      // Week 1900 begins on 2016-06-05, when GPS was 17 s ahead.
      ("week,tow", "1900,17.5", "2016-06-05T00:00:00.500Z"),
    ])
  func weeks(headings: String, values: String, time: String) {
    let table = "TimeUS,\(headings),Lat,Lng\n119045123,\(values),47,8\n119245123,\(values),47,8\n"
    #expect(CSVTable.points(table) == ["point 47 8 \(time)", "point 47 8 \(time)"])
    #expect(CSVTable.warnings(table) == [])
    // Without a fix, receivers write other numbers.
    for invalid in ["0,0", "1023,5", "2314,-1", "2314,604800000", "x,y"] {
      let lost = CSVTable.points(table.replacing(values, with: invalid))
      #expect(
        lost == ["point 47 8 1999-09-09T09:11:08.045123Z", "point 47 8 1999-09-09T09:11:08.245123Z"])
    }
    #expect(CSVTable.points(table + "119445123,,,47,8\n").last == "point 47 8")
    #expect(CSVTable.warnings(table + "119445123,,,47,8\n") == [])
  }
}

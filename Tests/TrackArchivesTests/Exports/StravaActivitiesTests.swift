import Testing
import TrackModel

@testable import TrackArchives
@testable import TrackFormats

/// Strava's tables in several languages, with artificial content.
@Suite("Table of a Strava export")
struct StravaActivitiesTests {
  private static func read(_ text: String) throws -> [StravaActivities.Activity] {
    Array(try #require(StravaActivities(Array(text.utf8))))
  }

  /// The first columns of the current table, and some of the duplicate columns.
  private static let english = #"""
    Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Max Heart Rate,\#
    Relative Effort,Commute,Activity Private Note,Activity Gear,Filename,Athlete Weight,Bike Weight,Elapsed Time,\#
    Moving Time,Distance,Commute,Media
    101,"Sep 12, 2018, 3:02:23 PM",Morning Ride,Ride,"Two lines:
    with a comma, and a ""quote""",948,2.61,,,false,,Red bike,activities/101.gpx,,,948.0,941.0,2613.0,1.0,
    102,"Mar 3, 2023, 6:30:00 AM",Weights,Weight Training,,1800,0,,,false,,,,,,1800.0,1793.0,0.0,0.0,
    103,"Mar 4, 2023, 12:00:01 AM",Lost,Run,,60,0,,,false,,,#error#,,,60.0,60.0,0.0,0.0,
    """#

  @Test("A table that a spreadsheet program stored in UTF-16 is read", arguments: [false, true])
  func inUTF16(isBigEndian: Bool) throws {
    let units = [0xFEFF] + Array(Self.english.replacing("Morning Ride", with: "Töff ☀").utf16)
    let bytes = units.flatMap { (unit: UInt16) -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
      return isBigEndian ? [high, low] : [low, high]
    }
    var guide = ExportGuide()
    guide.add(table: "x/activities.csv", bytes)
    #expect(guide.services == ["Strava"])
    guard case .read(let source) = guide.verdict("x/activities/101.gpx") else {
      Issue.record("not read")
      return
    }
    #expect(source.notes(start: nil)?.name == "Töff ☀")
  }

  @Test("An English table is read, with quoted line breaks, a manual activity and a lost file")
  func inEnglish() throws {
    let activities = try Self.read(Self.english)
    #expect(activities.map(\.file) == ["activities/101.gpx", "", "#error#"])
    #expect(activities.map(\.line) == [2, 4, 5])
    #expect(activities[0].notes.name == "Morning Ride")
    #expect(activities[0].notes.type == "Ride")
    #expect(activities[0].notes.description == "Two lines:\nwith a comma, and a \"quote\"")
    #expect(activities[0].notes.gear == "Red bike")
    #expect(activities[0].notes.timeSpan?.begin?.description == "2018-09-12T15:02:23Z")
    // 948 s later.
    #expect(activities[0].notes.timeSpan?.end?.description == "2018-09-12T15:18:11Z")
    #expect(activities[1].notes.gear == nil)
    #expect(activities[1].notes.timeSpan?.begin?.description == "2023-03-03T06:30:00Z")
    #expect(activities[2].notes.timeSpan?.begin?.description == "2023-03-04T00:00:01Z")
  }

  @Test("A German table is read, with decimal commas, German dates, and carriage returns")
  func inGerman() throws {
    let rows = [
      "Aktivitäts-ID,Aktivitätsdatum,Name der Aktivität,Aktivitätsart,Aktivitätsbeschreibung,Verstrichene Zeit,"
        + "Distanz,Max. Herzfrequenz,Relative Leistung,Arbeitsweg,Private Notiz zur Aktivität,Ausrüstung,Dateiname",
      "8241,\"09.12.2022, 15:24:49\",Fahrt am Nachmittag,Radfahrt,,1803,\"9,44\",,,false,,Stadtrad,activities/8241.fit.gz",
    ]
    let activities = try Self.read("\u{FEFF}" + rows.joined(separator: "\r\n") + "\r\n")
    #expect(activities.count == 1)
    #expect(activities[0].file == "activities/8241.fit.gz")
    #expect(activities[0].notes.name == "Fahrt am Nachmittag")
    #expect(activities[0].notes.type == "Radfahrt")
    #expect(activities[0].notes.description == nil)
    #expect(activities[0].notes.gear == "Stadtrad")
    #expect(activities[0].notes.timeSpan?.begin?.description == "2022-12-09T15:24:49Z")
  }

  @Test("A Japanese table is read, with a different number of columns")
  func inJapanese() throws {
    let activities = try Self.read(
      """
      アクティビティID,アクティビティの日付,アクティビティ名,アクティビティタイプ,アクティビティの説明,経過時間,距離,相対的エフォート,通勤,ギア,ファイル名,追加
      77,2022/12/09 15:24:49,朝のライド,ライド,雨,1803,9.44,,false,ロードバイク,activities/77.tcx.gz,x
      """)
    #expect(activities[0].file == "activities/77.tcx.gz")
    #expect(activities[0].notes.name == "朝のライド")
    #expect(activities[0].notes.type == "ライド")
    #expect(activities[0].notes.description == "雨")
    #expect(activities[0].notes.gear == "ロードバイク")
    #expect(activities[0].notes.timeSpan?.begin?.description == "2022-12-09T15:24:49Z")
  }

  @Test("Without a gear column, no other column is used instead")
  func withoutGear() throws {
    let activities = try Self.read(
      """
      Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Filename
      101,"Sep 12, 2018, 3:02:23 PM",Morning Ride,Ride,,948,9.18,activities/101.gpx
      """)
    #expect(activities.map(\.file) == ["activities/101.gpx"])
    #expect(activities[0].notes.gear == nil)
  }

  @Test("The table format before July 2019 is read")
  func old() throws {
    let activities = try Self.read(
      """
      id,date,name,type,description,elapsed_time,distance,commute,gear,filename
      1840000001,2018-09-12 15:02:23,Home,Ride,,948,2613.1,true,Old bike,activities/1840000001.gpx
      """)
    #expect(activities[0].file == "activities/1840000001.gpx")
    #expect(activities[0].notes.gear == "Old bike")
    #expect(activities[0].notes.timeSpan?.begin?.description == "2018-09-12T15:02:23Z")
  }

  @Test(
    "Other tables are rejected",
    arguments: [
      "", "lat,lon,time\n1,2,3\n", "id,name\n1,activities/a.gpx\n",
      "a,b,c,d,e,f,g,h\nx,1,2,3,4,5,activities/1.gpx,7\n", "\"never closed",
    ])
  func others(_ text: String) { #expect(StravaActivities(Array(text.utf8)) == nil) }

  @Test("An unclosed quote affects only its row")
  func unclosedQuote() throws {
    let activities = try Self.read(
      """
      ID,Date,Name,Type,Description,Seconds,Gear,Filename
      1,"2024-05-17 06:00:00",One,Ride,,59,,activities/1.gpx
      2,"2024-05-17 08:00:00",Two,Ride,"never closed,59,,activities/2.gpx
      3,"2024-05-17 09:00:00",Three,Ride,,59,,activities/3.gpx
      4,"2024-05-17 10:00:00",Four,Ride,,59,,activities/4.gpx
      """)
    #expect(activities.map(\.line) == [2, 3, 4, 5])
    #expect(activities.map(\.hasUnclosedQuote) == [false, true, false, false])
    #expect(activities.map(\.notes.name) == ["One", "Two", "Three", "Four"])
    #expect(activities.map(\.file) == (1...4).map { "activities/\($0).gpx" })
    #expect(activities[1].notes.description?.contains("Three") != true)
  }

  @Test("A table resaved with semicolons or tabs is read", arguments: [";", "\t"])
  func separators(_ separator: String) throws {
    let rows = [
      ["ID", "Date", "Name", "Type", "Description", "Seconds", "Gear", "Filename"],
      ["1", "2024-05-17 06:00:00", "One, two", "Ride", "", "59", "", "activities/1.gpx"],
    ]
    let activities = try Self.read(rows.map { $0.joined(separator: separator) }.joined(separator: "\n"))
    #expect(activities.map(\.notes.name) == ["One, two"])
    #expect(activities.map(\.file) == ["activities/1.gpx"])
  }
}

@Suite("Dates of a Strava export")
struct StravaDatesTests {
  @Test(
    "Dates in many languages are read",
    arguments: [
      ("Sep 12, 2018, 3:02:23 PM", "2018-09-12T15:02:23Z"),
      ("Sep 12, 2018, 12:02:23 AM", "2018-09-12T00:02:23Z"),
      ("Sep 12, 2018, 12:02:23\u{202F}PM", "2018-09-12T12:02:23Z"),
      ("12 Sept 2018, 15:02:23", "2018-09-12T15:02:23Z"),
      ("9 déc. 2022 à 15:24:49", "2022-12-09T15:24:49Z"), ("9 dic 2022, 15:24:49", "2022-12-09T15:24:49Z"),
      ("9 de dez. de 2022, 15:24:49", "2022-12-09T15:24:49Z"),
      ("9 дек. 2022 г., 15:24:49", "2022-12-09T15:24:49Z"), ("2022年12月9日 15:24:49", "2022-12-09T15:24:49Z"),
      ("2022. 12. 9. 오후 3:24:49", "2022-12-09T15:24:49Z"), ("09.12.2022, 15:24:49", "2022-12-09T15:24:49Z"),
      ("٢٠٢٢/١٢/٠٩ ١٥:٢٤:٤٩", "2022-12-09T15:24:49Z"), ("2018-09-12 15:02:23", "2018-09-12T15:02:23Z"),
      ("2021. márc. 7. 5:07:09", "2021-03-07T05:07:09Z"),
      ("2021. szept. 12. 15:02:23", "2021-09-12T15:02:23Z"),
      ("2016-12-31 23:59:60", "2017-01-01T00:00:00Z"),
      ("29 févr. 2024, 00:00:00", "2024-02-29T00:00:00Z"),
    ])
  func languages(_ text: String, _ expected: String) {
    #expect(StravaDates(column: [text]).instant(text)?.description == expected)
  }

  @Test("The order of day and month is detected from the whole column")
  func order() {
    let american = StravaDates(column: ["1/2/2022, 10:00:00", "1/13/2022, 10:00:00"])
    #expect(american.instant("1/2/2022, 10:00:00")?.description == "2022-01-02T10:00:00Z")
    let british = StravaDates(column: ["1/2/2022, 10:00:00", "13/1/2022, 10:00:00"])
    #expect(british.instant("1/2/2022, 10:00:00")?.description == "2022-02-01T10:00:00Z")
    // The order is ambiguous.
    #expect(StravaDates(column: ["1/2/2022, 10:00:00"]).instant("1/2/2022, 10:00:00") == nil)
  }

  @Test(
    "Invalid dates are nil",
    arguments: [
      "", "yesterday", "Sep 31, 2018, 3:02:23 PM", "32.01.2022, 00:00:00", "01.13.2022, 00:00:00",
      "2022-12-09 25:00:00", "99999999999999999999 Sep 2018 1:2:3", "Feb 29, 2023, 1:00:00 AM",
      "2021. Monat 7. 5:07:09",
    ])
  func none(_ text: String) { #expect(StravaDates(column: [text]).instant(text) == nil) }
}

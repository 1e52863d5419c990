import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackArchives
@testable import TrackFormats

/// Folders: unpacked exports, and folders that cannot be read completely.
@Suite("Folders")
struct FolderExportTests {
  @Test("An unpacked Strava export has the same inputs and missing files as its archive")
  func strava() throws {
    let folder = try TemporaryFolder()
    let table = """
      a,b,c,d,e,f,g,h,i
      1,2018-09-12 15:02:23,Home,Ride,,948,1,Bike,activities/1.gpx
      2,2018-09-12 15:02:23,Again,Ride,,948,1,Bike,activities/1.gpx
      3,2018-09-12 15:02:23,Missing,Ride,,948,1,,activities/4.fit.gz
      4,2018-09-12 15:02:23,"Unclosed
      """
    try folder.write(table, to: "in/activities.csv")
    try folder.write(InputWalkTests.gpx(), to: "in/activities/1.gpx")
    try folder.write("{}", to: "in/media.json")
    #expect(
      try InputWalkTests.steps([folder.file("in")], folder) == [
        ">in folder", "+in/activities/1.gpx <?xml", "-in/activities.csv no-activity",
        "-in/media.json no-activity",
        "-in/activities.csv:3 (Again, 2018-09-12 15:02:23) same-file",
        "!in/activities.csv:4 (Missing, 2018-09-12 15:02:23) not-found",
        "-in/activities.csv:5 (Unclosed, 2018-09-12 15:02:23) unclosed-quote",
      ])
  }

  @Test("Tracks beside an unpacked export and in another export are inputs")
  func besideExport() throws {
    let folder = try TemporaryFolder()
    func table(_ name: String) -> String {
      "a,b,c,d,e,f,g,h,i\n1,2018-09-12 15:02:23,\(name),Ride,,948,1,Bike,activities/1.gpx\n"
    }
    try folder.write(table("Home"), to: "in/activities.csv")
    try folder.write(table("Other"), to: "in/second/activities.csv")
    for name in [
      "activities/1.gpx", "ride.gpx", "2024/tour.tcx", "routes/plan.gpx", "profile.json",
      "second/activities/1.gpx", "second/routes/plan.gpx",
    ] {
      try folder.write(InputWalkTests.gpx(), to: "in/\(name)")
    }
    #expect(
      try InputWalkTests.steps([folder.file("in")], folder) == [
        ">in folder", "+in/2024/tour.tcx <?xml", "+in/activities/1.gpx <?xml",
        "-in/activities.csv no-activity", "-in/profile.json no-activity", "+in/ride.gpx <?xml",
        "-in/routes/plan.gpx no-activity", "+in/second/activities/1.gpx <?xml",
        "-in/second/activities.csv no-activity", "-in/second/routes/plan.gpx no-activity",
      ])
  }

  @Test("A row in which the table of an export ends is reported")
  func cutTable() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a,b,c,d,e,f,g,h,i\n1,2018-09-12 15:02:23,Home,Ride,,948,1,Bike,activities/1.gpx\n2,2018-09-12 15:02:23,Cu",
      to: "in/activities.csv")
    try folder.write(InputWalkTests.gpx(), to: "in/activities/1.gpx")
    #expect(
      try InputWalkTests.steps([folder.file("in")], folder).last
        == "-in/activities.csv:3 (Cu, 2018-09-12 15:02:23) truncated-table")
  }

  @Test("An unpacked export of Apple Health is detected by its record")
  func health() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "<HealthData><Workout startDate=\"x\"><FileReference path=\"/workout-routes/a.gpx\"/></Workout></HealthData>",
      to: "in/export.xml")
    try folder.write(InputWalkTests.gpx(), to: "in/workout-routes/a.gpx")
    let steps = try InputWalkTests.steps([folder.file("in")], folder)
    #expect(steps == [">in folder", "-in/export.xml no-activity", "+in/workout-routes/a.gpx <?xml"])
  }

  @Test("A table above the limit is not read, so that the folder is an ordinary one")
  func largeTable() throws {
    let folder = try TemporaryFolder()
    try folder.write(InputWalkTests.gpx(), to: "in/activities/1.gpx")
    try folder.write("a,b\n", to: "in/activities.csv")
    try folder.write("{}", to: "in/media.json")
    let table = "a,b,c,d,e,f,g,h,i\n1,2018-09-12 15:02:23,Home,Ride,,948,1,Bike,activities/1.gpx\n"
    try folder.write(table, to: "in/activities.csv")
    for (size, isExport) in [(table.utf8.count, true), (table.utf8.count - 1, false)] {
      let steps = try InputWalkTests.steps([folder.file("in")], folder) { $0.archiveLimits.tableSize = size }
      #expect(steps.contains("+in/activities/1.gpx <?xml"))
      #expect(steps.contains("-in/media.json no-activity") == isExport)
    }
  }

  @Test("Folders nested too deeply are reported once")
  func depth() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      InputWalkTests.gpx(), to: String(repeating: "d/", count: 103) + "deep.gpx")
    try folder.write(InputWalkTests.gpx(), to: "a.gpx")
    let listing = try FolderListing(folder.path, excluding: nil)
    #expect(listing.files == ["a.gpx"])
    #expect(listing.faults.map(\.error.code) == [.limitExceeded])
    #expect(listing.faults.first?.error.message == "folders nested more than 100 deep")
    #expect(try FolderListing(folder.path, excluding: nil, depth: 103).files.count == 2)
  }

  @Test("Folders and files without permission are errors, and the others are read")
  func withoutPermission() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      for name in ["in/a.gpx", "in/b.gpx", "in/c/d.gpx"] { try folder.write(InputWalkTests.gpx(), to: name) }
      func change(_ mode: Int) throws {
        for name in ["in/b.gpx", "in/c"] {
          try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file(name))
        }
      }
      try change(0)
      // The superuser may read everything.
      let isRoot = geteuid() == 0
      if isRoot { #expect(seteuid(65534) == 0) }
      #expect(
        try InputWalkTests.steps([folder.file("in")], folder) == [
          ">in folder", "+in/a.gpx <?xml", "!in/b.gpx unreadable", "!in/c unreadable",
        ])
      if isRoot { #expect(seteuid(0) == 0) }
      try change(0o755)
    }
  }

  @Test("The folder of a path and the folders below a folder are found")
  func paths() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "in/b/c/x")
    #expect(InputEnumerator.folder(of: folder.file("in")) == folder.file("in") + "/")
    #expect(InputEnumerator.folder(of: folder.file("in/b/c/x")) == folder.file("in/b/c") + "/")
    #expect(InputEnumerator.folder(of: "x.gpx") == "")
    #expect(
      InputEnumerator.folders(below: folder.file("in")) == [
        folder.file("in"), folder.file("in/b"), folder.file("in/b/c"),
      ])
    #expect(InputEnumerator.isContainer(folder.file("in")))
    #expect(!InputEnumerator.isContainer(folder.file("in/b/c/x")))
  }
}

public import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes a psql script that loads drives into a PostGIS database: ``opening``, one
/// ``row(_:coordinates:recording:)`` per drive, ``closing``.
///
/// The script is one transaction. Rows are copied into a temporary table, and those with new ids are inserted
/// into `ghost_drives`, so that the script can run again.
public enum PostGISScript {
  /// The start of the script. `recorded` contains the recorded points with times as measures in seconds since
  /// 1970, which PostGIS calls a trajectory.
  public static let opening = """
    -- Drives for PostgreSQL with PostGIS: psql -d DATABASE -f FILE
    \\set ON_ERROR_STOP on
    SET client_encoding = 'UTF8';
    BEGIN;
    CREATE EXTENSION IF NOT EXISTS postgis;
    CREATE TABLE IF NOT EXISTS ghost_drives (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      start_time timestamptz,
      end_time timestamptz,
      duration_s double precision NOT NULL,
      distance_m double precision NOT NULL,
      points integer NOT NULL,
      kind text,
      notes text,
      gear text,
      source text,
      geom geometry(LineString, 4326),
      recorded geometry(MultiLineStringM, 4326)
    );
    CREATE INDEX IF NOT EXISTS ghost_drives_geom ON ghost_drives USING gist (geom);
    CREATE INDEX IF NOT EXISTS ghost_drives_start_time ON ghost_drives (start_time);
    CREATE TEMPORARY TABLE ghost_drives_coming (LIKE ghost_drives) ON COMMIT DROP;
    COPY ghost_drives_coming (id, name, start_time, end_time, duration_s, distance_m, points, kind, notes, gear, \
    source, geom, recorded) FROM stdin;

    """

  /// The end of the script, which ends the rows, inserts those with new ids and commits.
  public static let closing = """
    \\.
    INSERT INTO ghost_drives (id, name, start_time, end_time, duration_s, distance_m, points, kind, notes, gear, \
    source, geom, recorded)
      SELECT id, name, start_time, end_time, duration_s, distance_m, points, kind, notes, gear, source, geom, recorded
      FROM ghost_drives_coming ON CONFLICT (id) DO NOTHING;
    COMMIT;

    """

  /// Returns a drive as a line of `COPY … FROM stdin` (PostgreSQL manual, COPY, "Text Format").
  ///
  /// - Parameters:
  ///   - drive: the drive without its coordinates.
  ///   - coordinates: the coordinates of the drive.
  ///   - recording: the recording of the drive.
  public static func row(_ drive: LibraryDrive, coordinates: [Coordinate], recording: Recording?) -> [UInt8] {
    var row = Row()
    row.add(drive.id.uuidString.lowercased())
    row.add(drive.name)
    row.add(drive.startTime?.description)
    row.add(drive.endTime?.description)
    row.add("\(drive.duration)")
    row.add("\(drive.distanceInMeters)")
    row.add("\(drive.points)")
    row.add(drive.kind)
    row.add(drive.description)
    row.add(drive.gear)
    row.add(drive.source)
    row.add(hexadecimal: ExtendedBinary.line(coordinates))
    row.add(hexadecimal: recording.flatMap(ExtendedBinary.trajectory))
    return row.line
  }

  private struct Row {
    private var bytes: [UInt8] = []

    var line: [UInt8] { bytes + [0x0A] }

    private mutating func begin() { if !bytes.isEmpty { bytes.append(0x09) } }

    mutating func add(_ text: String?) {
      begin()
      guard let text else {
        bytes += Array("\\N".utf8)
        return
      }
      for byte in text.utf8 {
        switch byte {
        // PostgreSQL text cannot contain U+0000.
        case 0: bytes += Array("\u{FFFD}".utf8)
        case 0x09: bytes += Array("\\t".utf8)
        case 0x0A: bytes += Array("\\n".utf8)
        case 0x0D: bytes += Array("\\r".utf8)
        case UInt8(ascii: "\\"): bytes += Array("\\\\".utf8)
        default: bytes.append(byte)
        }
      }
    }

    mutating func add(hexadecimal binary: [UInt8]?) {
      guard let binary else { return add(nil) }
      begin()
      bytes += WellKnownBinary.hexadecimal(binary)
    }
  }
}

"""Writes the recordings that the benchmarks read, the same on every machine."""
import datetime
import importlib.machinery
import importlib.util
import math
import pathlib
import struct

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<gpx creator="Garmin Connect" version="1.1"
  xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/11.xsd"
  xmlns:ns3="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"
  xmlns="http://www.topografix.com/GPX/1/1"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:ns2="http://www.garmin.com/xmlschemas/GpxExtensions/v3">
  <metadata>
    <link href="connect.garmin.com">
      <text>Garmin Connect</text>
    </link>
    <time>2024-05-17T06:12:30.000Z</time>
  </metadata>
  <trk>
    <name>Benchmark</name>
    <type>cycling</type>
    <trkseg>
"""
TAIL = """    </trkseg>
  </trk>
</gpx>
"""


def write_gpx(path, points=None, size=None):
    """A recording in the layout of Garmin Connect, with steps of 1 to 3 s, of a number of points or a minimum size."""
    latitude, longitude = 46.948, 7.4474
    state = 20240517
    start = datetime.datetime(2024, 5, 17, 6, 12, 30)
    second = 0
    written = index = 0
    with open(path, "w", encoding="ascii", buffering=1 << 20) as file:
        written += file.write(HEAD)
        while index < points if points else written < size:
            # A small random number generator, so that the file is the same on every machine and version.
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            second += 1 + (state >> 16) % 3
            course = index / 900
            latitude += 0.00008 * math.cos(course)
            longitude += 0.00011 * math.sin(course)
            moment = (start + datetime.timedelta(seconds=second)).isoformat()
            # The same number of digits as Garmin Connect.
            written += file.write(
                f'      <trkpt lat="{latitude:.16f}" lon="{longitude:.16f}">\n'
                f"        <ele>{540 + 60 * math.sin(index / 3000):.15f}</ele>\n"
                f"        <time>{moment}.000Z</time>\n"
                "        <extensions>\n"
                "          <ns3:TrackPointExtension>\n"
                f"            <ns3:atemp>{18 + (state >> 20) % 6}.0</ns3:atemp>\n"
                f"            <ns3:hr>{120 + (state >> 12) % 40}</ns3:hr>\n"
                f"            <ns3:cad>{70 + (state >> 8) % 20}</ns3:cad>\n"
                "          </ns3:TrackPointExtension>\n"
                "        </extensions>\n"
                "      </trkpt>\n")
            index += 1
        written += file.write(TAIL)
    return index, written


def recording(points):
    """A recording of timed points as text: latitude, longitude, elevation, time."""
    latitude, longitude = 46.948, 7.4474
    state = 20240517
    start = datetime.datetime(2024, 5, 17, 6, 12, 30)
    second = index = 0
    while points is None or index < points:
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        second += 1 + (state >> 16) % 3
        latitude += 0.00008 * math.cos(index / 900)
        longitude += 0.00011 * math.sin(index / 900)
        moment = (start + datetime.timedelta(seconds=second)).isoformat() + "Z"
        yield f"{latitude:.7f}", f"{longitude:.7f}", f"{540 + 60 * math.sin(index / 3000):.1f}", moment
        index += 1


def write_plain_gpx(path, points):
    """GPX without extensions, which all programs read and write completely."""
    with open(path, "w", encoding="ascii", buffering=1 << 20) as file:
        file.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<gpx version="1.1" creator="Benchmark" xmlns="http://www.topografix.com/GPX/1/1">\n'
            " <trk><name>Benchmark</name><trkseg>\n")
        for latitude, longitude, elevation, time in recording(points):
            file.write(
                f'  <trkpt lat="{latitude}" lon="{longitude}">\n'
                f"    <ele>{elevation}</ele>\n    <time>{time}</time>\n  </trkpt>\n")
        file.write(" </trkseg></trk>\n</gpx>\n")


def write_kml(path, points):
    """A gx:Track: all times, then all positions."""
    with open(path, "w", encoding="ascii", buffering=1 << 20) as file:
        file.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">\n'
            "<Document><Placemark><name>Benchmark</name><gx:Track>\n")
        for *_, time in recording(points):
            file.write(f"<when>{time}</when>\n")
        for latitude, longitude, elevation, _ in recording(points):
            file.write(f"<gx:coord>{longitude} {latitude} {elevation}</gx:coord>\n")
        file.write("</gx:Track></Placemark></Document></kml>\n")


def write_geojson(path, points):
    """A LineString with coordTimes, the geometry before the properties."""
    with open(path, "w", encoding="ascii", buffering=1 << 20) as file:
        file.write(
            '{"type":"FeatureCollection","features":[\n'
            '{"type":"Feature","geometry":{"type":"LineString","coordinates":[')
        for index, (latitude, longitude, elevation, _) in enumerate(recording(points)):
            file.write(f"{',' if index else ''}[{longitude},{latitude},{elevation}]")
        file.write(']},"properties":{"name":"Benchmark","coordTimes":[')
        for index, (*_, time) in enumerate(recording(points)):
            file.write(f"{',' if index else ''}\"{time}\"")
        file.write("]}}\n]}\n")


def write_fit(path, points):
    """An activity of a number of records with the sensors of a cycling computer."""

    def definition(local, message, fields):
        return struct.pack("<BBBHB", 0x40 | local, 0, 0, message, len(fields)) + bytes(
            byte for field in fields for byte in field)

    start = 1_084_860_000
    data = [
        definition(0, 0, [(0, 1, 0x00), (1, 2, 0x84), (2, 2, 0x84), (4, 4, 0x86)]),
        struct.pack("<BBHHI", 0, 4, 255, 0, start),
        definition(1, 21, [(253, 4, 0x86), (0, 1, 0x00), (1, 1, 0x00)]), struct.pack("<BIBB", 1, start, 0, 0),
        definition(2, 20, [
            (253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85), (2, 2, 0x84), (5, 4, 0x86), (3, 1, 0x02), (4, 1, 0x02),
            (6, 2, 0x84), (7, 2, 0x84), (13, 1, 0x01)]),
    ]
    latitude, longitude = 46.948, 7.4474
    for index in range(points):
        course = index / 900
        latitude += 0.00008 * math.cos(course)
        longitude += 0.00011 * math.sin(course)
        data.append(struct.pack(
            "<BIiiHIBBHHb", 2, start + index, round(latitude * 2**31 / 180), round(longitude * 2**31 / 180),
            round((540 + 60 * math.sin(index / 3000) + 500) * 5), index * 900, 120 + index % 40, 70 + index % 20,
            8000 + index % 2000, 150 + index % 200, 18 + index % 6))
    end = start + points - 1
    data += [
        struct.pack("<BIBB", 1, end, 0, 4),
        definition(3, 18, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (8, 4, 0x86), (5, 1, 0x00)]),
        struct.pack("<BIIIIB", 3, end, start, (points - 1) * 1000, (points - 1) * 1000, 2),
    ]
    body = b"".join(data)

    def checksum(data):
        value = 0
        for byte in data:
            value ^= byte
            for _ in range(8):
                value = value >> 1 ^ (0xA001 if value & 1 else 0)
        return struct.pack("<H", value)

    header = struct.pack("<BBHI4s", 14, 0x10, 2132, len(body), b".FIT")
    header += checksum(header)
    path.write_bytes(header + body + checksum(header + body))


def write_igc(path, points):
    """A flight with a fix per second."""
    with open(path, "w", encoding="ascii", newline="\r\n") as file:
        file.write("AXXXBEN Benchmark\nHFDTE170524\n")
        for index, (latitude, longitude, elevation, _) in enumerate(recording(points)):
            second = index % 86_400
            fields = "".join(
                f"{int(degrees):0{digits}d}{round(degrees % 1 * 60_000):05d}{letter}"
                for degrees, digits, letter in ((float(latitude), 2, "N"), (float(longitude), 3, "E")))
            height = f"{round(float(elevation)):05d}"
            file.write(f"B{second // 3600:02d}{second // 60 % 60:02d}{second % 60:02d}{fields}A{height}{height}\n")


def write_plt(path, points):
    """A track of OziExplorer: days since 1899-12-30, feet."""
    with open(path, "w", encoding="ascii", newline="\r\n") as file:
        file.write(
            "OziExplorer Track Point File Version 2.1\nWGS 84\nAltitude is in Feet\nReserved 3\n"
            f"0,3,16711680,Benchmark,0,0,2,8421376\n{points}\n")
        for index, (latitude, longitude, elevation, _) in enumerate(recording(points)):
            file.write(
                f"  {float(latitude):.6f},{float(longitude):.6f},{0 if index else 1},{float(elevation) / 0.3048:.1f},"
                f"{45429.2586806 + index / 86400:.7f},17-May-24,\n")


def write_film(path, seconds):
    """A film of a GoPro with 18 fixes per second, without pictures."""
    loader = importlib.machinery.SourceFileLoader(
        "make", str(pathlib.Path(__file__).resolve().parent.parent / "Fixtures/make"))
    make = importlib.util.module_from_spec(importlib.util.spec_from_loader("make", loader))
    loader.exec_module(make)
    film = make.film([make.gopro(second, samples=18) for second in range(seconds)])
    # exiftool reads tracks of this type only.
    path.write_bytes(film.replace(b"hdlr" + bytes(12), b"hdlr" + bytes(8) + b"meta"))

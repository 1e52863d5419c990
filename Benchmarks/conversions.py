"""Single files: imports and conversions, compared with other programs and with the least that any program must do.
Called by Benchmarks/run."""
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

import bulk
import recordings
from timing import in_turns, measure, spread

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAIRS = 7
POINTS = 400_000
PLAIN_BAR = 1.5
EXTENDED_BAR = 2.5
GPSBABEL_BAR = 25
OGR_BAR = 10
LOGGER_BAR = 10
FIT_GPSBABEL_BAR = 8
FIT_SDK_BAR = 60
# The bar was 1.5 GB/s where libxml2 with empty handlers reads 0.415 GB/s.
RATE_BAR = 3.6
PEAK_BAR = 64


def ratio(table, what, theirs, ours, bar=None, pairs=PAIRS, new=()):
    """Adds how many times as long another command takes, run alternately. One that takes long runs once. The new files
    are removed before each run."""
    first, memory = measure(theirs, new)
    if first > 20:
        own, _ = measure(ours, new)
        table.add(
            what, f"{first / own:.0f}, {first:.1f} s : {own:.2f} s, {memory / 2**20:.0f} MiB", f"≥ {bar}" if bar else "",
            first / own >= bar if bar else None)
        return
    own, others = in_turns(ours, theirs, pairs, new)
    ratios = [b / a for a, b in zip(own, others)]
    median = statistics.median(ratios)
    table.add(
        what, f"{spread(ratios, 1)}, {statistics.median(others):.2f} s : {statistics.median(own):.3f} s",
        f"≥ {bar}" if bar else "", median >= bar if bar else None)


def imports(table, program, peers, folder):
    """GPX to drives on one core, compared with parsers that do nothing with what they read."""
    for what, write, bar in (
        ("plain GPX", recordings.write_plain_gpx, PLAIN_BAR), ("extended GPX", recordings.write_gpx, EXTENDED_BAR)):
        file = folder / "import.gpx"
        write(file, points=POINTS)
        size = file.stat().st_size / 1e6
        drive = folder / "imported"
        own = bulk.on_cores(1, [program, "import", "--quiet", str(file), "-o", str(drive)])
        seconds = statistics.median(measure(own, [drive])[0] for _ in range(5))
        table.add(f"import of {what}, one core", f"{seconds:.3f} s, {size:.0f} MB, {size / seconds:.0f} MB/s")
        ratio(table, f"libxml2 with empty handlers, {what} : import", [peers["libxml2"], str(file)], own, bar, new=[drive])
        if "pugixml" in peers:
            ratio(table, f"pugixml, {what} : import", [peers["pugixml"], str(file)], own, new=[drive])
        floor(table, what, peers, file, own, new=[drive])
        file.unlink()


def floor(table, what, peers, file, own, new=()):
    """Adds how many times as long a command takes as reading the file and looking at each byte."""
    ours, least = in_turns(own, [peers["floor"], str(file)], PAIRS, new)
    table.add(f"{what} : its floor", spread([a / b for a, b in zip(ours, least)], 1))


def convert(table, program, peers, folder):
    """Conversions that gpsbabel and ogr2ogr also support, from file to file.

    What the others leave out counts for them: gpsbabel writes no times into GeoJSON and reads neither times nor
    elevations from it; ogr2ogr takes a track for its points, and reads coordTimes as one long text.
    """
    files = {
        "gpx": (folder / "plain.gpx", recordings.write_plain_gpx), "kml": (folder / "track.kml", recordings.write_kml),
        "geojson": (folder / "line.geojson", recordings.write_geojson), "igc": (folder / "flight.igc", recordings.write_igc),
        "plt": (folder / "track.plt", recordings.write_plt)}
    points = {"igc": 80_000}
    lines = ["-dsco", "GPX_USE_EXTENSIONS=YES"]
    for what, source, target, babel, ogr, bar in (
        ("GPX → GeoJSON", "gpx", "geojson", "gpx", ["-f", "GeoJSON", "OUT", "IN", "track_points"], GPSBABEL_BAR),
        ("GPX → GPX", "gpx", "gpx", "gpx", ["-f", "GPX", *lines, "OUT", "IN", "track_points"], GPSBABEL_BAR),
        ("KML gx:Track → GPX", "kml", "gpx", "kml", ["-f", "GPX", *lines, "-nlt", "LINESTRING", "OUT", "IN"], GPSBABEL_BAR),
        ("GeoJSON → GPX", "geojson", "gpx", "geojson", ["-f", "GPX", *lines, "OUT", "IN"], GPSBABEL_BAR),
        ("IGC → GPX", "igc", "gpx", "igc", None, LOGGER_BAR),
        ("OziExplorer → GPX", "plt", "gpx", "ozi", None, LOGGER_BAR),
    ):
        file, write = files[source]
        if not file.exists():
            write(file, points.get(source, POINTS))
        out = str(folder / "converted")
        own = [program, "convert", "--quiet", str(file), "--to", target, "-o", out]
        if shutil.which("gpsbabel"):
            ratio(
                table, f"gpsbabel {what} : convert",
                ["gpsbabel", "-i", babel, "-f", str(file), "-o", target, "-F", out + ".babel"], own, bar,
                new=[out, out + ".babel"])
        if ogr and shutil.which("ogr2ogr"):
            # It does not overwrite files.
            named = [{"OUT": out + ".ogr", "IN": str(file)}.get(word, word) for word in ogr]
            ratio(
                table, f"ogr2ogr {what} : convert", ["sh", "-c", 'rm -f "$0" && exec ogr2ogr "$@"', out + ".ogr", *named],
                own, OGR_BAR, pairs=3, new=[out])
        if source == "geojson" and "simdjson" in peers:
            ratio(table, "simdjson, positions alone : convert", [peers["simdjson"], str(file)], own, new=[out])
        floor(table, what, peers, file, own, new=[out])
        if what == "GPX → GeoJSON":
            peak = max(measure(own)[1] for _ in range(2)) / 2**20
            table.add(f"peak memory of {what}", f"{peak:.1f} MiB", f"< {PEAK_BAR} MiB", peak < PEAK_BAR)
    for path in folder.glob("converted*"):
        path.unlink()
    for file, _ in files.values():
        file.unlink()


def film(table, program, folder):
    """An hour of a GoPro's positions, compared with exiftool."""
    file = folder / "film.mp4"
    recordings.write_film(file, 3600)
    out = str(folder / "converted")
    own = [program, "convert", "--quiet", str(file), "--to", "gpx", "-o", out]
    if shutil.which("exiftool"):
        arguments = ["-q", "-ee", "-n", "-p", "$GPSLatitude $GPSLongitude $GPSDateTime", str(file)]
        ratio(table, "exiftool MP4 : convert", ["exiftool", *arguments], own, LOGGER_BAR, pairs=3, new=[out])
    table.add("convert MP4 → GPX, 64,800 fixes", f"{measure(own)[0]:.3f} s, {measure(own)[1] / 2**20:.1f} MiB")
    for path in (file, pathlib.Path(out)):
        path.unlink()


def rate(table, program, peers, folder):
    """A GPX file of 1 GB to GeoJSON on two cores, to a file and without the disk."""
    file, out = folder / "large.gpx", folder / "large.geojson"
    recordings.write_plain_gpx(file, 10_000_000)
    size = file.stat().st_size / 1e9
    for what, output in (("without the disk", os.devnull), ("to a file", str(out))):
        own = [program, "convert", "--quiet", str(file), "--to", "geojson", "-o", output]
        new = [out] if output != os.devnull else []
        measure(own, new)
        runs = [measure(own, new) for _ in range(5)]
        seconds = statistics.median(seconds for seconds, _ in runs)
        peak = max(peak for _, peak in runs) / 2**20
        table.add(
            f"GPX of {size:.1f} GB → GeoJSON, {what}", f"{seconds:.2f} s, {size / seconds:.2f} GB/s, {peak:.0f} MiB",
            f"< {PEAK_BAR} MiB", peak < PEAK_BAR)
        if not new:
            ratio(table, "libxml2 with empty handlers : the same", [peers["libxml2"], str(file)], own, RATE_BAR)
    file.unlink()
    out.unlink()


# Garmin's reader with a minimal GPX writer for its results.
SDK = """
import sys
from garmin_fit_sdk import Decoder, Stream
messages, errors = Decoder(Stream.from_file(sys.argv[1])).read()
with open(sys.argv[2], "w") as file:
    for record in messages["record_mesgs"]:
        file.write(
            f'<trkpt lat="{record["position_lat"] * 180 / 2**31:.9f}" lon="{record["position_long"] * 180 / 2**31:.9f}">'
            f'<ele>{record["enhanced_altitude"]}</ele><time>{record["timestamp"].isoformat()}</time>'
            f'<hr>{record["heart_rate"]}</hr><cad>{record["cadence"]}</cad></trkpt>')
sys.exit(1 if errors else 0)
"""

# fitdecode with the same.
FITDECODE = """
import fitdecode, sys
with fitdecode.FitReader(sys.argv[1]) as reader, open(sys.argv[2], "w") as file:
    for frame in reader:
        if frame.frame_type == fitdecode.FIT_FRAME_DATA and frame.name == "record":
            file.write(f"{[field.value for field in frame.fields]}")
"""


def fit(table, program, folder):
    """FIT to GPX: a generated activity, and real ones if they are present."""
    generated = folder / "ride.fit"
    recordings.write_fit(generated, 100_000)
    out = str(folder / "converted")
    shared = ROOT.parent / "shared" / "bench"
    for file in (generated, shared / "big_activity.fit", shared / "large.fit"):
        if not file.exists():
            continue
        own = [program, "convert", "--quiet", str(file), "--to", "gpx", "-o", out]
        seconds = statistics.median(measure(own, [out])[0] for _ in range(5))
        table.add(f"convert {file.name} → GPX", f"{seconds:.3f} s, {file.stat().st_size / 1e6 / seconds:.0f} MB/s")
        if shutil.which("gpsbabel"):
            ratio(
                table, f"gpsbabel {file.name} → GPX : convert",
                ["gpsbabel", "-i", "garmin_fit", "-f", str(file), "-o", "gpx,garminextensions", "-F", out + ".babel"], own,
                FIT_GPSBABEL_BAR, new=[out, out + ".babel"])
        if file != generated:
            continue
        for name, module, script, bar in (
            ("Garmin's Python SDK", "garmin_fit_sdk", SDK, FIT_SDK_BAR), ("fitdecode", "fitdecode", FITDECODE, None)):
            python = next((python for python in pythons() if has(python, module)), None)
            if python:
                ratio(table, f"{name} FIT → GPX : convert", [python, "-c", script, str(file), os.devnull], own, bar, pairs=3, new=[out])
    generated.unlink()


def pythons():
    """The interpreters that may have the packages of PyPI."""
    return [python for python in (str(ROOT / ".build/python/bin/python3"), sys.executable) if pathlib.Path(python).exists()]


def has(python, module):
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0


def gpxpy(table, program, folder):
    """GPX to GPX with gpxpy."""
    python = next((python for python in pythons() if has(python, "gpxpy")), None)
    if python is None:
        return
    file, out = folder / "plain.gpx", str(folder / "converted")
    recordings.write_plain_gpx(file, 100_000)
    script = "import gpxpy, sys; open(sys.argv[2], 'w').write(gpxpy.parse(open(sys.argv[1])).to_xml())"
    ratio(
        table, "gpxpy GPX → GPX, 100,000 points : convert", [python, "-c", script, str(file), out + ".gpxpy"],
        [program, "convert", "--quiet", str(file), "--to", "gpx", "-o", out], pairs=3)
    file.unlink()


def missing():
    """The names of the peers that are not installed."""
    programs = [name for name in ("gpsbabel", "ogr2ogr", "exiftool") if not shutil.which(name)]
    modules = [name for name in ("gpxpy", "garmin_fit_sdk", "fitdecode") if not any(has(p, name) for p in pythons())]
    return programs + modules

"""Ten thousand files: imports into a library and conversions, on one core and on two, beside a loop of gpsbabel and a
script with gpxpy. Called by Benchmarks/run."""
import datetime
import math
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import time

FILES = 10_000
POINTS = 1000
SAMPLE = 200
ROUNDS = 3
# A round writes gigabytes, and how fast a disk takes them varies.
IMPORT_ROUNDS = 5
CORES_BAR = 1.8
OTHERS_BAR = 10
MEMORY_BAR = 200
FLAT_BAR = 1.4

GPXPY = """
import json, pathlib, sys
import gpxpy
folder, output = map(pathlib.Path, sys.argv[1:])
for path in sorted(folder.iterdir()):
    gpx = gpxpy.parse(path.read_text())
    features = []
    for track in gpx.tracks:
        points = [point for segment in track.segments for point in segment.points]
        features.append({
            "type": "Feature",
            "geometry": {"type": "LineString", "coordinates": [[p.longitude, p.latitude, p.elevation] for p in points]},
            "properties": {"name": track.name, "coordTimes": [p.time.isoformat() for p in points]}})
    (output / (path.stem + ".geojson")).write_text(json.dumps({"type": "FeatureCollection", "features": features}))
"""


def write_files(folder, count, points):
    """Writes `count` GPX files of `points` points each, with different routes and days; returns their size."""
    folder.mkdir()
    size = 0
    for number in range(count):
        generator = random.Random(number)
        latitude, longitude = generator.uniform(46, 48), generator.uniform(7, 9)
        heading = generator.uniform(0, 6.28)
        moment = datetime.datetime(2014, 1, 1) + datetime.timedelta(hours=9 * number)
        rows = [
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<gpx version="1.1" creator="Benchmark" xmlns="http://www.topografix.com/GPX/1/1">\n'
            f" <trk><name>Ride {number}</name><trkseg>\n"]
        for index in range(points):
            moment += datetime.timedelta(seconds=1 + (index * 7 + number) % 3)
            heading += generator.random() * 0.2 - 0.1
            latitude += 0.00008 * math.cos(heading)
            longitude += 0.00011 * math.sin(heading)
            rows.append(
                f'  <trkpt lat="{latitude:.7f}" lon="{longitude:.7f}">\n'
                f"    <ele>{500 + 60 * math.sin(index / 300):.1f}</ele>\n    <time>{moment.isoformat()}Z</time>\n"
                "  </trkpt>\n")
        rows.append(" </trkseg></trk>\n</gpx>\n")
        text = "".join(rows)
        size += len(text)
        (folder / f"{number:05d}.gpx").write_text(text)
    return size


def on_cores(count, command):
    """Returns a command that is limited to `count` cores, if the system supports it."""
    if shutil.which("taskset"):
        return ["taskset", "-c", ",".join(map(str, sorted(os.sched_getaffinity(0))[:count])), *command]
    return command


def worth_of_cores(table, what, spread):
    """How many times as much two processes that only count do as one: what no program can beat at that hour, since cores
    of a virtual machine are shared with others."""
    if (os.cpu_count() or 1) < 2:
        return

    def run(count):
        began = time.monotonic()
        counting = [sys.executable, "-c", "total = 0\nfor number in range(8_000_000): total += number * number"]
        processes = [subprocess.Popen(counting) for _ in range(count)]
        for process in processes:
            process.wait()
        return time.monotonic() - began

    run(1)
    table.add(f"what two cores are worth {what}", spread([2 * run(1) / run(2) for _ in range(5)]))


def bulk(table, program, folder, measure, spread, quick):
    count = FILES // 10 if quick else FILES
    files = folder / "files"
    megabytes = write_files(files, count, POINTS) / 1e6
    print(f"{count} files of {POINTS} points, {megabytes:.0f} MB", flush=True)
    cores = 2 if (os.cpu_count() or 1) > 1 else 1
    speeds = {}
    worth_of_cores(table, "before the imports", spread)
    speeds["import"] = imports(table, program, folder, files, count, cores, measure, spread, quick)
    worth_of_cores(table, "after the imports", spread)
    speeds["convert"] = conversions(table, program, folder, files, count, cores, measure, spread)
    others(table, folder, files, measure, spread, speeds["convert"])
    shutil.rmtree(files)


def imports(table, program, folder, files, count, cores, measure, spread, quick):
    library = folder / "bulk.gpkg"

    def run(cores, inputs=files):
        for ending in ("", "-wal", "-shm"):
            pathlib.Path(f"{library}{ending}").unlink(missing_ok=True)
        # What the last run has written must not be in the way of this one.
        os.sync()
        return measure(on_cores(cores, [
            program, "import", "--quiet", "--jobs", str(cores), str(inputs), "--library", str(library)]))

    run(cores)
    runs = [(run(1), run(cores)) for _ in range(IMPORT_ROUNDS)]
    report(table, "import into a library", runs, count, cores, spread)
    seconds = measure([program, "import", "--quiet", str(files), "--library", str(library)])[0]
    table.add("the same again, all there already", f"{seconds:.2f} s, {count / seconds:.0f} files/s")
    peak = max(two[1] for _, two in runs) / 2**20
    table.add("the same, peak memory", f"{peak:.1f} MiB", f"< {MEMORY_BAR}", peak < MEMORY_BAR)
    if not quick:
        few = folder / "few"
        few.mkdir()
        for path in sorted(files.iterdir())[:count // 10]:
            os.link(path, few / path.name)
        small = run(cores, few)[1] / 2**20
        shutil.rmtree(few)
        table.add(
            f"peak memory, {count} : {count // 10} files", f"{peak / small:.2f} ({peak:.0f} : {small:.0f} MiB)",
            f"≤ {FLAT_BAR}", peak / small <= FLAT_BAR)
    for ending in ("", "-wal", "-shm"):
        pathlib.Path(f"{library}{ending}").unlink(missing_ok=True)
    return count / statistics.median(two[0] for _, two in runs)


def conversions(table, program, folder, files, count, cores, measure, spread):
    outputs = folder / "converted"
    outputs.mkdir()

    def run(cores):
        # Into a separate folder, because deleting the output of an earlier run would keep the file system busy.
        output = outputs / str(len(list(outputs.iterdir())))
        os.sync()
        return measure(on_cores(cores, [
            program, "convert", "--jobs", str(cores), str(files), "--to", "geojson", "--output-directory", str(output)]))

    run(cores)
    runs = [(run(1), run(cores)) for _ in range(ROUNDS)]
    report(table, "convert to GeoJSON", runs, count, cores, spread)
    shutil.rmtree(outputs)
    return count / statistics.median(two[0] for _, two in runs)


def report(table, what, runs, count, cores, spread):
    for place, number in enumerate((1, cores)):
        seconds = [pair[place][0] for pair in runs]
        table.add(
            f"{what}, {number} core{'s' if number > 1 else ''}",
            f"{spread(seconds)} s, {count / statistics.median(seconds):.0f} files/s")
        if cores == 1:
            return
    ratios = [one[0] / two[0] for one, two in runs]
    table.add("the same, 1 core : 2 cores", spread(ratios), f"≥ {CORES_BAR}", statistics.median(ratios) >= CORES_BAR)


def others(table, folder, files, measure, spread, speed):
    """The same work for a sample, as people do it without this program."""
    sample, output = folder / "sample", folder / "others"
    sample.mkdir()
    output.mkdir()
    for path in sorted(files.iterdir())[:SAMPLE]:
        os.link(path, sample / path.name)
    if shutil.which("gpsbabel"):
        loop = f'for file in "{sample}"/*.gpx; do gpsbabel -i gpx -f "$file" -o geojson -F "{output}/$(basename "$file" .gpx).geojson"; done'
        compare(table, "a shell loop of gpsbabel", ["sh", "-c", loop], measure, spread, speed)
    else:
        print("  SKIPPED gpsbabel: it is not installed", flush=True)
    modules = folder / "python"
    installed = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(modules), "gpxpy"], capture_output=True)
    if installed.returncode == 0:
        script = folder / "gpxpy-to-geojson.py"
        script.write_text(GPXPY)
        command = ["env", f"PYTHONPATH={modules}", sys.executable, str(script), str(sample), str(output)]
        compare(table, "a Python script with gpxpy", command, measure, spread, speed)
    else:
        print("  SKIPPED gpxpy: it cannot be installed", flush=True)
    shutil.rmtree(sample)
    shutil.rmtree(output)


def compare(table, what, command, measure, spread, speed):
    seconds = [measure(command)[0] for _ in range(ROUNDS)]
    theirs = SAMPLE / statistics.median(seconds)
    table.add(
        f"{what}, {SAMPLE} files to GeoJSON", f"{spread(seconds)} s, {theirs:.0f} files/s; convert {speed / theirs:.0f} times",
        f"≥ {OTHERS_BAR}", speed / theirs >= OTHERS_BAR)

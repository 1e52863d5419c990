"""Finds routes among ten thousand drives, and compares the drives of one. Called by Benchmarks/run."""
import collections
import datetime
import json
import math
import random
import statistics
import subprocess
import sys

DRIVES = 10_000
POINTS = 1000
ROUTES = 300
COMMUTES = 400
TRACKS = 100
ROUNDS = 3
FIND_BAR = 10
GROWTH_BAR = 2.5


def road(number):
    """A winding road of 13 km in metres east and north, with one position per second."""
    generator = random.Random(number)
    east, north, heading = generator.uniform(0, 60_000), generator.uniform(0, 60_000), generator.uniform(0, 6.28)
    places = []
    for index in range(POINTS):
        if index % 40 == 0:
            turn = generator.uniform(-0.03, 0.03)
        heading += turn
        east += 13 * math.cos(heading)
        north += 13 * math.sin(heading)
        places.append((east, north))
    return places


def write_drives(folder, count):
    """Drives on these roads, a hundred per file: each shifted by some metres and with different noise, every fourth
    with a detour around a block. The first road has the most drives."""
    folder.mkdir()
    roads = [road(number) for number in range(ROUTES)]
    for number in range(0, count, TRACKS):
        with open(folder / f"{number:05d}.gpx", "w", encoding="ascii", buffering=1 << 20) as file:
            file.write('<gpx version="1.1" creator="Benchmark" xmlns="http://www.topografix.com/GPX/1/1">\n')
            for drive in range(number, min(number + TRACKS, count)):
                write_drive(file, drive, route_of(drive), roads)
            file.write("</gpx>\n")


def route_of(drive):
    return 0 if drive % (DRIVES // COMMUTES) == 0 else 1 + drive % (ROUTES - 1)


def write_drive(file, drive, route, roads):
    generator = random.Random(f"drive {drive}")
    aside, ahead = generator.uniform(-4, 4), generator.uniform(-4, 4)
    noise = [0.0, 0.0]
    block = generator.randrange(200, 700) if drive % 4 == 0 else None
    moment = datetime.datetime(2014, 1, 1, 6) + datetime.timedelta(hours=9 * drive)
    pace = generator.uniform(0.9, 1.3)
    rows = [f"<trk><name>Road {route}</name><trkseg>\n"]
    for index, (east, north) in enumerate(roads[route]):
        noise = [0.95 * value + generator.uniform(-1, 1) for value in noise]
        if block is not None and block <= index < block + 12:
            aside_here = aside + 80
        else:
            aside_here = aside
        latitude = 47 + (north + aside_here + noise[0]) / 111_195
        longitude = 8 + (east + ahead + noise[1]) / 75_800
        time = (moment + datetime.timedelta(seconds=round(index * pace))).isoformat()
        rows.append(f'<trkpt lat="{latitude:.7f}" lon="{longitude:.7f}"><time>{time}Z</time></trkpt>\n')
    rows.append("</trkseg></trk>\n")
    file.write("".join(rows))


def routes(table, program, folder, measure, spread, quick):
    count = DRIVES // 10 if quick else DRIVES
    files = folder / "drives"
    write_drives(files, count)
    found = {}
    for number in (count // 2, count):
        library = folder / f"{number}.gpkg"
        paths = sorted(files.iterdir())[:number // TRACKS]
        measure([program, "import", "--quiet", *map(str, paths), "--library", str(library)])
        command = [program, "library", "routes", "--library", str(library)]
        report = json.loads(subprocess.run([*command, "--json"], check=True, capture_output=True).stdout)
        driven = collections.Counter(f"Road {route_of(drive)}" for drive in range(number))
        expected = {name: times for name, times in driven.items() if times > 1}
        routes_found = {route["name"]: route["count"] for route in report["routes"]}
        if routes_found != expected or len(report["routes"]) != len(expected):
            sys.exit(f"Benchmarks/run: {len(report['routes'])} routes of {len(expected)} roads that were driven again")
        runs = [measure(command) for _ in range(ROUNDS)]
        seconds = [run[0] for run in runs]
        found[number] = statistics.median(seconds)
        bar = number == DRIVES
        table.add(
            f"routes among {number} drives of {POINTS} points", f"{spread(seconds)} s, {len(expected)} routes, "
            f"{max(run[1] for run in runs) / 2**20:.0f} MiB", *((f"< {FIND_BAR} s", found[number] < FIND_BAR) if bar else ()))
    growth = found[count] / found[count // 2]
    table.add(f"the same, {count} : {count // 2} drives", f"{growth:.2f}", f"≤ {GROWTH_BAR}", growth <= GROWTH_BAR)
    most = max(report["routes"], key=lambda route: route["count"])
    runs = [measure([program, "library", "compare", most["id"], "--library", str(library)]) for _ in range(ROUNDS)]
    table.add(
        f"compare the {most['count']} drives of one", f"{spread([run[0] for run in runs])} s, "
        f"{max(run[1] for run in runs) / 2**20:.0f} MiB")
    for path in (*files.iterdir(), *folder.glob(f"{count // 2}.gpkg*"), *folder.glob(f"{count}.gpkg*")):
        path.unlink()
    files.rmdir()

"""Tests of the job without Spark: python3 -m unittest discover -s Contrib/spark. Needs pyarrow."""
from __future__ import annotations

import argparse
import base64
import hashlib
import io
import json
import os
import struct
import sys
import tempfile
import textwrap
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow.parquet as pq

import ghost_convert_spark as job
import ghost_filter
import ghost_parquet

# A filter whose behaviour depends on the paths: `die…` ends it, `hang…` stops it, `once…` ends it the first time.
PROGRAM = textwrap.dedent("""\
    #!{python}
    import base64, json, os, signal, sys, time
    if "--bad-option" in sys.argv: sys.exit(64)
    for path in filter(None, sys.stdin.buffer.read().split(b"\\0")):
        text = path.decode(errors="replace")
        name = os.path.basename(text)
        if name.startswith("die"): os.kill(os.getpid(), signal.SIGKILL)
        if name.startswith("hang"): time.sleep(60)
        if name.startswith("once") and not os.path.exists("{folder}/" + name):
            open("{folder}/" + name, "w").close()
            sys.exit(1)
        if name.startswith("liar"): path, text = b"other", "other"
        state = "failed" if name.startswith("bad") else "imported"
        error = dict(source=text, code="malformed", message="bad", line=3, hint="mend it")
        record = dict(source=text, state=state, reason=None, message=None, more_errors=[], drives=[])
        record["error"] = error if state == "failed" else None
        if state == "imported":
            record["drives"] = [json.loads('''{drive}''')]
        if text.encode() != path: record["source_base64"] = base64.b64encode(path).decode()
        print(json.dumps(record), flush=True)
    """)

DRIVE: dict[str, Any] = {
    "entry": None, "id": "D8156378-0C94-86C2-979E-3E17B49CA852", "name": "Out", "start_time": "2024-05-17T06:12:30.250Z",
    "end_time": None, "duration_s": 9.25, "distance_mi": 0.1, "distance_m": 160.9344, "elapsed_s": 9.25, "moving_s": 9.25,
    "points_read": 2, "points_used": 2, "points": 2, "step_s": 9.25, "resampled": False, "largest_time_error_s": 0,
    "largest_place_error_m": 0, "warnings": [], "kind": "running", "notes": None, "gear": None,
    "bbox": [7.25, -1.5, 7.5, 46.0], "coordinatesData": base64.b64encode(b"[]").decode(),
    "wkb": (b"\1" + struct.pack("<II4d", 2, 2, 7.25, 46.0, 7.5, -1.5)).hex().upper()}


class WithProgram(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.program = Path(self.folder.name, "filter")
        self.program.write_text(
            PROGRAM.format(python=sys.executable, folder=self.folder.name, drive=json.dumps(DRIVE)))
        self.program.chmod(0o755)


class FilterTests(WithProgram):
    def states(self, *paths: str) -> list[tuple[str, Any]]:
        found = ghost_filter.records([str(self.program)], [os.fsencode(path) for path in paths], 1)
        return [(record["source"], record["error"]["code"] if record["error"] else None) for record in found]

    def test_every_path_has_a_record_whatever_the_filter_dies_of(self) -> None:
        self.assertEqual(
            self.states("/a", "/die1", "/die2", "/b", "/bad", "/hang", "/c", "/die3"),
            [("/a", None), ("/die1", "crashed"), ("/die2", "crashed"), ("/b", None), ("/bad", "malformed"),
             ("/hang", "timedOut"), ("/c", None), ("/die3", "crashed")])

    def test_a_path_is_not_blamed_for_what_happens_once(self) -> None:
        self.assertEqual(self.states("/a", "/once1", "/once2", "/b"), [(path, None) for path in ("/a", "/once1", "/once2", "/b")])

    def test_names_are_bytes(self) -> None:
        (record,) = ghost_filter.records([str(self.program)], [b"/no\xfftext\n"], 1)
        self.assertEqual(ghost_filter.source(record), b"/no\xfftext\n")
        (record,) = ghost_filter.records([str(self.program)], [b"/die\xff"], 1)
        self.assertEqual(ghost_filter.source(record), b"/die\xff")

    def test_a_filter_that_does_not_run_is_no_fault_of_a_path(self) -> None:
        for command in (["/nowhere/ghost-convert"], [str(self.program), "--bad-option"]):
            with self.assertRaises(RuntimeError):
                list(ghost_filter.records(command, [b"/a"], 1))

    def test_a_record_of_another_path_is_noticed(self) -> None:
        with self.assertRaises(RuntimeError):
            self.states("/a", "/liar")


class RowTests(unittest.TestCase):
    def test_a_drive_is_a_row_of_geoparquet(self) -> None:
        record = {"source": "/a", "state": "imported", "error": None, "more_errors": [], "drives": [DRIVE]}
        with tempfile.TemporaryDirectory() as folder:
            files, path = job.file_system(f"{folder}/drives.parquet")
            dataset = ghost_parquet.Dataset(files, path, ghost_parquet.DRIVES)
            dataset.add(ghost_parquet.drive_rows(record, 7))
            self.assertTrue(dataset.close())
            table = pq.read_table(folder)
            (row,) = table.to_pylist()
            geo = json.loads(table.schema.metadata[b"geo"])
        self.assertEqual(row["manifest_index"], 7)
        self.assertEqual(row["start_time"].isoformat(), "2024-05-17T06:12:30.250000+00:00")
        self.assertIsNone(row["end_time"])
        self.assertEqual(struct.unpack("<4d", row["geometry"][9:]), (7.25, 46.0, 7.5, -1.5))
        self.assertEqual(row["bbox"], {"xmin": 7.25, "ymin": -1.5, "xmax": 7.5, "ymax": 46.0})
        self.assertEqual(geo["columns"]["geometry"]["bbox"], [7.25, -1.5, 7.5, 46.0])
        self.assertEqual(ghost_parquet.reject_rows(record, 7), [])

    def test_what_failed_is_one_row_with_its_errors(self) -> None:
        errors = [{"source": f"/a.zip/{n}", "code": "truncated", "message": "cut", "line": None, "hint": None} for n in "12"]
        record = {"source": "/a.zip", "state": "failed", "error": errors[0], "more_errors": errors[1:], "drives": [DRIVE]}
        (row,) = ghost_parquet.reject_rows(record, 0)
        self.assertEqual((row["code"], row["drives"], row["errors"]), ("truncated", 1, errors))
        skipped = {"source": "/b", "state": "skipped", "reason": "no-track", "message": "without", "error": None,
                   "more_errors": [], "drives": []}
        self.assertEqual(ghost_parquet.reject_rows(skipped, 0)[0]["code"], "no-track")


class ManifestTests(unittest.TestCase):
    def paths(self, text: bytes, separator: bytes = b"\n", part_paths: int = 2) -> list[tuple[int, int, list[bytes]]]:
        parts = job.manifest_parts(io.BytesIO(text), separator, part_paths, hashlib.sha256())
        return [(part.number, part.first_index, part.paths) for part in parts]

    def test_parts_follow_each_other(self) -> None:
        self.assertEqual(self.paths(b""), [])
        self.assertEqual(
            self.paths(b"\xef\xbb\xbf/a\r\n\n/b\n/ c \xff"), [(0, 0, [b"/a", b"/b"]), (1, 2, [b"/ c \xff"])])
        self.assertEqual(self.paths(b"/a\n\r\0/b\0", b"\0"), [(0, 0, [b"/a\n\r", b"/b"])])
        many = [b"/%d" % number for number in range(400_000)]
        self.assertEqual([path for _, _, paths in self.paths(b"\n".join(many), part_paths=999) for path in paths], many)

    def test_relative_paths_are_refused(self) -> None:
        with self.assertRaises(job.ManifestError):
            self.paths(b"/a\nb\n")


class FakeSpark:
    """Runs tasks sequentially in this process; `disturb` affects the first attempts."""

    def __init__(self, disturb: Any = None) -> None:
        self.disturb = disturb
        self.sparkContext = self
        self.ran = 0

    def parallelize(self, parts: Sequence[Any], count: int) -> FakeSpark:
        self.parts = parts
        return self

    def foreach(self, function: Any) -> None:
        for part in self.parts:
            if self.disturb:
                self.disturb(part[0])
            self.ran += 1
            function(part)
            function(part)  # A second attempt, as with speculation.


class JobTests(WithProgram):
    def setUp(self) -> None:
        super().setUp()
        self.manifest = Path(self.folder.name, "manifest")
        self.output = Path(self.folder.name, "output")
        located = mock.patch.object(job, "located", lambda program: program)
        located.start()
        self.addCleanup(located.stop)
        pyspark = mock.MagicMock()
        pyspark.TaskContext.get.return_value = None
        modules = mock.patch.dict(sys.modules, {"pyspark": pyspark})
        modules.start()
        self.addCleanup(modules.stop)

    def arguments(self, *more: str) -> argparse.Namespace:
        return job.parsed(
            [str(self.manifest), str(self.output), "--program", str(self.program), "--part-paths", "3", "--patience", "1",
             *more])

    def rows(self, dataset: str) -> list[dict[str, Any]]:
        return pq.read_table(self.output / dataset).sort_by("manifest_index").to_pylist()

    def test_every_path_is_in_one_dataset(self) -> None:
        self.manifest.write_text("\n".join(["/a", "/bad1", "/b", "/die", "/bad2", "/bad3", "/c"]))
        counts = job.convert(FakeSpark(), self.arguments())
        self.assertEqual((counts["paths"], counts["drives"], counts["rejects"], counts["ran"]), (7, 3, 4, 3))
        self.assertEqual([row["manifest_index"] for row in self.rows("drives")], [0, 2, 6])
        self.assertEqual([row["source"] for row in self.rows("rejects")], ["/bad1", "/die", "/bad2", "/bad3"])
        self.assertEqual(sorted(os.listdir(self.output)), ["_JOB", "_SUCCESS", "drives", "rejects"])

    def test_again_is_nothing_and_another_manifest_is_refused(self) -> None:
        self.manifest.write_text("/a\n/b\n")
        first = job.convert(FakeSpark(), self.arguments())
        spark = FakeSpark()
        again = job.convert(spark, self.arguments())
        self.assertEqual((again, spark.ran), ({**first, "ran": 0}, 0))
        with self.assertRaises(job.OutputTaken):
            job.convert(spark, self.arguments("--", "--timing", "moving"))
        self.manifest.write_text("/a\n/c\n")
        with self.assertRaises(job.OutputTaken):
            job.convert(spark, self.arguments())

    def test_a_run_that_broke_off_goes_on_where_it_was(self) -> None:
        self.manifest.write_text("".join(f"/{number}\n" for number in range(20)))

        def stop(part: int) -> None:
            if part == 4:
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            job.convert(FakeSpark(stop), self.arguments())
        self.assertFalse((self.output / "_SUCCESS").exists())
        # And then just before the end.
        write_json = job.write_json

        def fail(files: Any, path: str, value: dict[str, Any]) -> None:
            if path.endswith("_SUCCESS"):
                raise OSError("the disk is full")
            write_json(files, path, value)

        spark = FakeSpark()
        with mock.patch.object(job, "write_json", fail), self.assertRaises(OSError):
            job.convert(spark, self.arguments())
        self.assertEqual(spark.ran, 3)
        counts = job.convert(FakeSpark(), self.arguments())
        self.assertEqual((counts["drives"], counts["ran"]), (20, 0))
        self.assertEqual([row["manifest_index"] for row in self.rows("drives")], list(range(20)))
        self.assertEqual(self.rows("rejects"), [])


if __name__ == "__main__":
    unittest.main()

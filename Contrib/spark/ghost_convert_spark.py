#!/usr/bin/env python3
"""Imports a manifest of recordings into Parquet on a Spark cluster; ghost-convert does the work on each node.

    spark-submit --py-files ghost_filter.py,ghost_parquet.py --archives ghost-convert.tar.gz#ghost-convert \\
        ghost_convert_spark.py MANIFEST OUTPUT

MANIFEST lists absolute paths that every node can read, one per line. OUTPUT is a folder that receives the datasets
`drives` (GeoParquet 1.1) and `rejects`, and `_SUCCESS` when both are complete. Run the command again to continue an
interrupted job. See README.md in this folder for details.
"""
from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import os
import posixpath
import shutil
import sys
import tempfile
import uuid
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Optional

import pyarrow.fs as pafs

from ghost_filter import records
from ghost_parquet import DRIVES, REJECTS, Dataset, drive_rows, reject_rows


@dataclasses.dataclass(frozen=True)
class Part:
    """Consecutive paths of the manifest, which one task processes."""

    number: int
    first_index: int
    packed: bytes

    @staticmethod
    def of(number: int, first_index: int, paths: Sequence[bytes]) -> Part:
        return Part(number, first_index, zlib.compress(b"\0".join(paths)))

    @property
    def paths(self) -> list[bytes]:
        return zlib.decompress(self.packed).split(b"\0")


class ManifestError(Exception):
    pass


def manifest_parts(
    stream: Any, separator: bytes, part_paths: int, digest: Any
) -> Iterator[Part]:
    """Splits a manifest into parts while reading it, and adds its bytes to the digest. Empty lines are ignored."""
    paths: list[bytes] = []
    number = index = 0
    for path in split(stream, separator, digest):
        if separator == b"\n":
            path = path.removesuffix(b"\r")
            path = path.removeprefix(b"\xef\xbb\xbf") if index + len(paths) == 0 else path
        if not path:
            continue
        if not path.startswith(b"/"):
            raise ManifestError(
                f"{path.decode(errors='replace')!r} is not an absolute path; tasks run in other folders")
        paths.append(path)
        if len(paths) == part_paths:
            yield Part.of(number, index, paths)
            number, index, paths = number + 1, index + len(paths), []
    if paths:
        yield Part.of(number, index, paths)


def split(stream: Any, separator: bytes, digest: Any) -> Iterator[bytes]:
    rest = b""
    while block := stream.read(1 << 20):
        digest.update(block)
        *whole, rest = (rest + block).split(separator)
        yield from whole
    yield rest


@dataclasses.dataclass(frozen=True)
class Layout:
    """The paths of files in the output. Each node creates the layout from the address of the output.

    _JOB            the manifest and the options of the job
    _work/          the files that tasks write; removed at the end
      done/00042.json                       names the files of the valid attempt
      attempts/00042-UUID/drives.parquet    each attempt has a separate folder
    drives/, rejects/                       part-00042.parquet
    _SUCCESS        the output is complete
    """

    address: str

    def open(self) -> tuple[pafs.FileSystem, str]:
        return file_system(self.address)

    @staticmethod
    def done(root: str, part: int) -> str:
        return posixpath.join(root, "_work", "done", f"{part:05}.json")

    @staticmethod
    def final(root: str, dataset: str, part: int) -> str:
        return posixpath.join(root, dataset, f"part-{part:05}.parquet")


def file_system(address: str) -> tuple[pafs.FileSystem, str]:
    """The file system of an address (a path, file://, hdfs://, s3://, gs://) and the path in it."""
    return pafs.FileSystem.from_uri(address if "://" in address else os.path.abspath(address))


def exists(files: pafs.FileSystem, path: str) -> bool:
    return files.get_file_info(path).type != pafs.FileType.NotFound


def read_json(files: pafs.FileSystem, path: str) -> Optional[dict[str, Any]]:
    if not exists(files, path):
        return None
    with files.open_input_stream(path) as stream:
        return json.loads(stream.read())


def write_json(files: pafs.FileSystem, path: str, value: dict[str, Any]) -> None:
    """Writes a file atomically."""
    temporary = f"{path}.{uuid.uuid4().hex}"
    with files.open_output_stream(temporary) as stream:
        stream.write(json.dumps(value).encode())
    files.move(temporary, path)


@dataclasses.dataclass(frozen=True)
class Task:
    """The work on a part, which runs on any node."""

    layout: Layout
    program: str
    options: tuple[str, ...]
    patience: float

    def run(self, part: Part, attempt_number: int) -> None:
        """Writes the files of a part, and then atomically a marker that names them.

        The files of an attempt that is killed are ignored, because it has no marker. Of two attempts at the same time,
        one is used, with all of its files.
        """
        files, root = self.layout.open()
        marker = Layout.done(root, part.number)
        if exists(files, marker):
            return
        folder = posixpath.join(root, "_work", "attempts", f"{part.number:05}-{uuid.uuid4().hex}")
        files.create_dir(folder)
        names = {"drives": f"{folder}/drives.parquet", "rejects": f"{folder}/rejects.parquet"}
        drives = Dataset(files, names["drives"], DRIVES)
        rejects = Dataset(files, names["rejects"], REJECTS)
        command = [located(self.program), "import", "--stdin-paths", "--null", "--json", "--jobs", "1", *self.options]
        index = part.first_index
        for record in records(command, part.paths, self.patience):
            drives.add(drive_rows(record, index))
            rejects.add(reject_rows(record, index))
            index += 1
        written = {"drives": drives.close(), "rejects": rejects.close()}
        if not exists(files, marker):
            write_json(files, marker, {
                "paths": index - part.first_index, "drives": drives.count, "rejects": rejects.count,
                "attempt": attempt_number, "files": {name: names[name] for name in written if written[name]}})


def located(program: str) -> str:
    """The program on this node: the given path, a file shipped with --files or --archives, or from the search path."""
    from pyspark import SparkFiles

    for candidate in (program, os.path.join(SparkFiles.getRootDirectory(), program)):
        if os.path.isfile(candidate):
            return executable(os.path.abspath(candidate))
    found = shutil.which(program)
    if not found:
        raise RuntimeError(f"there is no {program} on this node; ship it with --archives, or name it with --program")
    return found


def executable(path: str) -> str:
    """Returns the path of a file, or of an executable copy if the file was shipped without execute permission."""
    if os.access(path, os.X_OK):
        return path
    copy = os.path.join(tempfile.mkdtemp(prefix="ghost-convert-"), os.path.basename(path))
    shutil.copyfile(path, copy)
    os.chmod(copy, 0o755)
    return copy


class OutputTaken(Exception):
    pass


def convert(spark: Any, arguments: argparse.Namespace) -> dict[str, Any]:
    """Runs the job, or the unfinished parts of it. Returns the counts in `_SUCCESS`."""
    digest = hashlib.sha256()
    manifest_files, manifest = file_system(arguments.manifest)
    with manifest_files.open_input_stream(manifest) as stream:
        separator = b"\0" if arguments.null else b"\n"
        parts = list(manifest_parts(stream, separator, arguments.part_paths, digest))
    job = {
        "manifest": digest.hexdigest(), "null": arguments.null, "part_paths": arguments.part_paths,
        "options": arguments.options, "layout": 1}
    layout = Layout(arguments.output)
    files, root = layout.open()
    known = read_json(files, posixpath.join(root, "_JOB"))
    if known and known != job:
        raise OutputTaken(f"{arguments.output} belongs to another manifest or other options; use another output")
    success = read_json(files, posixpath.join(root, "_SUCCESS"))
    if success:
        return {**success, "ran": 0}
    for folder in ("drives", "rejects", "_work/done", "_work/attempts"):
        files.create_dir(posixpath.join(root, folder))
    if not known:
        write_json(files, posixpath.join(root, "_JOB"), job)
    rest = [part for part in parts if not exists(files, Layout.done(root, part.number))]
    task = Task(layout, arguments.program, tuple(arguments.options), arguments.patience)

    def run(part: tuple[int, int, bytes]) -> None:
        from pyspark import TaskContext

        context = TaskContext.get()
        task.run(Part(*part), context.attemptNumber() if context else 0)

    if rest:
        spark.sparkContext.parallelize([dataclasses.astuple(part) for part in rest], len(rest)).foreach(run)
    counts = commit(files, root, len(parts))
    write_json(files, posixpath.join(root, "_SUCCESS"), counts)
    files.delete_dir(posixpath.join(root, "_work"))
    return {**counts, "ran": len(rest)}


def commit(files: pafs.FileSystem, root: str, parts: int) -> dict[str, Any]:
    """Moves the files of the valid attempts to their destinations. It can be interrupted and repeated."""
    counts = {"parts": parts, "paths": 0, "drives": 0, "rejects": 0, "retried": 0}
    for number in range(parts):
        marker = read_json(files, Layout.done(root, number))
        if marker is None:
            raise RuntimeError(f"part {number} is missing, but the engine reports it as done")
        for key in ("paths", "drives", "rejects"):
            counts[key] += marker[key]
        counts["retried"] += marker["attempt"] > 0
        for dataset in ("drives", "rejects"):
            final = Layout.final(root, dataset, number)
            made = marker["files"].get(dataset)
            if made and not exists(files, made):
                continue  # Already moved.
            if exists(files, final):
                files.delete_file(final)
            if made:
                files.move(made, final)
    # Readers cannot open a dataset without files.
    for dataset, schema in (("drives", DRIVES), ("rejects", REJECTS)):
        if not counts[dataset]:
            Dataset(files, Layout.final(root, dataset, 0), schema).close(even_empty=True)
    return counts


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    own, options = list(arguments), []
    if "--" in own:
        place = own.index("--")
        own, options = own[:place], own[place + 1:]
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n", 1)[0],
        epilog="The arguments after -- are passed to import, for example: -- --timing moving")
    parser.add_argument("manifest", help="absolute paths that every node can read, one per line")
    parser.add_argument("output", help="a folder that every node can write to: a path, hdfs://, s3://, gs://")
    parser.add_argument("--program", default="ghost-convert/bin/ghost-convert", help="(default: %(default)s)")
    parser.add_argument("--null", action="store_true", help="paths in the manifest end with a zero byte")
    parser.add_argument(
        "--part-paths", type=int, default=1000, metavar="N", help="paths per task and file (default: %(default)s)")
    parser.add_argument(
        "--patience", type=float, default=600, metavar="SECONDS",
        help="time limit of one path (default: %(default)s)")
    result = parser.parse_args(own)
    if result.part_paths < 1 or result.patience <= 0:
        parser.error("--part-paths and --patience must be above zero")
    result.options = options
    return result


def main() -> int:
    from pyspark.sql import SparkSession

    arguments = parsed(sys.argv[1:])
    spark = SparkSession.builder.appName("ghost-convert").getOrCreate()
    try:
        print(json.dumps(convert(spark, arguments)))
    except (ManifestError, OutputTaken, FileNotFoundError) as error:
        print(f"ghost_convert_spark: {error}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Runs ghost-convert as a filter from paths to records, and recovers if it crashes."""
from __future__ import annotations

import base64
import json
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

Record = dict[str, Any]


class FilterStopped(Exception):
    """The filter ended or was killed before it had printed the records of all paths."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Watchdog:
    """Kills a process that has made no progress for `patience` seconds."""

    def __init__(self, process: subprocess.Popen[bytes], patience: float) -> None:
        self.has_bitten = False
        self._process = process
        self._patience = patience
        self._seen = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def pat(self) -> None:
        self._seen = time.monotonic()

    def stop(self) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(min(self._patience / 4, 1)):
            if time.monotonic() - self._seen > self._patience:
                self.has_bitten = True
                self._process.kill()
                return


def exchange(command: Sequence[str], paths: Sequence[bytes], patience: float) -> Iterator[Record]:
    """Yields the record of each path, in the order of the paths.

    Raises FilterStopped if the filter ends early, and RuntimeError if its output is invalid.
    """
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout
    stdin, stdout = process.stdin, process.stdout

    def feed() -> None:
        try:
            with stdin:
                for path in paths:
                    stdin.write(path + b"\0")
        except (BrokenPipeError, ValueError):
            pass  # The reader of the records notices the end.

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    watchdog = Watchdog(process, patience)
    try:
        for path in paths:
            line = stdout.readline()
            watchdog.pat()
            if not line.endswith(b"\n"):
                status = process.wait()
                if watchdog.has_bitten:
                    raise FilterStopped("timedOut", f"no record within {patience:g} s")
                raise FilterStopped("crashed", ended(status))
            record = json.loads(line)
            if source(record) != path:
                raise RuntimeError(f"the filter returned a record of {record['source']!r} for {path!r}")
            yield record
        if stdout.readline():
            raise RuntimeError("the filter returned more records than paths")
        if status := process.wait():
            raise FilterStopped("crashed", ended(status))
    finally:
        watchdog.stop()
        process.kill()
        process.wait()
        feeder.join()
        stdout.close()


def ended(status: int) -> str:
    return f"ghost-convert ended with {'signal' if status < 0 else 'status'} {abs(status)}"


def source(record: Record) -> bytes:
    """Returns the path of a record as it was passed to the filter."""
    if "source_base64" in record:
        return base64.b64decode(record["source_base64"])
    return str(record["source"]).encode()


def records(command: Sequence[str], paths: Sequence[bytes], patience: float) -> Iterator[Record]:
    """Yields the record of each path, including paths that crash the filter.

    If the filter stops, the first path without a record is tried alone. If it stops again, the path gets a record with
    the failure, and the filter continues with the following paths. Raises RuntimeError if the filter does not run at
    all, so that the engine retries the task elsewhere.
    """
    check(command, patience)
    done = 0
    while done < len(paths):
        try:
            for record in exchange(command, paths[done:], patience):
                done += 1
                yield record
        except FilterStopped:
            if done == len(paths):
                return
            try:
                (record,) = exchange(command, paths[done:done + 1], patience)
            except FilterStopped as stop:
                check(command, patience)
                record = failure(paths[done], stop)
            done += 1
            yield record


def check(command: Sequence[str], patience: float) -> None:
    """Checks that the filter runs on this node and accepts its options."""
    try:
        for _ in exchange(command, [], patience):
            pass
    except (FilterStopped, OSError) as error:
        raise RuntimeError(f"{command[0]} does not run here: {error}") from error


def failure(path: bytes, stop: FilterStopped) -> Record:
    text = path.decode(errors="replace")
    record: Record = {"source": text, "state": "failed", "drives": [], "more_errors": []}
    record["error"] = {"source": text, "code": stop.code, "message": str(stop), "line": None, "hint": None}
    if text.encode() != path:
        record["source_base64"] = base64.b64encode(path).decode()
    return record

"""Runs commands alternately and collects the results in a table."""
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import time

def measure(command, new=()):
    """Runs a command, which creates the new files, and returns the elapsed time in seconds and the peak memory in bytes."""
    for path in new:
        pathlib.Path(path).unlink(missing_ok=True)
    began = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{shlex.join(map(str, command))}: exit status {process.returncode}: {message.decode()[:300]}")
    # The unit is kilobytes, except for macOS, where it is bytes.
    return seconds, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def in_turns(first, second, pairs, new=()):
    """Returns the times of two commands, run alternately (A B A B) after a warm-up run of each. The new files are removed
    before each run."""
    measure(first, new)
    measure(second, new)
    times = [(measure(first, new)[0], measure(second, new)[0]) for _ in range(pairs)]
    return [a for a, _ in times], [b for _, b in times]


def spread(values, digits=2):
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}–{max(values):.{digits}f})"


class Table:
    def __init__(self):
        self.rows = [("what", "measured", "bar", "")]
        self.missed = 0

    def add(self, what, measured, bar="", holds=None):
        if holds is False:
            self.missed += 1
        self.rows.append((what, measured, bar, {None: "", True: "holds", False: "MISSED"}[holds]))
        print(f"  {what}: {measured}" + (f" [{bar}: {self.rows[-1][3]}]" if bar else ""), flush=True)

    def print(self):
        widths = [max(len(row[column]) for row in self.rows) for column in range(4)]
        for number, row in enumerate(self.rows):
            print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
            if number == 0:
                print("| " + " | ".join("-" * width for width in widths) + " |")

"""Converts records of the filter to Parquet rows: drives with their lines as GeoParquet 1.1, and rejects."""
from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Optional

import pyarrow as pa
import pyarrow.fs as pafs
import pyarrow.parquet as pq

from ghost_filter import Record, source

Row = dict[str, Any]

BOX = pa.struct([(name, pa.float64()) for name in ("xmin", "ymin", "xmax", "ymax")])
ERROR = pa.struct([
    ("source", pa.string()), ("code", pa.string()), ("message", pa.string()), ("line", pa.int64()),
    ("hint", pa.string())])

# The origin of a row: the path's index in the manifest, from 0, the path, and its bytes if they are not valid text.
ORIGIN = [("manifest_index", pa.int64()), ("source", pa.string()), ("source_bytes", pa.binary())]

DRIVES = pa.schema([
    *ORIGIN, ("drive_index", pa.int32()), ("entry", pa.string()), ("id", pa.string()), ("name", pa.string()),
    ("start_time", pa.timestamp("us", "UTC")), ("end_time", pa.timestamp("us", "UTC")), ("duration_s", pa.float64()),
    ("distance_mi", pa.float64()), ("distance_m", pa.float64()), ("elapsed_s", pa.float64()),
    ("moving_s", pa.float64()), ("points", pa.int64()), ("step_s", pa.float64()), ("largest_time_error_s", pa.float64()),
    ("largest_place_error_m", pa.float64()), ("kind", pa.string()), ("notes", pa.string()), ("gear", pa.string()),
    ("coordinates_data", pa.binary()), ("geometry", pa.binary()), ("bbox", BOX)])

REJECTS = pa.schema([
    *ORIGIN, ("state", pa.string()), ("code", pa.string()), ("message", pa.string()), ("hint", pa.string()),
    ("drives", pa.int32()), ("errors", pa.list_(ERROR))])


def origin(record: Record, index: int) -> Row:
    return {
        "manifest_index": index, "source": record["source"],
        "source_bytes": source(record) if "source_base64" in record else None}


def drive_rows(record: Record, index: int) -> list[Row]:
    rows = []
    for number, drive in enumerate(record["drives"]):
        row = {name: drive[name] for name in DRIVES.names if name in drive}
        row.update(origin(record, index))
        row["drive_index"] = number
        for name in ("start_time", "end_time"):
            row[name] = drive[name] and datetime.fromisoformat(drive[name].replace("Z", "+00:00"))
        line = bytes.fromhex(drive["wkb"])
        # Nine bytes are a line without points, for which GeoParquet recommends null.
        row["geometry"] = line if len(line) > 9 else None
        row["bbox"] = drive["bbox"] and dict(zip(("xmin", "ymin", "xmax", "ymax"), drive["bbox"]))
        row["coordinates_data"] = base64.b64decode(drive["coordinatesData"])
        rows.append(row)
    return rows


def reject_rows(record: Record, index: int) -> list[Row]:
    """Returns no row for a completely imported path, otherwise one row with the number of imported drives."""
    if record["state"] == "imported":
        return []
    errors = [error for error in [record["error"], *record["more_errors"]] if error]
    first = errors[0] if errors else {"code": record["reason"], "message": record["message"], "hint": None}
    return [{
        **origin(record, index), "state": record["state"], "code": first["code"], "message": first["message"],
        "hint": first["hint"], "drives": len(record["drives"]), "errors": errors}]


class Dataset:
    """A Parquet file, written in groups of rows. The file is not created if there are no rows."""

    GROUP_BYTES = 1 << 26
    GROUP_ROWS = 10_000

    def __init__(self, files: pafs.FileSystem, path: str, schema: pa.Schema) -> None:
        self.count = 0
        self._files, self._path, self._schema = files, path, schema
        self._writer: Optional[pq.ParquetWriter] = None
        self._rows: list[Row] = []
        self._bytes = 0
        self._box: Optional[list[float]] = None

    def add(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self.count += 1
            self._rows.append(row)
            self._bytes += len(row.get("geometry") or b"") + len(row.get("coordinates_data") or b"")
            if row.get("bbox"):
                box = list(row["bbox"].values())
                old = self._box or box
                self._box = [min(old[0], box[0]), min(old[1], box[1]), max(old[2], box[2]), max(old[3], box[3])]
            if self._bytes > self.GROUP_BYTES or len(self._rows) >= self.GROUP_ROWS:
                self._flush()

    def _flush(self) -> None:
        if self._writer is None:
            # With Arrow's schema in the footer, its readers would ignore the metadata that is added at the end.
            self._writer = pq.ParquetWriter(
                self._path, self._schema, compression="zstd", filesystem=self._files, store_schema=False)
        self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
        self._rows, self._bytes = [], 0

    def close(self, *, even_empty: bool = False) -> bool:
        """Finishes the file; returns whether there is one."""
        if self._rows or even_empty:
            self._flush()
        if self._writer is None:
            return False
        if "geometry" in self._schema.names:
            self._writer.add_key_value_metadata({"geo": json.dumps(geo_metadata(self._box))})
        self._writer.close()
        return True


def geo_metadata(box: Optional[list[float]]) -> dict[str, Any]:
    """Returns the footer metadata of GeoParquet 1.1. Without a crs, coordinates are longitudes and latitudes."""
    column: dict[str, Any] = {
        "encoding": "WKB", "geometry_types": ["LineString"] if box else [],
        "covering": {"bbox": {name: ["bbox", name] for name in ("xmin", "ymin", "xmax", "ymax")}}}
    if box:
        column["bbox"] = box
    return {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": column}}

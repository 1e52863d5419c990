/** Tests of the script's pure functions. Tests/check-web copies this file to the folder of the modules. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { clockText, distanceText, durationText, roundDistance, standingText } from "./format.js";
import * as race from "./race.js";

// Two stretches of shared road, from 100 to 200 m and from 300 to 400 m. The second drive is 2 s behind, and 6 s at the end.
const pair = {
  second: 1,
  stretches: [
    { places: [100, 200], times: [10, 20], gaps: [2, 2] },
    { places: [300, 400], times: [40, 50], gaps: [2, 6] },
  ],
};

test("columns are zigzag-encoded differences in groups of five bits", () => {
  // 0, −1 and 1 are encoded as 0, 1 and 2 (A, B, C); 16 is encoded as 32: group 0 with the continuation bit (g), then 1 (B).
  assert.deepEqual(race.decodeColumns("ABCgB", [1, 1]), [[0, 1], [-1, 15]]);
  assert.deepEqual(race.decodeColumns("gBB", [10]), [[1.6, 1.5]]);
});

test("values between rows are interpolated, values beyond the ends are constant", () => {
  assert.deepEqual([-1, 0, 2.5, 10, 11].map((value) => race.interpolate([0, 10], value, [4, 8])), [4, 4, 5, 8, 8]);
  assert.deepEqual([0, 1, 2, 5].map((value) => race.rowBefore([1, 2, 2, 4], value)), [-1, 0, 2, 3]);
  assert.deepEqual(race.positionAt({ times: [0, 10], x: [0, 100], y: [50, 0] }, 5), { x: 50, y: 25 });
});

test("gaps are known on the shared road only", () => {
  assert.deepEqual([150, 350, 250, 99, 401].map((place) => race.gapAt(pair, place)), [2, 4, null, null, null]);
});

test("between two stretches the drives move at constant speed", () => {
  assert.deepEqual([0, 15, 30, 45, 60].map((time) => race.placeAt(pair, time)), [100, 150, 250, 350, 400]);
  assert.deepEqual([12, 22, 32, 42, 56].map((time) => race.placeAt(pair, time, true)), [100, 200, 250, 300, 400]);
  assert.deepEqual([0, 150, 250, 350, 500].map((place) => race.timeAt(pair, place)), [10, 15, 30, 45, 50]);
  assert.equal(race.placeAt({ second: 1, stretches: [] }, 5), null);
});

test("the nearest moment is a point of a line within reach", () => {
  const drives = [
    { times: [0, 10], x: [0, 100], y: [0, 0] },
    { times: [0, 20], x: [0, 100], y: [30, 30] },
  ];
  assert.deepEqual(race.nearestMoment(drives, { x: 25, y: 20 }, 15), { drive: 1, time: 5 });
  assert.equal(race.nearestMoment(drives, { x: 25, y: 60 }, 15), null);
});

test("numbers are formatted as times and distances", () => {
  assert.deepEqual([0, 65, 3600, -5, -0.2].map(clockText), ["0:00", "1:05", "1:00:00", "−0:05", "0:00"]);
  const durations = (values, decimals) => values.map((value) => durationText(value, decimals));
  assert.deepEqual(durations([3.24, -9.94, 9.95, 125]), ["3.2 s", "9.9 s", "0:10", "2:05"]);
  assert.deepEqual(durations([0.02, -9.946, 59.996, 125.042], 2), ["0.02 s", "9.95 s", "1:00.00", "2:05.04"]);
  const texts = (lengths, units) => lengths.map((metres) => distanceText(metres, units));
  assert.deepEqual(texts([420.4, 1000, 99_949, 99_950]), ["420 m", "1.0 km", "99.9 km", "100 km"]);
  assert.deepEqual(texts([30.48, 1609.344, 160_934.4], "imperial"), ["100 ft", "1.0 mi", "100 mi"]);
});

test("a round distance uses the longer unit from one such unit on", () => {
  const texts = (lengths, units) => lengths.map((metres) => roundDistance(metres, units).text);
  assert.deepEqual(texts([999, 1000, 7000]), ["500 m", "1 km", "5 km"]);
  assert.deepEqual(texts([300, 1609, 1610, 5000], "imperial"), ["500 ft", "5000 ft", "1 mi", "2 mi"]);
  assert.equal(roundDistance(1610, "imperial").metres, 1609.344);
});

test("the drive with the smallest loss is ahead", () => {
  const data = { measure: 0, drives: [{ name: "a" }, { name: "b" }, { name: "c" }], pairs: [pair] };
  assert.equal(standingText(data, 350), "At 350 m: a ahead by 4.0 s");
  assert.equal(standingText({ ...data, units: "imperial" }, 350), "At 0.2 mi: a ahead by 4.0 s");
  assert.equal(standingText(data, 250), "At 250 m: on different roads");
  const near = { second: 1, stretches: [{ places: [300, 400], times: [40, 50], gaps: [0.02, 0.02] }] };
  assert.equal(standingText({ ...data, pairs: [near] }, 350), "At 350 m: level");
  assert.equal(standingText({ ...data, pairs: [near], timeDecimals: 2 }, 350), "At 350 m: a ahead by 0.02 s");
  const third = { second: 2, stretches: [{ places: [100, 200], times: [10, 20], gaps: [-3, -3] }] };
  assert.equal(standingText({ ...data, pairs: [pair, third] }, 150), "At 150 m: c, a +3.0 s, b +5.0 s");
});

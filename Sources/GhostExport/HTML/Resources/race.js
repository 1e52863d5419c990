/**
 * The data of the race: decodes the columns in the page and looks values up in them. Pure functions.
 *
 * @typedef {{x: number, y: number}} Point in units of the map's projection, or in pixels
 * @typedef {{name: string, times: number[], x: number[], y: number[], breaks: number[]}} Drive
 * @typedef {{places: number[], times: number[], gaps: number[]}} Stretch
 * @typedef {{second: number, stretches: Stretch[]}} Pair
 */

const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const digits = new Map([...base64url].map((character, value) => [character, value]));

/**
 * Decodes rows of numbers into one array per scale.
 *
 * Each number is the difference to the previous row, zigzag coded, in groups of five bits, lowest first; the sixth
 * bit is set if another group follows. Each group is one base64url character.
 *
 * @param {string} text the rows, column by column
 * @param {number[]} scales units per whole, one per column
 * @returns {number[][]} the columns
 */
export function decodeColumns(text, scales) {
  const sums = scales.map(() => 0);
  const columns = scales.map(() => []);
  let value = 0;
  let factor = 1;
  let column = 0;
  for (const character of text) {
    const digit = digits.get(character) ?? 0;
    value += (digit & 31) * factor;
    if (digit & 32) {
      factor *= 32;
      continue;
    }
    sums[column] += value % 2 ? -(value + 1) / 2 : value / 2;
    columns[column].push(sums[column] / scales[column]);
    value = 0;
    factor = 1;
    column = (column + 1) % scales.length;
  }
  return columns;
}

/** Returns the race of the page's JSON with its drives and pairs decoded. */
export function decodeRace(data) {
  const drives = data.drives.map(({ name, track, breaks }) => {
    const [times, x, y] = decodeColumns(track, [100, 1, 1]);
    return { name, times, x, y, breaks };
  });
  const pairs = data.pairs.map(({ second, stretches }) => ({
    second,
    stretches: stretches.map((text) => {
      const [places, times, gaps] = decodeColumns(text, [10, 100, 100]);
      return { places, times, gaps };
    }),
  }));
  return { ...data, drives, pairs };
}

/** Returns the value limited to a range; `low` if the range is empty. */
export const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** Returns the index of the last value of an ascending column that is at most `value`, or -1. */
export function rowBefore(column, value) {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (column[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Interpolates `to` linearly at `value` of the ascending column `from`; constant beyond its ends. */
export function interpolate(from, value, to) {
  const row = rowBefore(from, value);
  if (row < 0) return to[0];
  if (row >= from.length - 1) return to[to.length - 1];
  return to[row] + ((to[row + 1] - to[row]) * (value - from[row])) / (from[row + 1] - from[row]);
}

/** Returns the position of a drive at a time on the shared clock. */
export const positionAt = ({ times, x, y }, time) => ({
  x: interpolate(times, time, x),
  y: interpolate(times, time, y),
});

/** Returns the seconds by which a pair's second drive is behind at a place, or null off the shared road. */
export function gapAt(pair, place) {
  for (const { places, gaps } of pair.stretches) {
    if (place >= places[0] - 0.06 && place <= places[places.length - 1] + 0.06) {
      return interpolate(places, place, gaps);
    }
  }
  return null;
}

/**
 * Returns the distance along the first drive at which a drive of a pair is at a time, in metres. It moves evenly
 * between two stretches.
 *
 * @param {Pair} pair
 * @param {number} time on the shared clock
 * @param {boolean} isSecond whether the pair's second drive is meant
 * @returns {?number}
 */
export function placeAt(pair, time, isSecond = false) {
  let before = null;
  for (const { places, times, gaps } of pair.stretches) {
    const last = places.length - 1;
    const clock = isSecond ? times.map((value, row) => value + gaps[row]) : times;
    if (time < clock[0]) {
      if (!before) return places[0];
      const fraction = (time - before.time) / (clock[0] - before.time);
      return before.place + (places[0] - before.place) * fraction;
    }
    if (time <= clock[last]) return interpolate(clock, time, places);
    before = { place: places[last], time: clock[last] };
  }
  return before && before.place;
}

/** Returns the time on the shared clock at which a pair's first drive is at a place. */
export function timeAt(pair, place) {
  let before = null;
  for (const { places, times } of pair.stretches) {
    const last = places.length - 1;
    if (place < places[0]) {
      if (!before) return times[0];
      const fraction = (place - before.place) / (places[0] - before.place);
      return before.time + (times[0] - before.time) * fraction;
    }
    if (place <= places[last]) return interpolate(places, place, times);
    before = { place: places[last], time: times[last] };
  }
  return before ? before.time : 0;
}

/** Returns the bounds of lines in columns. */
export function boundsOf(lines) {
  const bounds = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const { x, y } of lines) {
    for (let row = 0; row < x.length; row++) {
      bounds.left = Math.min(bounds.left, x[row]);
      bounds.right = Math.max(bounds.right, x[row]);
      bounds.top = Math.min(bounds.top, y[row]);
      bounds.bottom = Math.max(bounds.bottom, y[row]);
    }
  }
  return bounds;
}

/**
 * Returns the drive and the time of the point of any drive nearest to a point, or null if none is within reach.
 *
 * @param {Drive[]} drives
 * @param {Point} point
 * @param {number} reach in the same units
 * @returns {?{drive: number, time: number}}
 */
export function nearestMoment(drives, point, reach) {
  let best = null;
  let least = reach * reach;
  drives.forEach(({ times, x, y }, drive) => {
    for (let row = 1; row < x.length; row++) {
      const alongX = x[row] - x[row - 1];
      const alongY = y[row] - y[row - 1];
      const offX = point.x - x[row - 1];
      const offY = point.y - y[row - 1];
      const square = alongX * alongX + alongY * alongY;
      const fraction = square ? clamp((offX * alongX + offY * alongY) / square, 0, 1) : 0;
      const distance = (offX - fraction * alongX) ** 2 + (offY - fraction * alongY) ** 2;
      if (distance < least) {
        least = distance;
        best = { drive, time: times[row - 1] + fraction * (times[row] - times[row - 1]) };
      }
    }
  });
  return best;
}

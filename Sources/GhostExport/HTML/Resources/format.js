/** Numbers as text for people. Pure functions. */

import { gapAt } from "./race.js";

/** Returns seconds as `h:mm:ss` or `m:ss`. */
export function clockText(seconds) {
  const whole = Math.round(Math.abs(seconds));
  const twoDigits = (value) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const sign = seconds < 0 && whole > 0 ? "−" : "";
  return `${sign}${hours ? `${hours}:${twoDigits(minutes)}` : minutes}:${twoDigits(whole % 60)}`;
}

/**
 * Returns a duration without its sign: `3.2 s` below ten seconds, else `1:05`; with two decimals `3.21 s` below a minute,
 * else `1:05.21`.
 */
export function durationText(seconds, decimals = 1) {
  const size = Math.abs(seconds);
  if (decimals !== 2) return size < 9.95 ? `${size.toFixed(1)} s` : clockText(size);
  const hundredths = Math.round(size * 100);
  if (hundredths < 6000) return `${(hundredths / 100).toFixed(2)} s`;
  return `${clockText(Math.floor(hundredths / 100))}.${String(hundredths % 100).padStart(2, "0")}`;
}

/** The units of distances: their lengths and symbols, and the shortest distance in the long one; in metres. */
const systems = {
  metric: { long: 1000, short: 1, symbols: ["km", "m"], shortest: 999.5 },
  imperial: { long: 1609.344, short: 0.3048, symbols: ["mi", "ft"], shortest: 160.9344 },
};

/** Returns a distance: `420 m`, `5.1 km`, `104 km`; `420 ft`, `5.1 mi` in imperial units. */
export function distanceText(metres, units = "metric") {
  const { long, short, symbols, shortest } = systems[units];
  if (metres < shortest) return `${(metres / short).toFixed(0)} ${symbols[1]}`;
  const length = metres / long;
  return `${length.toFixed(length < 99.95 ? 1 : 0)} ${symbols[0]}`;
}

/** Returns the longest distance of at most `metres` that is 1, 2 or 5 times a power of ten of its unit. */
export function roundDistance(metres, units = "metric") {
  const { long, short, symbols } = systems[units];
  const [unit, symbol] = metres >= long ? [long, symbols[0]] : [short, symbols[1]];
  const power = 10 ** Math.floor(Math.log10(metres / unit));
  const count = [5, 2, 1].map((factor) => factor * power).find((value) => value * unit <= metres);
  return { metres: count * unit, text: `${count} ${symbol}` };
}

/** Returns who is ahead at a place along the road: `At 1.2 km: Tuesday ahead by 4.0 s`. */
export function standingText(race, place) {
  const losses = [{ drive: race.measure, behind: 0 }];
  for (const pair of race.pairs) {
    const gap = gapAt(pair, place);
    if (gap !== null) losses.push({ drive: pair.second, behind: gap });
  }
  const where = `At ${distanceText(place, race.units)}: `;
  const duration = (seconds) => durationText(seconds, race.timeDecimals);
  // The smallest difference that is not formatted as 0.
  const smallest = race.timeDecimals === 2 ? 0.005 : 0.05;
  if (losses.length < 2) return `${where}on different roads`;
  losses.sort((one, other) => one.behind - other.behind);
  const [leader, next] = losses;
  const name = ({ drive }) => race.drives[drive].name;
  if (losses.length === 2) {
    const lead = next.behind - leader.behind;
    return where + (lead < smallest ? "level" : `${name(leader)} ahead by ${duration(lead)}`);
  }
  const others = losses.slice(1).map((loss) => `${name(loss)} +${duration(loss.behind - leader.behind)}`);
  return where + [name(leader), ...others].join(", ");
}

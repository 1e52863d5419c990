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

/** Returns a duration without its sign: `3.2 s` below ten seconds, else `1:05`. */
export function durationText(seconds) {
  const size = Math.abs(seconds);
  return size < 9.95 ? `${size.toFixed(1)} s` : clockText(size);
}

/** Returns a distance: `420 m`, `5.1 km`, `104 km`. */
export function distanceText(metres) {
  if (metres < 999.5) return `${metres.toFixed(0)} m`;
  return `${(metres / 1000).toFixed(metres < 99950 ? 1 : 0)} km`;
}

/** Returns who is ahead at a place along the road: `At 1.2 km: Tuesday ahead by 4.0 s`. */
export function standingText(race, place) {
  const losses = [{ drive: race.measure, behind: 0 }];
  for (const pair of race.pairs) {
    const gap = gapAt(pair, place);
    if (gap !== null) losses.push({ drive: pair.second, behind: gap });
  }
  const where = `At ${distanceText(place)}: `;
  if (losses.length < 2) return `${where}on different roads`;
  losses.sort((one, other) => one.behind - other.behind);
  const [leader, next] = losses;
  const name = ({ drive }) => race.drives[drive].name;
  if (losses.length === 2) {
    const lead = next.behind - leader.behind;
    return where + (lead < 0.05 ? "level" : `${name(leader)} ahead by ${durationText(lead)}`);
  }
  const others = losses.slice(1).map((loss) => `${name(loss)} +${durationText(loss.behind - leader.behind)}`);
  return where + [name(leader), ...others].join(", ");
}

/** The state that the parts of the page share, and the events when it changes. */

import { clamp, decodeRace, placeAt } from "./race.js";

/** Returns the element with an identifier. */
export const element = (id) => document.getElementById(id);

/** Returns a new SVG element. */
export const svgElement = (name) => document.createElementNS("http://www.w3.org/2000/svg", name);

/** The data of the page. */
export const race = decodeRace(JSON.parse(element("race").textContent));

/** The first pair, whose gap the plot and the player follow; undefined if the drives share no road. */
export const duel = race.pairs[0];

/** The range of the shared clock, in seconds. */
export const [startTime, endTime] = race.clock;

/** The time on the shared clock, and the place along the road that the pointer inspects (null: none). */
export const state = { time: startTime, inspected: null };

const events = new EventTarget();

/** Calls a function after each event: `time`, `inspected` or `view`. */
export const on = (name, action) => events.addEventListener(name, action);

/** Announces an event. */
export const announce = (name) => events.dispatchEvent(new Event(name));

/** Sets the time on the shared clock. */
export function seek(time) {
  state.time = clamp(time, startTime, endTime);
  announce("time");
}

/** Shows a place along the road on plot and map; null returns to the race. */
export function inspect(place) {
  if (place === state.inspected) return;
  state.inspected = place;
  announce("inspected");
}

/** Returns the place that both drives of the first pair have passed, where their gap is known, or null. */
export function racePlace() {
  if (!duel) return null;
  const first = placeAt(duel, state.time);
  const second = placeAt(duel, state.time, true);
  return first === null || second === null ? null : Math.min(first, second);
}

/** Whether a key is pressed together with a modifier, which makes it the browser's. */
export const hasModifier = (event) => event.ctrlKey || event.metaKey || event.altKey;

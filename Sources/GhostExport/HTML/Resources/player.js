/** The player: play, pause, speed, time, and the keys for them. */

import { clockText, standingText } from "./format.js";
import { clamp } from "./race.js";
import { element, endTime, hasModifier, on, race, racePlace, seek, startTime, state } from "./state.js";

const playButton = element("play");
const scrub = element("scrub");
const speedList = element("speed");
const live = element("live");
const speeds = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600];

let isPlaying = false;
let frame = 0;

/** Shows the current time on the slider and the clock, and the gap below them. */
function showTime() {
  const text = clockText(state.time - race.origin);
  scrub.value = state.time;
  scrub.setAttribute("aria-valuetext", text);
  const share = (state.time - startTime) / Math.max(1e-9, endTime - startTime);
  scrub.style.setProperty("--done", `${share * 100}%`);
  element("clock").textContent = text;
  const place = racePlace();
  const gap = place === null ? "" : standingText(race, place);
  if (live.textContent !== gap) live.textContent = gap;
}

function setPlaying(value) {
  if (value && state.time >= endTime) seek(startTime);
  isPlaying = value;
  playButton.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  document.documentElement.classList.toggle("playing", isPlaying);
  cancelAnimationFrame(frame);
  if (!isPlaying) return;
  let before = performance.now();
  const step = (now) => {
    // A page that was in the background continues where it was.
    const passed = clamp((now - before) / 1000, 0, 0.25);
    before = now;
    seek(state.time + passed * Number(speedList.value));
    if (state.time >= endTime) setPlaying(false);
    else frame = requestAnimationFrame(step);
  };
  frame = requestAnimationFrame(step);
}

// A race of about forty seconds, however long the drives took.
const wantedSpeed = (endTime - startTime) / 40;
const initialSpeed = speeds.reduce((best, speed) =>
  Math.abs(speed - wantedSpeed) < Math.abs(best - wantedSpeed) ? speed : best,
);
for (const speed of speeds) speedList.add(new Option(`${speed}×`, speed, false, speed === initialSpeed));

scrub.min = startTime;
scrub.max = Math.max(endTime, startTime + 0.1);
scrub.addEventListener("input", () => seek(Number(scrub.value)));
scrub.addEventListener("keydown", (event) => {
  if (hasModifier(event)) return;
  const step = Math.max(1, (endTime - startTime) / 100);
  const target = {
    ArrowLeft: state.time - step,
    ArrowDown: state.time - step,
    ArrowRight: state.time + step,
    ArrowUp: state.time + step,
    PageDown: state.time - 10 * step,
    PageUp: state.time + 10 * step,
    Home: startTime,
    End: endTime,
  }[event.key];
  if (target === undefined) return;
  event.preventDefault();
  seek(target);
});

playButton.addEventListener("click", () => setPlaying(!isPlaying));
addEventListener("keydown", (event) => {
  if (hasModifier(event)) return;
  // On a control the space bar activates it; elsewhere it plays.
  if (event.key === " " && !event.target.closest("button, select, summary, a")) {
    event.preventDefault();
    if (!event.repeat) setPlaying(!isPlaying);
  }
  if (event.key === ",") seek(state.time - 5);
  if (event.key === ".") seek(state.time + 5);
});

on("time", showTime);

/** The cursor on the plot of the gap, by pointer and by keys. */

import { standingText } from "./format.js";
import { clamp, placeAt, timeAt } from "./race.js";
import { duel, element, hasModifier, inspect, on, race, racePlace, seek, startTime, state } from "./state.js";

const field = element("gap-field");
const cursor = element("gap-cursor");
/** The cursors of the channel plots, which have the same x axis. */
const channelCursors = document.querySelectorAll(".channels .cursor");
const readingText = element("gap-reading");
const finalReading = [...(readingText?.childNodes ?? [])];

/** Shows the cursor at a place along the road, or the final reading if it is null. */
function showCursor(place) {
  for (const one of [cursor, ...channelCursors]) one.hidden = place === null;
  if (place === null) {
    readingText.replaceChildren(...finalReading);
    return;
  }
  const { from, to } = race.plot;
  const left = `${clamp((place - from) / (to - from), 0, 1) * 100}%`;
  for (const one of [cursor, ...channelCursors]) one.style.left = left;
  const text = standingText(race, place);
  if (readingText.textContent !== text) readingText.textContent = text;
  field.setAttribute("aria-valuenow", Math.round(place));
  field.setAttribute("aria-valuetext", text);
}

/** Shows the inspected place, or else that of the race once it has begun. */
function showPlace() {
  const place = state.inspected ?? (state.time > startTime ? racePlace() : null);
  // At 0 a drive still waits at the start.
  showCursor(place === null ? null : Math.max(place, 0.1));
}

/** Makes the plot a slider along the road. */
function enableSlider() {
  const { from, to } = race.plot;
  const attributes = {
    role: "slider",
    tabindex: 0,
    "aria-label": "Place along the road",
    "aria-orientation": "horizontal",
    "aria-valuemin": Math.round(from),
    "aria-valuemax": Math.round(to),
    "aria-valuenow": Math.round(from),
    "aria-valuetext": standingText(race, from),
  };
  for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);

  const placeOf = (event) => {
    const { left, width } = field.getBoundingClientRect();
    return from + clamp((event.clientX - left) / width, 0, 1) * (to - from);
  };
  const jumpTo = (place) => {
    seek(timeAt(duel, place));
    inspect(place);
  };
  let isDragging = false;

  field.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    isDragging = true;
    field.setPointerCapture(event.pointerId);
    jumpTo(placeOf(event));
  });
  field.addEventListener("pointermove", (event) => {
    if (isDragging) jumpTo(placeOf(event));
    else if (event.pointerType === "mouse") inspect(placeOf(event));
  });
  for (const name of ["pointerup", "pointercancel"]) {
    field.addEventListener(name, () => {
      isDragging = false;
    });
  }
  field.addEventListener("pointerleave", () => {
    if (!isDragging) inspect(null);
  });
  field.addEventListener("blur", () => inspect(null));
  field.addEventListener("keydown", (event) => {
    if (hasModifier(event)) return;
    const now = state.inspected ?? placeAt(duel, state.time) ?? from;
    const step = (to - from) / 100;
    const target = {
      ArrowLeft: now - step,
      ArrowDown: now - step,
      ArrowRight: now + step,
      ArrowUp: now + step,
      PageDown: now - 10 * step,
      PageUp: now + 10 * step,
      Home: from,
      End: to,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    jumpTo(clamp(target, from, to));
  });
}

if (field && race.plot) {
  if (duel) enableSlider();
  on("time", showPlace);
  on("inspected", showPlace);
}

/** Wheel, drag, pinch, buttons and keys on the map. */

import { stopFollowing } from "./ghosts.js";
import { fit, inWorld, map, pan, picture, view, zoom } from "./map.js";
import { nearestMoment, placeAt } from "./race.js";
import { duel, element, hasModifier, inspect, race, seek } from "./state.js";

/** Pixels that a pointer may move in a click. */
const clickTolerance = 4;

const pointers = new Map();
let dragged = 0;
let lastScroll = -Infinity;

/** Returns the pixel of the map at a pointer. */
function pixelOf(event) {
  const { left, top } = picture.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

/** Inspects the place along the road nearest to a pixel. Returns the drive and the time there, or null. */
function inspectMap(pixel) {
  const moment = nearestMoment(race.drives, inWorld(pixel), 22 / view.scale);
  map.classList.toggle("hit", Boolean(moment));
  const isMeasure = moment?.drive === race.measure;
  const pair = isMeasure ? duel : race.pairs.find(({ second }) => second === moment?.drive);
  inspect(pair ? placeAt(pair, moment.time, !isMeasure) : null);
  return moment;
}

/** Moves the map with one pointer, or zooms it with two. */
function drag(event, now, before) {
  const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
  pointers.set(event.pointerId, now);
  dragged += Math.hypot(now.x - before.x, now.y - before.y);
  if (dragged > clickTolerance) {
    stopFollowing();
    map.classList.add("dragged");
  }
  if (other) {
    const spread = ({ x, y }) => Math.max(10, Math.hypot(x - other.x, y - other.y));
    zoom(spread(now) / spread(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    pan((now.x - before.x) / 2, (now.y - before.y) / 2);
  } else if (dragged > clickTolerance) {
    pan(now.x - before.x, now.y - before.y);
  }
}

// While the page scrolls, the map that comes below the pointer does not zoom.
addEventListener("scroll", () => (lastScroll = performance.now()), { passive: true });
map.addEventListener(
  "wheel",
  (event) => {
    if (performance.now() - lastScroll < 250) return;
    event.preventDefault();
    const pixels = [1, 16, 200][event.deltaMode] ?? 1;
    stopFollowing();
    zoom(Math.exp(-event.deltaY * pixels * (event.ctrlKey ? 0.01 : 0.0018)), pixelOf(event));
  },
  { passive: false },
);

picture.addEventListener("pointerdown", (event) => {
  if (event.button) return;
  pointers.set(event.pointerId, pixelOf(event));
  picture.setPointerCapture(event.pointerId);
  dragged = 0;
});
picture.addEventListener("pointermove", (event) => {
  const before = pointers.get(event.pointerId);
  if (before) drag(event, pixelOf(event), before);
  else if (event.pointerType === "mouse") inspectMap(pixelOf(event));
});
for (const name of ["pointerup", "pointercancel"]) {
  picture.addEventListener(name, (event) => {
    if (!pointers.delete(event.pointerId)) return;
    map.classList.remove("dragged");
    if (name === "pointercancel" || dragged > clickTolerance || pointers.size) return;
    const moment = inspectMap(pixelOf(event));
    if (moment) seek(moment.time);
  });
}
picture.addEventListener("pointerleave", () => {
  if (!pointers.size) inspect(null);
});

picture.addEventListener("keydown", (event) => {
  if (hasModifier(event)) return;
  const action = {
    ArrowLeft: () => pan(60, 0),
    ArrowRight: () => pan(-60, 0),
    ArrowUp: () => pan(0, 60),
    ArrowDown: () => pan(0, -60),
    "+": () => zoom(1.5),
    "=": () => zoom(1.5),
    "-": () => zoom(1 / 1.5),
    0: fit,
  }[event.key];
  if (!action) return;
  event.preventDefault();
  stopFollowing();
  action();
});

const buttonActions = { "zoom-in": () => zoom(1.6), "zoom-out": () => zoom(1 / 1.6), fit };
for (const [id, action] of Object.entries(buttonActions)) {
  element(id).addEventListener("click", () => {
    stopFollowing();
    action();
  });
}

/** The part of the world that the map shows, and everything that moves with it. */

import { roundDistance } from "./format.js";
import { boundsOf, clamp } from "./race.js";
import { announce, element, on, race } from "./state.js";

export const map = element("map");
export const picture = element("map-picture");

/** The transform from the projection's units to pixels, the size in pixels, and the scale that shows everything. */
export const view = { scale: 1, x: 0, y: 0, width: 1, height: 1, fitted: 1, isReady: false, clearedScale: 0 };

const everything = boundsOf(race.drives);

/** Returns the point of the projection at a pixel of the map. */
export const inWorld = ({ x, y }) => ({ x: (x - view.x) / view.scale, y: (y - view.y) / view.scale });

/** Moves an element of the picture to a point of the projection. */
export function moveTo(node, { x, y }) {
  node.setAttribute("transform", `translate(${x * view.scale + view.x} ${y * view.scale + view.y})`);
}

/** Redraws the map after `view` has changed. */
function showView() {
  element("world").setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
  for (const mark of marks) moveTo(mark.node, mark);
  if (view.clearedScale !== view.scale) hideCrowdedStops();
  showScale();
  announce("view");
}

// Marks

const marks = [...element("marks").children].map((node) => ({
  node,
  x: Number(node.dataset.x),
  y: Number(node.dataset.y),
  isStop: Boolean(node.querySelector(".stop")),
}));

/** Hides stops that overlap a longer one. The longest come first. */
function hideCrowdedStops() {
  const size = 13;
  const shown = new Map();
  for (const mark of marks) {
    if (!mark.isStop) continue;
    const x = (mark.x * view.scale) / size;
    const y = (mark.y * view.scale) / size;
    const column = Math.floor(x);
    const row = Math.floor(y);
    let isCrowded = false;
    for (let cell = 0; cell < 9 && !isCrowded; cell++) {
      const others = shown.get(`${column + (cell % 3) - 1}/${row + Math.floor(cell / 3) - 1}`) ?? [];
      isCrowded = others.some((other) => Math.abs(other.x - x) < 1 && Math.abs(other.y - y) < 1);
    }
    mark.node.classList.toggle("crowded", isCrowded);
    if (isCrowded) continue;
    const key = `${column}/${row}`;
    shown.set(key, [...(shown.get(key) ?? []), { x, y }]);
  }
  view.clearedScale = view.scale;
}

// Moving

const largestScale = () => Math.max(view.fitted, 4);

function scaleFor({ left, right, top, bottom }) {
  const margin = Math.min(56, view.width / 9);
  return Math.min(
    (view.width - 2 * margin) / Math.max(right - left, 80),
    (view.height - 2 * margin) / Math.max(bottom - top, 80),
  );
}

/** Shows bounds in the middle of the map. */
export function showBounds(bounds) {
  view.scale = Math.min(scaleFor(bounds), largestScale());
  center({ x: (bounds.left + bounds.right) / 2, y: (bounds.top + bounds.bottom) / 2 });
}

/** Shows all drives. */
export const fit = () => showBounds(everything);

/** Shows a point of the projection in the middle of the map. */
export function center({ x, y }) {
  view.x = view.width / 2 - x * view.scale;
  view.y = view.height / 2 - y * view.scale;
  showView();
}

/** Zooms by a factor around a pixel of the map, its middle by default. */
export function zoom(factor, point = { x: view.width / 2, y: view.height / 2 }) {
  const scale = clamp(view.scale * factor, view.fitted / 2, largestScale());
  view.x = point.x - ((point.x - view.x) * scale) / view.scale;
  view.y = point.y - ((point.y - view.y) * scale) / view.scale;
  view.scale = scale;
  showView();
}

/** Moves the map by pixels, as far as some of the drives stay in sight. */
export function pan(x, y) {
  const limited = (offset, low, high, size) => clamp(offset, 40 - high * view.scale, size - 40 - low * view.scale);
  view.x = limited(view.x + x, everything.left, everything.right, view.width);
  view.y = limited(view.y + y, everything.top, everything.bottom, view.height);
  showView();
}

/** Adapts to the size of the element: keeps the middle, or shows everything if it did. */
export function resize() {
  const { width, height } = picture.getBoundingClientRect();
  if (!width || !height) return;
  const isFitted = !view.isReady || Math.abs(view.scale - view.fitted) < 1e-9;
  const middle = inWorld({ x: view.width / 2, y: view.height / 2 });
  Object.assign(view, { width, height, isReady: true });
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  view.fitted = scaleFor(everything);
  if (isFitted) fit();
  else center(middle);
}

/** Draws the scale bar. */
function showScale() {
  const metresPerPixel = race.map.metres / view.scale;
  const { metres, text } = roundDistance(metresPerPixel * Math.min(120, view.width / 4), race.units);
  const [bar] = element("mapscale").children;
  bar.style.width = `${metres / metresPerPixel}px`;
  bar.nextSibling.textContent = text;
}

// Detail

// The lines in the page are as detailed as the first view needs. Zoomed in, the visible part of the race's lines
// replaces them.
const routes = [...picture.querySelectorAll(".routes .route")].map((node, index) => ({
  nodes: [node, picture.querySelectorAll(".casing .route")[index]],
  drive: race.drives[Number(node.dataset.drive)],
  coarse: node.getAttribute("d"),
  isFine: false,
}));
let detailTimer = 0;

function showDetail() {
  const margin = Math.max(view.width, view.height) / 2;
  const low = inWorld({ x: -margin, y: -margin });
  const high = inWorld({ x: view.width + margin, y: view.height + margin });
  const isFine = view.scale > view.fitted * 2;
  for (const route of routes) {
    if (!isFine && !route.isFine) continue;
    const path = isFine ? visiblePath(route.drive, low, high) : route.coarse;
    for (const node of route.nodes) node.setAttribute("d", path);
    route.isFine = isFine;
  }
}

/** Returns the path of a drive within a rectangle, without its interruptions. */
function visiblePath({ x, y, breaks }, low, high) {
  const interruptions = new Set(breaks);
  let path = "";
  let isOpen = false;
  for (let row = 1; row < x.length; row++) {
    const isHidden =
      interruptions.has(row) ||
      Math.max(x[row - 1], x[row]) < low.x ||
      Math.min(x[row - 1], x[row]) > high.x ||
      Math.max(y[row - 1], y[row]) < low.y ||
      Math.min(y[row - 1], y[row]) > high.y;
    if (!isHidden) path += `${isOpen ? "" : `M${x[row - 1]} ${y[row - 1]}L`} ${x[row]} ${y[row]}`;
    isOpen = !isHidden;
  }
  return path;
}

on("view", () => {
  clearTimeout(detailTimer);
  detailTimer = setTimeout(showDetail, 80);
});

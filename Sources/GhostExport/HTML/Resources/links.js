/** Links between map, plot and table: pointing at one shows the same place in the others. */

import { stopFollowing } from "./ghosts.js";
import { map, moveTo, picture, showBounds } from "./map.js";
import { boundsOf, positionAt, timeAt } from "./race.js";
import { duel, element, on, race, seek, state, svgElement } from "./state.js";

/** Marks the inspected place on the map. */
function showSpot() {
  const isShown = state.inspected !== null && Boolean(duel);
  element("spot").toggleAttribute("hidden", !isShown);
  if (isShown) moveTo(element("spot"), positionAt(race.drives[race.measure], timeAt(duel, state.inspected)));
}

/** Returns the line of a drive from one time to another. */
function lineBetween(drive, from, to) {
  const times = [from, ...drive.times.filter((time) => time > from && time < to), to];
  const positions = times.map((time) => positionAt(drive, time));
  return { x: positions.map(({ x }) => x), y: positions.map(({ y }) => y) };
}

/** Shows a leg of the table on the map, on the line of each drive. */
function showLeg(ways) {
  const lines = ways.map(([drive, from, to]) => lineBetween(race.drives[drive], from, to));
  const path = svgElement("path");
  path.setAttribute("d", lines.map(({ x, y }) => `M${x.map((value, row) => `${value} ${y[row]}`).join("L")}`).join(""));
  element("leg").replaceChildren(path);
  stopFollowing();
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  map.scrollIntoView({ block: "center", behavior: isCalm ? "auto" : "smooth" });
  showBounds(boundsOf(lines));
  seek(ways[0][1]);
}

for (const button of document.querySelectorAll("button.leg")) {
  button.addEventListener("click", () => showLeg(JSON.parse(button.dataset.ways)));
}

const viewButtons = [...document.querySelectorAll("button[data-view]")];
for (const button of viewButtons) {
  button.addEventListener("click", () => {
    picture.dataset.view = button.dataset.view;
    for (const other of viewButtons) other.setAttribute("aria-pressed", String(other === button));
  });
}

on("view", showSpot);
on("inspected", showSpot);

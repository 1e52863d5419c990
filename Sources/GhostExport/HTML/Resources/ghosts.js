/** The ghosts: where each drive is at the current time, with a tail of where it came from. */

import { center, moveTo, picture, view, zoom } from "./map.js";
import { clamp, positionAt, rowBefore } from "./race.js";
import { element, endTime, on, race, startTime, state, svgElement } from "./state.js";

const tailSeconds = clamp((endTime - startTime) / 30, 10, 90);
const followButton = element("follow");

const ghosts = [...picture.querySelectorAll(".ghost")].map((node) => {
  const index = Number(node.dataset.drive);
  const tail = svgElement("path");
  tail.setAttribute("class", `tail c${index}`);
  element("tails").append(tail);
  return { node, tail, drive: race.drives[index], position: { x: 0, y: 0 } };
});

/** Moves the ghosts to the current time, and the map with them if it follows. */
function showGhosts() {
  for (const ghost of ghosts) ghost.position = positionAt(ghost.drive, state.time);
  if (isFollowing()) {
    const sum = (axis) => ghosts.reduce((total, { position }) => total + position[axis], 0);
    center({ x: sum("x") / ghosts.length, y: sum("y") / ghosts.length });
  } else {
    placeGhosts();
  }
  for (const { drive, tail, position } of ghosts) tail.setAttribute("d", tailPath(drive, position));
}

function placeGhosts() {
  for (const { node, position } of ghosts) moveTo(node, position);
}

/** Returns the path from a position back to where the drive was `tailSeconds` ago. */
function tailPath(drive, position) {
  const { times, x, y } = drive;
  const since = state.time - tailSeconds;
  let path = `M${position.x} ${position.y}L`;
  for (let row = rowBefore(times, state.time); row >= 0 && times[row] > since; row--) {
    path += ` ${x[row]} ${y[row]}`;
  }
  const end = positionAt(drive, since);
  return `${path} ${end.x} ${end.y}`;
}

// Following

const isFollowing = () => followButton.getAttribute("aria-pressed") === "true";

/** Lets the map stay where it is. */
export const stopFollowing = () => followButton.setAttribute("aria-pressed", "false");

followButton.addEventListener("click", () => {
  followButton.setAttribute("aria-pressed", String(!isFollowing()));
  if (isFollowing() && view.scale < view.fitted * 3) zoom((view.fitted * 3) / view.scale);
  showGhosts();
});

on("view", placeGhosts);
on("time", showGhosts);

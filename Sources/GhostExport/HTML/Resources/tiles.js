/** The tiles of a basemap below the map, if the report has one. */

import { view } from "./map.js";
import { clamp } from "./race.js";
import { element, on, race, svgElement } from "./state.js";

const shownTiles = new Map();

/** Returns a new tile: an image with the address of its zoom level, column and row. */
function addTile(level, column, row) {
  const count = 2 ** level;
  const names = { z: level, x: ((column % count) + count) % count, y: row };
  const tile = svgElement("image");
  tile.setAttribute("href", race.tiles.replace(/\{([zxy])\}/g, (_, name) => names[name]));
  element("tiles").append(tile);
  return tile;
}

/** Shows the tiles in sight, of the zoom level that fits best, and removes the others. */
function showTiles() {
  const size = race.map.world * view.scale;
  const level = clamp(Math.round(Math.log2(size / 256)), 0, 19);
  const count = 2 ** level;
  const side = size / count;
  // The north-west corner of the world, in pixels of the map.
  const left = view.x - (race.map.x / 1e9) * size;
  const top = view.y - (race.map.y / 1e9) * size;
  const visible = new Set();
  for (let row = Math.max(0, Math.floor(-top / side)); row < count && row * side + top < view.height; row++) {
    for (let column = Math.floor(-left / side); column * side + left < view.width; column++) {
      const key = `${level}/${column}/${row}`;
      visible.add(key);
      const tile = shownTiles.get(key) ?? addTile(level, column, row);
      shownTiles.set(key, tile);
      tile.setAttribute("x", column * side + left);
      tile.setAttribute("y", row * side + top);
      // A little larger, so that no seams show.
      tile.setAttribute("width", side + 0.3);
      tile.setAttribute("height", side + 0.3);
    }
  }
  for (const [key, tile] of shownTiles) {
    if (visible.has(key)) continue;
    tile.remove();
    shownTiles.delete(key);
  }
}

if (race.tiles) {
  element("tiles").textContent = "";
  on("view", showTiles);
}

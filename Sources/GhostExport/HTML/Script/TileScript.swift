/// Keeps the tiles of a basemap under the map, where the report was made with one.
enum TileScript {
  static let text = #"""
    if (race.tiles) {
      const layer = element("tiles");
      const shown = new Map();
      const centerX = race.map.x / 1e9, centerY = race.map.y / 1e9;
      layer.textContent = "";
      watchers.push(() => {
        const size = race.map.world * view.scale;
        const level = Math.max(0, Math.min(19, Math.round(Math.log2(size / 256))));
        const count = 2 ** level, side = size / count;
        // The north-west corner of the world on the screen.
        const left = view.x - centerX * size, top = view.y - centerY * size;
        const wanted = new Set();
        for (let row = Math.max(0, Math.floor(-top / side)); row < count && row * side + top < view.height; row++) {
          for (let column = Math.floor(-left / side); column * side + left < view.width; column++) {
            const key = level + "/" + column + "/" + row;
            wanted.add(key);
            let tile = shown.get(key);
            if (!tile) {
              tile = document.createElementNS("http://www.w3.org/2000/svg", "image");
              const names = { z: level, x: ((column % count) + count) % count, y: row };
              tile.setAttribute("href", race.tiles.replace(/\{([zxy])\}/g, (_, name) => names[name]));
              layer.append(tile);
              shown.set(key, tile);
            }
            tile.setAttribute("x", column * side + left);
            tile.setAttribute("y", row * side + top);
            tile.setAttribute("width", side + 0.3);
            tile.setAttribute("height", side + 0.3);
          }
        }
        for (const [key, tile] of shown) if (!wanted.has(key)) { tile.remove(); shown.delete(key); }
      });
    }

    """#
}

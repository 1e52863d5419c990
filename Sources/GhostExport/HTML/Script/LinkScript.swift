/// Links map, plot and table: what is pointed at in one is shown in the others. Starts everything.
enum LinkScript {
  static let text = #"""
    const spotMark = element("spot");

    // Shows a place along the road on plot and map; null goes back to the race.
    function inspect(spot) {
      if (spot === state.inspected) return;
      state.inspected = spot;
      spotMark.toggleAttribute("hidden", spot === null || !duel);
      if (spot === null) { showRace(); return; }
      showCursor(Math.max(spot, 0.1));
      placeSpot();
    }
    function placeSpot() {
      if (state.inspected !== null && duel) {
        place(spotMark, positionAt(drives[race.measure], timeAt(duel, state.inspected)));
      }
    }
    watchers.push(placeSpot);

    // The drive and the time nearest to a place on the map, and the place along the road that belongs to it.
    function inspectMap(screen) {
      const point = inWorld(screen), reach = 22 / view.scale;
      let best = null, least = reach * reach;
      drives.forEach(({ times, x, y }, index) => {
        for (let row = 1; row < x.length; row++) {
          const alongX = x[row] - x[row - 1], alongY = y[row] - y[row - 1];
          const offX = point.x - x[row - 1], offY = point.y - y[row - 1];
          const square = alongX * alongX + alongY * alongY;
          const fraction = square ? Math.max(0, Math.min(1, (offX * alongX + offY * alongY) / square)) : 0;
          const distance = (offX - fraction * alongX) ** 2 + (offY - fraction * alongY) ** 2;
          if (distance < least) {
            least = distance;
            best = { drive: index, time: times[row - 1] + fraction * (times[row] - times[row - 1]) };
          }
        }
      });
      map.classList.toggle("hit", Boolean(best));
      if (!best) { inspect(null); return null; }
      const pair = best.drive === race.measure ? duel : pairs.find(({ second }) => second === best.drive);
      const spot = pair && placeAt(pair, best.time, best.drive !== race.measure);
      inspect(spot ? spot.place : null);
      return best;
    }

    for (const button of document.querySelectorAll("button[data-view]")) {
      button.addEventListener("click", () => {
        picture.dataset.view = button.dataset.view;
        for (const other of document.querySelectorAll("button[data-view]")) {
          other.setAttribute("aria-pressed", other === button);
        }
      });
    }

    // A leg of the table is shown on the map, on the way of every drive.
    for (const button of document.querySelectorAll("button.leg")) {
      button.addEventListener("click", () => {
        const ways = JSON.parse(button.dataset.ways).map(([drive, from, to]) => {
          const columns = { x: [], y: [] };
          for (const time of [from, ...drives[drive].times.filter((value) => value > from && value < to), to]) {
            const { x, y } = positionAt(drives[drive], time);
            columns.x.push(x); columns.y.push(y);
          }
          return columns;
        });
        const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
        path.setAttribute("d", ways.map(({ x, y }) => "M" + x.map((value, row) => value + " " + y[row]).join("L")).join(""));
        element("leg").replaceChildren(path);
        stopFollowing();
        const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        map.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
        showBounds(boundsOf(ways));
        seek(JSON.parse(button.dataset.ways)[0][1]);
      });
    }

    picture.setAttribute("tabindex", "0");
    picture.setAttribute("role", "application");
    picture.setAttribute("aria-roledescription", "map");
    new ResizeObserver(resize).observe(map);
    resize();
    seek(startTime);

    """#
}

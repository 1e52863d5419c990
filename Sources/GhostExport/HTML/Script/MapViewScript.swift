/// What part of the world the map shows, and everything that has to move with it.
enum MapViewScript {
  static let text = #"""
    const map = element("map"), picture = element("map-picture"), world = element("world");
    const marks = [...element("marks").children].map((node) => ({
      node, x: Number(node.dataset.x), y: Number(node.dataset.y), isStop: Boolean(node.querySelector(".stop")),
    }));
    const view = { scale: 1, x: 0, y: 0, width: 1, height: 1, fitted: 1 };
    const watchers = [];

    const onScreen = (point) => ({ x: point.x * view.scale + view.x, y: point.y * view.scale + view.y });
    const inWorld = (point) => ({ x: (point.x - view.x) / view.scale, y: (point.y - view.y) / view.scale });
    const place = (node, point) => {
      const { x, y } = onScreen(point);
      node.setAttribute("transform", `translate(${x} ${y})`);
    };

    function showView() {
      world.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
      for (const mark of marks) place(mark.node, mark);
      if (view.cleared !== view.scale) clearMarks();
      showScale();
      for (const watcher of watchers) watcher();
    }

    // Of stops that would be a blot the longest is shown; they come with the longest first.
    function clearMarks() {
      const shown = new Map(), size = 13;
      for (const mark of marks) {
        if (!mark.isStop) continue;
        const x = mark.x * view.scale / size, y = mark.y * view.scale / size;
        const column = Math.floor(x), row = Math.floor(y);
        let isCrowded = false;
        for (let cell = 0; cell < 9 && !isCrowded; cell++) {
          const others = shown.get((column + cell % 3 - 1) + "/" + (row + Math.floor(cell / 3) - 1)) ?? [];
          isCrowded = others.some((other) => Math.abs(other.x - x) < 1 && Math.abs(other.y - y) < 1);
        }
        mark.node.classList.toggle("crowded", isCrowded);
        if (isCrowded) continue;
        const key = column + "/" + row;
        shown.set(key, [...(shown.get(key) ?? []), { x, y }]);
      }
      view.cleared = view.scale;
    }

    function boundsOf(columns) {
      const bounds = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
      for (const { x, y } of columns) {
        for (let row = 0; row < x.length; row++) {
          bounds.left = Math.min(bounds.left, x[row]); bounds.right = Math.max(bounds.right, x[row]);
          bounds.top = Math.min(bounds.top, y[row]); bounds.bottom = Math.max(bounds.bottom, y[row]);
        }
      }
      return bounds;
    }
    const everything = boundsOf(drives);

    function scaleFor(bounds) {
      const margin = Math.min(56, view.width / 9);
      return Math.min((view.width - 2 * margin) / Math.max(bounds.right - bounds.left, 80),
        (view.height - 2 * margin) / Math.max(bounds.bottom - bounds.top, 80));
    }
    function showBounds(bounds) {
      view.scale = Math.min(scaleFor(bounds), largestScale());
      view.x = view.width / 2 - (bounds.left + bounds.right) / 2 * view.scale;
      view.y = view.height / 2 - (bounds.top + bounds.bottom) / 2 * view.scale;
      showView();
    }
    const fit = () => showBounds(everything);
    const largestScale = () => Math.max(view.fitted, 4);

    function zoom(factor, point = { x: view.width / 2, y: view.height / 2 }) {
      const scale = Math.max(view.fitted / 2, Math.min(largestScale(), view.scale * factor));
      view.x = point.x - (point.x - view.x) * scale / view.scale;
      view.y = point.y - (point.y - view.y) * scale / view.scale;
      view.scale = scale;
      showView();
    }
    function pan(x, y) {
      // Some of the drives stays in sight, or one would be lost.
      const held = (offset, low, high, size) =>
        Math.max(40 - high * view.scale, Math.min(size - 40 - low * view.scale, offset));
      view.x = held(view.x + x, everything.left, everything.right, view.width);
      view.y = held(view.y + y, everything.top, everything.bottom, view.height);
      showView();
    }

    function showScale() {
      const metresPerPixel = race.map.metres / view.scale;
      const wanted = metresPerPixel * Math.min(120, view.width / 4);
      const power = 10 ** Math.floor(Math.log10(wanted));
      const metres = [5, 2, 1].map((factor) => factor * power).find((value) => value <= wanted);
      const [bar] = element("mapscale").children;
      bar.style.width = metres / metresPerPixel + "px";
      bar.nextSibling.textContent = metres >= 1000 ? metres / 1000 + " km" : metres + " m";
    }

    function resize() {
      const { width, height } = picture.getBoundingClientRect();
      if (!width || !height) return;
      const isFitted = !view.ready || Math.abs(view.scale - view.fitted) < 1e-9;
      const center = inWorld({ x: view.width / 2, y: view.height / 2 });
      view.width = width; view.height = height; view.ready = true;
      picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
      view.fitted = scaleFor(everything);
      if (isFitted) return fit();
      view.x = width / 2 - center.x * view.scale;
      view.y = height / 2 - center.y * view.scale;
      showView();
    }

    // The lines of the page are as exact as its first sight needs; nearer, those of the race take their place, as
    // far as they are in sight.
    const routes = [...picture.querySelectorAll(".routes .route")].map((node, index) => {
      const drive = Number(node.dataset.drive);
      const casing = picture.querySelectorAll(".casing .route")[index];
      return { nodes: [node, casing], drive: drives[drive], coarse: node.getAttribute("d"), isFine: false };
    });
    let detailTimer = 0;
    function showDetail() {
      const margin = Math.max(view.width, view.height) / 2;
      const low = inWorld({ x: -margin, y: -margin });
      const high = inWorld({ x: view.width + margin, y: view.height + margin });
      for (const route of routes) {
        const isFine = view.scale > view.fitted * 2;
        if (!isFine && !route.isFine) continue;
        const text = isFine ? visiblePath(route.drive, low, high) : route.coarse;
        for (const node of route.nodes) node.setAttribute("d", text);
        route.isFine = isFine;
      }
    }
    function visiblePath({ x, y, breaks }, low, high) {
      const holes = new Set(breaks);
      let text = "", isOpen = false;
      for (let row = 1; row < x.length; row++) {
        const isHidden = holes.has(row)
          || Math.max(x[row - 1], x[row]) < low.x || Math.min(x[row - 1], x[row]) > high.x
          || Math.max(y[row - 1], y[row]) < low.y || Math.min(y[row - 1], y[row]) > high.y;
        if (isHidden) { isOpen = false; continue; }
        if (!isOpen) text += "M" + x[row - 1] + " " + y[row - 1] + "L";
        text += " " + x[row] + " " + y[row];
        isOpen = true;
      }
      return text;
    }
    watchers.push(() => { clearTimeout(detailTimer); detailTimer = setTimeout(showDetail, 80); });

    """#
}

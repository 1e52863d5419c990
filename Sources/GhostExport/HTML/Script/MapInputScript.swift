/// Wheel, drag, pinch, buttons and keys on the map.
enum MapInputScript {
  static let text = #"""
    const pointers = new Map();
    let dragged = 0, scrolledAt = -Infinity;
    const local = (event) => {
      const { left, top } = picture.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };

    // A page that is being scrolled is not caught by the map that comes under the pointer.
    addEventListener("scroll", () => { scrolledAt = performance.now(); }, { passive: true });
    map.addEventListener("wheel", (event) => {
      if (performance.now() - scrolledAt < 250) return;
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 200 : 1;
      stopFollowing();
      zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0018)), local(event));
    }, { passive: false });

    picture.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      pointers.set(event.pointerId, local(event));
      picture.setPointerCapture(event.pointerId);
      dragged = 0;
    });
    picture.addEventListener("pointermove", (event) => {
      const now = local(event), before = pointers.get(event.pointerId);
      if (!before) { if (event.pointerType === "mouse") inspectMap(now); return; }
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, now);
      dragged += Math.hypot(now.x - before.x, now.y - before.y);
      if (dragged > 4) { stopFollowing(); map.classList.add("dragged"); }
      if (!other) { if (dragged > 4) pan(now.x - before.x, now.y - before.y); return; }
      const spread = (point) => Math.max(10, Math.hypot(point.x - other.x, point.y - other.y));
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      zoom(spread(now) / spread(before), middle);
      pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    });
    for (const name of ["pointerup", "pointercancel"]) {
      picture.addEventListener(name, (event) => {
        if (!pointers.delete(event.pointerId)) return;
        map.classList.remove("dragged");
        if (name === "pointerup" && dragged <= 4 && !pointers.size) {
          const found = inspectMap(local(event));
          if (found) seek(found.time);
        }
      });
    }
    picture.addEventListener("pointerleave", () => { if (!pointers.size) inspect(null); });

    picture.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const step = 60;
      const actions = {
        ArrowLeft: () => pan(step, 0), ArrowRight: () => pan(-step, 0),
        ArrowUp: () => pan(0, step), ArrowDown: () => pan(0, -step),
        "+": () => zoom(1.5), "=": () => zoom(1.5), "-": () => zoom(1 / 1.5), "0": fit,
      };
      const action = actions[event.key];
      if (!action) return;
      event.preventDefault();
      stopFollowing();
      action();
    });
    const press = (id, action) => element(id).addEventListener("click", action);
    press("zoom-in", () => { stopFollowing(); zoom(1.6); });
    press("zoom-out", () => { stopFollowing(); zoom(1 / 1.6); });
    press("fit", () => { stopFollowing(); fit(); });
    press("follow", () => {
      const isOn = element("follow").getAttribute("aria-pressed") !== "true";
      element("follow").setAttribute("aria-pressed", isOn);
      if (isOn && view.scale < view.fitted * 3) zoom(view.fitted * 3 / view.scale);
      showGhosts();
    });
    const stopFollowing = () => element("follow").setAttribute("aria-pressed", "false");
    const isFollowing = () => element("follow").getAttribute("aria-pressed") === "true";

    """#
}

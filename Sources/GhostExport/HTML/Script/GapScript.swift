/// The cursor on the plot of the gap, by pointer and by keys.
enum GapScript {
  static let text = #"""
    const field = element("gap-field"), cursor = element("gap-cursor"), readingText = element("gap-reading");
    const finalReading = readingText && [...readingText.childNodes];
    const duel = pairs[0];

    function showCursor(spot) {
      if (!field || !race.plot) return;
      cursor.hidden = !spot;
      if (!spot) { readingText.replaceChildren(...finalReading); return; }
      const { from, to } = race.plot;
      cursor.style.left = Math.max(0, Math.min(1, (spot - from) / (to - from))) * 100 + "%";
      const text = reading(spot);
      if (readingText.textContent !== text) readingText.textContent = text;
      field.setAttribute("aria-valuenow", Math.round(spot));
      field.setAttribute("aria-valuetext", text);
    }

    if (field && race.plot && duel) {
      const { from, to } = race.plot;
      const attributes = {
        role: "slider", tabindex: 0, "aria-label": "Place along the road", "aria-orientation": "horizontal",
        "aria-valuemin": Math.round(from), "aria-valuemax": Math.round(to), "aria-valuenow": Math.round(from),
        "aria-valuetext": reading(from),
      };
      for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
      const placeOf = (event) => {
        const { left, width } = field.getBoundingClientRect();
        return from + Math.max(0, Math.min(1, (event.clientX - left) / width)) * (to - from);
      };
      let isHeld = false;
      field.addEventListener("pointerdown", (event) => {
        if (event.button) return;
        isHeld = true;
        field.setPointerCapture(event.pointerId);
        seek(timeAt(duel, placeOf(event)));
        inspect(placeOf(event));
      });
      field.addEventListener("pointermove", (event) => {
        if (isHeld) seek(timeAt(duel, placeOf(event)));
        if (isHeld || event.pointerType === "mouse") inspect(placeOf(event));
      });
      for (const name of ["pointerup", "pointercancel"]) field.addEventListener(name, () => { isHeld = false; });
      field.addEventListener("pointerleave", () => { if (!isHeld) inspect(null); });
      field.addEventListener("blur", () => inspect(null));
      field.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const now = state.inspected ?? placeAt(duel, state.time)?.place ?? from;
        const step = (to - from) / 100;
        const target = {
          ArrowLeft: now - step, ArrowDown: now - step, ArrowRight: now + step, ArrowUp: now + step,
          PageDown: now - 10 * step, PageUp: now + 10 * step, Home: from, End: to,
        }[event.key];
        if (target === undefined) return;
        event.preventDefault();
        const held = Math.max(from, Math.min(to, target));
        seek(timeAt(duel, held));
        inspect(held);
      });
    }

    """#
}

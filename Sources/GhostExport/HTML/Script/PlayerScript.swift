/// The clock of the race: play, pause, speed, scrub, and the keys for them.
enum PlayerScript {
  static let text = #"""
    const [startTime, endTime] = race.clock;
    const state = { time: startTime, isPlaying: false, speed: 1, inspected: null, frame: 0 };
    const playButton = element("play"), scrub = element("scrub"), clock = element("clock"), live = element("live");

    scrub.min = startTime;
    scrub.max = Math.max(endTime, startTime + 0.1);
    // A race of about forty seconds, whatever the drives took.
    const speeds = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600];
    const wanted = (endTime - startTime) / 40;
    state.speed = speeds.reduce((best, speed) => Math.abs(speed - wanted) < Math.abs(best - wanted) ? speed : best);
    for (const speed of speeds) element("speed").add(new Option(speed + "×", speed, false, speed === state.speed));
    element("speed").addEventListener("change", (event) => { state.speed = Number(event.target.value); });

    function seek(time) {
      state.time = Math.max(startTime, Math.min(endTime, time));
      scrub.value = state.time;
      scrub.setAttribute("aria-valuetext", clockText(state.time - race.origin));
      scrub.style.setProperty("--done", (state.time - startTime) / Math.max(1e-9, endTime - startTime) * 100 + "%");
      clock.textContent = clockText(state.time - race.origin);
      showGhosts();
      showRace();
    }

    // Where the last of the two is, both have been: there the gap is known.
    function racePlace() {
      if (!duel) return null;
      const first = placeAt(duel, state.time, false), second = placeAt(duel, state.time, true);
      return first && second && (first.place < second.place ? first : second);
    }
    function showRace() {
      const spot = racePlace();
      const text = spot ? reading(spot.place) : "";
      if (live.textContent !== text) live.textContent = text;
      if (state.inspected === null) showCursor(state.time > startTime && spot ? Math.max(spot.place, 0.1) : null);
    }

    function setPlaying(isPlaying) {
      if (isPlaying && state.time >= endTime) seek(startTime);
      state.isPlaying = isPlaying;
      playButton.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
      document.documentElement.classList.toggle("playing", isPlaying);
      cancelAnimationFrame(state.frame);
      if (!isPlaying) return;
      let before = performance.now();
      const step = (now) => {
        // A page that was in the background goes on where it was.
        const passed = Math.max(0, Math.min(0.25, (now - before) / 1000));
        before = now;
        seek(state.time + passed * state.speed);
        if (state.time >= endTime) setPlaying(false); else state.frame = requestAnimationFrame(step);
      };
      state.frame = requestAnimationFrame(step);
    }

    playButton.addEventListener("click", () => setPlaying(!state.isPlaying));
    scrub.addEventListener("input", () => seek(Number(scrub.value)));
    const jump = Math.max(1, (endTime - startTime) / 100);
    scrub.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const target = {
        ArrowLeft: state.time - jump, ArrowDown: state.time - jump, ArrowRight: state.time + jump,
        ArrowUp: state.time + jump, PageDown: state.time - 10 * jump, PageUp: state.time + 10 * jump,
        Home: startTime, End: endTime,
      }[event.key];
      if (target === undefined) return;
      event.preventDefault();
      seek(target);
    });
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      // A space presses a button and opens a list; elsewhere it plays.
      if (event.key === " " && !event.target.closest("button, select, summary, a")) {
        event.preventDefault();
        if (!event.repeat) setPlaying(!state.isPlaying);
      }
      if (event.key === "," || event.key === ".") seek(state.time + (event.key === "," ? -5 : 5));
    });

    """#
}

/// Unfolds the drives and the gaps, and answers where a drive is at a time and what the gap is at a place.
enum RaceScript {
  static let text = #"""
    const element = (id) => document.getElementById(id);
    const race = JSON.parse(element("race").textContent);

    // Zigzagged differences in groups of five bits, a character of base64url each.
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const digits = new Uint8Array(128);
    for (let index = 0; index < 64; index++) digits[alphabet.charCodeAt(index)] = index;

    function unfold(text, scales) {
      const numbers = [];
      const sums = scales.map(() => 0);
      const columns = scales.map(() => []);
      let value = 0, factor = 1, column = 0;
      for (let index = 0; index < text.length; index++) {
        const digit = digits[text.charCodeAt(index)];
        value += (digit & 31) * factor;
        if (digit & 32) { factor *= 32; continue; }
        sums[column] += value % 2 ? -(value + 1) / 2 : value / 2;
        columns[column].push(sums[column] / scales[column]);
        value = 0; factor = 1; column = (column + 1) % scales.length;
      }
      return columns;
    }

    const drives = race.drives.map((drive) => {
      const [times, x, y] = unfold(drive.track, [100, 1, 1]);
      return { name: drive.name, times, x, y, breaks: drive.breaks };
    });
    const pairs = race.pairs.map((pair) => ({
      second: pair.second,
      stretches: pair.stretches.map((text) => {
        const [places, times, gaps] = unfold(text, [10, 100, 100]);
        return { places, times, gaps };
      }),
    }));

    // The last row whose value is not above the one looked for; -1 where all are.
    function rowBefore(column, value) {
      let low = 0, high = column.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (column[middle] <= value) low = middle + 1; else high = middle;
      }
      return low - 1;
    }

    // The value of one column where another has a given one, evenly between rows, held at the ends.
    function between(from, value, to) {
      const row = rowBefore(from, value);
      if (row < 0) return to[0];
      if (row >= from.length - 1) return to[to.length - 1];
      return to[row] + (to[row + 1] - to[row]) * (value - from[row]) / (from[row + 1] - from[row]);
    }

    const positionAt = (drive, time) =>
      ({ x: between(drive.times, time, drive.x), y: between(drive.times, time, drive.y) });

    // Seconds by which the second drive of a pair is behind at a place; null off the shared road.
    function gapAt(pair, place) {
      for (const stretch of pair.stretches) {
        const { places, gaps } = stretch;
        if (place >= places[0] - 0.06 && place <= places[places.length - 1] + 0.06) return between(places, place, gaps);
      }
      return null;
    }

    // Where along the road the first drive is at a time. Between two stretches it moves on evenly.
    function placeAt(pair, time, isSecond) {
      let before = null;
      for (const { places, times, gaps } of pair.stretches) {
        const last = places.length - 1;
        const clock = isSecond ? times.map((value, row) => value + gaps[row]) : times;
        if (time < clock[0]) {
          if (!before) return { place: places[0], isShared: false };
          const fraction = (time - before.time) / (clock[0] - before.time);
          return { place: before.place + (places[0] - before.place) * fraction, isShared: false };
        }
        if (time <= clock[last]) return { place: between(clock, time, places), isShared: true };
        before = { place: places[last], time: clock[last] };
      }
      return before && { place: before.place, isShared: false };
    }

    // When the first drive is at a place.
    function timeAt(pair, place) {
      let before = null;
      for (const { places, times } of pair.stretches) {
        const last = places.length - 1;
        if (place < places[0]) {
          if (!before) return times[0];
          return before.time + (times[0] - before.time) * (place - before.place) / (places[0] - before.place);
        }
        if (place <= places[last]) return between(places, place, times);
        before = { place: places[last], time: times[last] };
      }
      return before ? before.time : 0;
    }

    function clockText(seconds) {
      const whole = Math.round(Math.abs(seconds));
      const two = (value) => String(value).padStart(2, "0");
      const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
      return (seconds < 0 && whole > 0 ? "−" : "")
        + (hours ? hours + ":" + two(minutes) : minutes) + ":" + two(whole % 60);
    }
    const durationText = (seconds) =>
      Math.abs(seconds) < 9.95 ? Math.abs(seconds).toFixed(1) + " s" : clockText(Math.abs(seconds));
    const distanceText = (metres) => 
      metres < 999.5 ? metres.toFixed(0) + " m" : (metres / 1000).toFixed(metres < 99950 ? 1 : 0) + " km";

    // Who is ahead at a place, in words.
    function reading(place) {
      const losses = [{ drive: race.measure, behind: 0 }];
      for (const pair of pairs) {
        const gap = gapAt(pair, place);
        if (gap !== null) losses.push({ drive: pair.second, behind: gap });
      }
      const where = "At " + distanceText(place) + ": ";
      if (losses.length < 2) return where + "on different roads";
      losses.sort((one, other) => one.behind - other.behind);
      const name = (loss) => drives[loss.drive].name;
      const lead = losses[1].behind - losses[0].behind;
      if (losses.length === 2) return where + (lead < 0.05 ? "level" : name(losses[0]) + " ahead by " + durationText(lead));
      return where + losses.map((loss, index) =>
        index ? name(loss) + " +" + durationText(loss.behind - losses[0].behind) : name(loss)).join(", ");
    }

    """#
}

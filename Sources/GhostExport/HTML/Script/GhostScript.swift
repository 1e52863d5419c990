/// Puts the ghosts where their recordings were, with a tail of where they come from.
enum GhostScript {
  static let text = #"""
    const tailSeconds = Math.max(10, Math.min(90, (race.clock[1] - race.clock[0]) / 30));
    const ghosts = [...picture.querySelectorAll(".ghost")].map((node) => {
      const index = Number(node.dataset.drive);
      const tail = document.createElementNS("http://www.w3.org/2000/svg", "path");
      tail.setAttribute("class", "tail c" + index);
      element("tails").append(tail);
      return { node, tail, index, drive: drives[index], at: { x: 0, y: 0 } };
    });

    function showGhosts() {
      for (const ghost of ghosts) ghost.at = positionAt(ghost.drive, state.time);
      if (isFollowing()) {
        const center = { x: 0, y: 0 };
        for (const { at } of ghosts) { center.x += at.x / ghosts.length; center.y += at.y / ghosts.length; }
        view.x = view.width / 2 - center.x * view.scale;
        view.y = view.height / 2 - center.y * view.scale;
        showView();
      } else {
        placeGhosts();
      }
      for (const { drive, tail, at } of ghosts) {
        const { times, x, y } = drive;
        let text = "M" + at.x + " " + at.y + "L";
        const since = state.time - tailSeconds;
        for (let row = rowBefore(times, state.time); row >= 0 && times[row] > since; row--) {
          text += " " + x[row] + " " + y[row];
        }
        const end = positionAt(drive, since);
        tail.setAttribute("d", text + " " + end.x + " " + end.y);
      }
    }
    const placeGhosts = () => { for (const { node, at } of ghosts) place(node, at); };
    watchers.push(placeGhosts);

    """#
}

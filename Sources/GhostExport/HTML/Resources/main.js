/** Starts the page after all parts listen. */

import "./tiles.js";
import "./ghosts.js";
import "./gap.js";
import "./player.js";
import "./map-input.js";
import "./links.js";
import { map, picture, resize } from "./map.js";
import { seek, startTime } from "./state.js";

picture.setAttribute("tabindex", "0");
picture.setAttribute("role", "application");
picture.setAttribute("aria-roledescription", "map");
new ResizeObserver(resize).observe(map);
resize();
seek(startTime);

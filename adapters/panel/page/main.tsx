// Main
// Starts the page.
//
//   Owns:          the order at the start: first the parts that receive and store data, then the views that show the data.
//   Does not own:  what the page shows.

import { render } from "preact";
import { startAlarms } from "./alarms.tsx";
import { start } from "./engine/engine.ts";
import { startMe } from "./engine/me.ts";
import { watchStanding } from "./engine/standing.ts";
import { watchTroubles } from "./engine/troubles.ts";
import { startLost } from "./inbox/lost.ts";
import { askEarly } from "./history/first-page.ts";
import { startInbox } from "./inbox/model.ts";
import { startLetters } from "./letters/model.ts";
import { startNotifications } from "./notify/watch.ts";
import { Shell } from "./shell.tsx";

const root = document.getElementById("app");
if (!root) throw new Error("The page has no element for the app.");

const shown = askEarly();
render(<Shell />, root);
start();
// The other requests start only after the request for the view that the page was opened at.
void shown.then(() => {
  startMe();
  startInbox();
  startLost();
  watchTroubles();
  watchStanding();
  startLetters();
  startAlarms();
  startNotifications();
});

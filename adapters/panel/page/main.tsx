// Main
// Starts the page.
//
//   Owns:          the order at the start: the request for the data of the opened view, drawing the views, then all other
//                  requests.
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
// The other requests start once the answer for the opened session or machine is drawn, or after 500 ms (history/first-page).
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

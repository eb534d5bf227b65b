// Stately's inspector
// Feeds Stately's own local relay, which shows its hosted page, from the engine's /v1/inspect.
//
//   npm install @statelyai/inspect ws
//   npx signalbox token add stately
//   SIGNALBOX_TOKEN=$(cat ~/.local/state/signalbox/tokens/stately) node docs/examples/06-stately.js
//
// The page is Stately's: what your sessions hold is shown in it. Their relay listens on every address of this machine
// and asks nobody who they are: end it with Ctrl-C when you are done.

import { createInspectorServer } from "@statelyai/inspect/server";
import { WebSocket } from "ws";

if (!process.env.SIGNALBOX_TOKEN) {
  console.error("Set SIGNALBOX_TOKEN to a token of your own: `npx signalbox token add NAME` makes one.");
  process.exit(2);
}
const engine = process.env.SIGNALBOX_URL ?? "http://127.0.0.1:4280";
const port = Number(process.env.STATELY_PORT ?? 8080);
const autoOpen = process.env.STATELY_OPEN !== "no";

const answer = await fetch(`${engine}/v1/inspect`, {
  headers: { Authorization: `Bearer ${process.env.SIGNALBOX_TOKEN}` },
});
const { url, error } = await answer.json();
if (!answer.ok) {
  console.error(error.message, error.next);
  process.exit(1);
}

createInspectorServer({ port, autoOpen });
const relay = new WebSocket(`ws://localhost:${port}`);
await new Promise((resolve, reject) => relay.once("open", resolve).once("error", reject));
console.log(`Stately's inspector: http://localhost:${port}`);

const watch = new WebSocket(url);
// Taking the next only when this one is gone keeps a slow relay from filling this process.
watch.on("message", (message) => {
  watch.pause();
  relay.send(message.toString(), () => watch.resume());
});
watch.on("close", (code) => {
  console.error(`The engine has ended it (${code}). Run this again.`);
  process.exit(1);
});

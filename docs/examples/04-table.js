// Table
// Keeps a table of all requests in a file. Stopped and started again, it goes on where it was and misses nothing.
//
//   SIGNALBOX_NATS_URL=nats://… node docs/examples/04-table.js requests.json

import { readFile, rename, writeFile } from "node:fs/promises";
import { connect } from "signalbox/client";

const url = process.env.SIGNALBOX_NATS_URL;
if (!url) {
  console.error("Set SIGNALBOX_NATS_URL: the line is what `npx signalbox up` printed.");
  process.exit(2);
}
// What the client refuses says what to do next; a stack would hide it.
process.on("uncaughtException", (error) => {
  console.error(error.next ? `${error.message}\n${error.next}` : error);
  process.exit(1);
});

const [file = "requests.json"] = process.argv.slice(2);
const client = await connect({
  url,
  nkey: process.env.SIGNALBOX_NATS_NKEY,
  workspace: process.env.SIGNALBOX_WORKSPACE ?? "chat",
  source: "/table",
});

/** The table and the place up to which it is made of changes: one file, so that neither is ahead of the other. */
async function load() {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return await readAll();
  }
}

async function save(kept) {
  await writeFile(`${file}.new`, JSON.stringify(kept, null, 2));
  await rename(`${file}.new`, file);
}

const rowOf = ({ state, waiting, createdAt, prompt }) => ({ state, waiting, createdAt, prompt });

/** The whole table by a query, and the place to follow from: taken first, so that nothing falls between. */
async function readAll() {
  const cursor = await client.now();
  const rows = {};
  for await (const request of client.query.requests.list()) rows[request.requestId] = rowOf(request);
  return { cursor, versions: {}, rows };
}

/** Takes one item in. @returns the table after it. */
async function taken(kept, item) {
  // Something may be missing: read it all again, then go on from the item's place.
  if (item.kind === "gap") return { ...(await readAll()), cursor: item.cursor };
  const { change, cursor } = item;
  const { workspace, sessionId, version } = change;
  const rows = change.entity === "request" ? { ...kept.rows, [change.id]: rowOf(change.view) } : kept.rows;
  return { cursor, versions: { ...kept.versions, [`${workspace}/${sessionId}`]: version }, rows };
}

let kept = await load();
await save(kept);
const { length } = Object.keys(kept.rows);
console.log(length === 1 ? "1 request" : `${length} requests`);

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());

const { cursor: from } = kept;
for await (const item of client.changes({
  from,
  versions: Object.entries(kept.versions),
  signal: stop.signal,
})) {
  kept = await taken(kept, item);
  await save(kept);
  if (item.kind === "gap") console.log(`read again: ${item.reason}`);
  else if (item.change.entity === "request") console.log(`${item.change.id} ${item.change.to}`);
}
await client.close();

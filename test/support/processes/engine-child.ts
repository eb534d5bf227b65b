// Engine child
// A process that replays a recording on an LMDB folder, and kills itself with -9 at a given place.
//
//   Owns:          dying at the given place; printing what it was told.
//   Does not own:  the engine (lmdb-replay), judging what is left.
//
// Arguments: folder, recording, groupMax, and where to die: a place, and at which passing of it; then, if a server has
// the journal and gets the changes, its address.

import { writeSync } from "node:fs";
import { composeReplay, type Place, replayInto } from "./lmdb-replay.ts";
import { composeNatsReplay } from "../nats/replay.ts";
import { asItHappened } from "../sessions/play.ts";
import { recording } from "../sessions/recording.ts";

const [dir = "", name = "", groupMax = "8", place = "", count = "0", nats] = process.argv.slice(2);

/** Printed at once, so it was printed before anything that came after it. */
function say(...words: readonly (string | number)[]): void {
  writeSync(1, `${words.join(" ")}\n`);
}

let passed = 0;
function at(here: Place, what: string): void {
  say(here, what);
  if (here === place && ++passed === Number(count)) process.kill(process.pid, "SIGKILL");
}

function endAtOnce(error: Error): void {
  say("fatal", "code" in error ? String(error.code) : error.message);
  const reallyExit: unknown = Reflect.get(process, "reallyExit");
  if (typeof reallyExit === "function") Reflect.apply(reallyExit, process, [75]);
}

const options = { groupMax: Number(groupMax), at, onFatal: endAtOnce };
const { engine, close } =
  nats === undefined
    ? { engine: composeReplay(dir, options), close: () => Promise.resolve() }
    : await composeNatsReplay(dir, nats, options);
engine.onChanges((changes) => say("heard", changes.at(-1)?.n ?? 0));
await engine.start();
await replayInto(engine, asItHappened(recording(name)));
await engine.stop();
await close();
say("done");

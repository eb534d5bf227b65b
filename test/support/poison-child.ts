// Poison child
// An engine on an LMDB folder whose translator ends the process at once when it meets the text `deadly`.
//
//   Owns:          dying; else it stops cleanly once it has caught up.
//   Does not own:  what stands in the journal, judging what is left.
//
// Argument: folder.

import { openLmdb } from "../../adapters/lmdb/index.ts";
import { systemClock } from "../../adapters/system/index.ts";
import { digestId } from "../../runtime/door/foreign-id.ts";
import { Engine } from "../../runtime/engine.ts";
import { translate } from "./rig.ts";

const [dir = ""] = process.argv.slice(2);

const { store, journal } = openLmdb(dir, systemClock());
const engine = new Engine({
  store,
  journal,
  clock: systemClock(),
  digest: digestId,
  translate(message) {
    if (JSON.stringify(message.data).includes("deadly")) process.kill(process.pid, "SIGKILL");
    return translate(message);
  },
  groupMax: 2,
  onFatal: (error) => {
    throw error;
  },
});
await engine.start();
await engine.stop();

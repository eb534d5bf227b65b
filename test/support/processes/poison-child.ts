// Poison child
// An engine on an LMDB folder whose translator kills the process when it meets the text `deadly`; and, as often as the
// folder's file `unlucky` says, when it meets that text.
//
//   Owns:          dying; else stopping cleanly once it has caught up.
//   Does not own:  the content of the journal, judging what is left.
//
// Argument: folder.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLmdb } from "../../../adapters/lmdb/index.ts";
import { systemClock } from "../../../adapters/system/index.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { Engine } from "../../../runtime/engine/engine.ts";
import { translate } from "../engine/rig.ts";
import { clients } from "../../../adapters/composition/clients.ts";

const [dir = ""] = process.argv.slice(2);

const die = (): boolean => process.kill(process.pid, "SIGKILL");

/** Stands for a kill from outside: the entry is not the cause. */
function unlucky(): void {
  const path = join(dir, "unlucky");
  const left = existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
  if (left === 0) return;
  writeFileSync(path, String(left - 1));
  die();
}

const { store, journal } = openLmdb(dir, systemClock());
const engine = new Engine({
  store,
  journal,
  clock: systemClock(),
  digest: digestId,
  clients,
  translate(message) {
    const text = JSON.stringify(message.data);
    if (text.includes("deadly")) die();
    if (text.includes("unlucky")) unlucky();
    return translate(message);
  },
  groupMax: 2,
  onFatal: (error) => {
    throw error;
  },
});
await engine.start();
await engine.stop();

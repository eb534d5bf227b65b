// Load child
// An engine on an LMDB folder under random sessions, until it is killed.
//
//   Owns:          which messages are sent, how fast; printing how far the engine is durable, and what was sent.
//   Does not own:  being killed (load), judging what is left.
//
// Arguments: folder, seed, messages a second.

import { writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { openLmdb } from "../../adapters/lmdb/index.ts";
import { systemClock } from "../../adapters/system/index.ts";
import type { SessionId } from "../../machines/index.ts";
import { Engine } from "../../runtime/engine/engine.ts";
import { digestId } from "../../runtime/foreign-id.ts";
import { writeMessage } from "../../runtime/message.ts";
import { sessions } from "../support/sessions/generate.ts";
import { messagesOf } from "../support/sessions/turns.ts";
import { asSaid, markOf } from "./said.ts";
import { clients } from "../../adapters/composition/clients.ts";

const LENGTH = 60;
const AT_ONCE = 16;

const [dir = "", seed = "1", rate = "100"] = process.argv.slice(2);
const clock = systemClock();
const { store, journal } = openLmdb(join(dir, "store"), clock);
const engine = new Engine({
  store,
  journal,
  clock,
  digest: digestId,
  clients,
  translate: asSaid,
  onFatal: (error) => {
    throw error;
  },
});

/** How far everything is durable: nothing of it may be missing after a kill. @param told the last message, and where. */
const tell = (told = ""): void => {
  writeSync(1, `${engine.meta().position}${told}\n`);
};

/** One session after another, each message durable before the next. */
async function speak(voice: number): Promise<void> {
  for (let nth = 0; ; nth += 1) {
    const [session] = fc.sample(sessions(LENGTH), { numRuns: 1, seed: Number(seed) + voice * 7919 + nth });
    if (!session) continue;
    for (const message of messagesOf(session, `load-${seed}-${voice}-${nth}` as SessionId)) {
      const { position } = await (await engine.submit(message)).settled;
      tell(` ${position} ${markOf(writeMessage(message))}`);
      await sleep((1000 * AT_ONCE) / Number(rate));
    }
  }
}

await engine.start();
tell();
await Promise.all(Array.from({ length: AT_ONCE }, (_, voice) => speak(voice)));

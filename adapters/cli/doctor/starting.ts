// Starting
// Finds out whether the program at a port is an engine that waits to start, and what the engine waits for.
//
//   Owns:          asking the program at the port, the advice for each reason to wait.
//   Does not own:  waiting until the engine can start (composition); asking the engine to prove its identity (adapters/line).
//
// DOCTOR-STARTING-1. The check of a port sends only public data, and uses nothing of the answer but one of Signalbox's own
//     codes.

import { z } from "zod";
import { AWAITED, type Awaited } from "../../../runtime/errors/trouble.ts";
import { beginningOf } from "../../../runtime/line/exchange.ts";
import { type Finding, wrong } from "./finding.ts";

const ANSWER_MS = 2_000;
/** The longest answer that is read: another program on the port might send without end. */
const ANSWER_BYTES_MAX = 64 * 1024;
const waiting = z.looseObject({ ready: z.literal(false), waitsFor: z.enum(AWAITED) });

const ROOM = "Make room on the engine's disk; the engine then starts by itself.";
const WRITABLE = "Make the engine's disk and folder writable for its user; the engine then starts by itself.";
const NEXT: Readonly<Record<Awaited, string>> = {
  FOLDER_FULL: ROOM,
  FOLDER_READ_ONLY: WRITABLE,
  STORE_FULL: ROOM,
  STORE_READ_ONLY: WRITABLE,
  NATS_UNAVAILABLE:
    "Start the NATS server, or check its address, account and password; the engine then starts by itself.",
};

/** @returns why an engine waits to start at the port; undefined if no engine waits there. */
export async function startingAt(port: number): Promise<Finding | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const { body } = await fetch(`http://127.0.0.1:${port}/readyz`, { signal, redirect: "error" });
    const { waitsFor } = waiting.parse(
      JSON.parse((await beginningOf(body, ANSWER_BYTES_MAX)).toString("utf8")),
    );
    const found = `An engine waits to start at port ${port} (${waitsFor})`;
    return { ...wrong("port", found, NEXT[waitsFor]), code: waitsFor };
  } catch {
    return undefined;
  }
}

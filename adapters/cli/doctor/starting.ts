// Starting
// Whether what listens on a port is an engine that waits to start, and for what.
//
//   Owns:          asking it, what to do about each reason.
//   Does not own:  waiting (composition), whose engine it is: it has not opened its folder, so it can prove nothing.
//
// DOCTOR-STARTING-1. Nothing is sent that is not public, and of the answer one of our own codes is taken, nothing else.

import { z } from "zod";
import { AWAITED, type Awaited } from "../../../runtime/errors/trouble.ts";
import { type Finding, wrong } from "./finding.ts";

const ANSWER_MS = 2_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const waiting = z.looseObject({ ready: z.literal(false), waitsFor: z.enum(AWAITED) });

const ROOM = "Make room on its disk; it goes on by itself.";
const WRITABLE = "Make its disk and folder writable for its user; it goes on by itself.";
const NEXT: Readonly<Record<Awaited, string>> = {
  FOLDER_FULL: ROOM,
  FOLDER_READ_ONLY: WRITABLE,
  STORE_FULL: ROOM,
  STORE_READ_ONLY: WRITABLE,
  NATS_UNAVAILABLE: "Start the NATS server, or see its address, account and password; it goes on by itself.",
};

/** @returns undefined where something else listens there. */
export async function startingAt(port: number): Promise<Finding | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const { body } = await fetch(`http://127.0.0.1:${port}/readyz`, { signal, redirect: "error" });
    const { waitsFor } = waiting.parse(JSON.parse(await beginningOf(body)));
    const found = `An engine waits to start at port ${port} (${waitsFor})`;
    return { ...wrong("port", found, NEXT[waitsFor]), code: waitsFor };
  } catch {
    return undefined;
  }
}

/** The program that has the port may never stop sending. */
async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > ANSWER_BYTES_MAX) break;
  }
  return text;
}

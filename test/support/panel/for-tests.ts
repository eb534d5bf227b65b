// For tests
// A browser and an engine for the tests of one file: started before them, stopped after them.
//
//   Owns:          when each is started, stopped and checked.
//   Does not own:  what they are (page), what is done with them.

import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { event, serve, type Served, type ServeOptions, TOKEN } from "../http/served.ts";
import { Line, type Standing, Windows } from "./page.ts";

const STARTS_WITHIN_MS = 180_000;

/** One browser for all tests of the file. After each test its pages must have done nothing forbidden. */
export function windowsForAll(): Windows {
  const windows = new Windows();
  beforeAll(() => windows.start(), STARTS_WITHIN_MS);
  afterAll(() => windows.close());
  afterEach(() => expect(windows.troubles.splice(0)).toEqual([]));
  return windows;
}

/** One engine for all tests of the file. @param plays are sent to it, one after another. */
export function lineForAll(...plays: readonly ((line: Line) => Promise<unknown>)[]): Line {
  const line = new Line();
  beforeAll(async () => {
    await line.start();
    for (const play of plays) await play(line);
  }, STARTS_WITHIN_MS);
  afterAll(() => line.stop());
  return line;
}

/** A new engine for each test. @param play is sent to it. */
export function lineForEach(play: (line: Line) => Promise<unknown> = () => Promise.resolve()): Line {
  const line = new Line();
  beforeEach(async () => {
    await line.start();
    await play(line);
  });
  afterEach(() => line.stop());
  return line;
}

/** A new engine on memory for each test, whose rows a test can reach. @param prepare makes its first data. */
export function servedForEach(
  prepare: (served: Served) => Promise<unknown>,
  options: () => ServeOptions = () => ({}),
): { readonly now: Served; readonly standing: Standing } {
  let served: Served | undefined;
  const now = (): Served => {
    if (!served) throw new Error("The engine is used before it was started.");
    return served;
  };
  beforeEach(async () => {
    served = await serve(options());
    await prepare(served);
  });
  afterEach(() => served?.stop());
  return {
    get now() {
      return now();
    },
    get standing() {
      return { url: now().url, token: TOKEN };
    },
  };
}

/** @returns a function that makes an engine begin with a call of the tool, and an approval `a1` that the call waits for. */
export const asked =
  (about: { readonly tool: string; readonly toolUseId: string; readonly input: object }) =>
  async (served: Served): Promise<void> => {
    for (const [type, data] of [
      ["tool.started", about],
      ["approval.requested", { ...about, approvalId: "a1" }],
    ] as const)
      expect((await served.post("/v1/events", event(type, data))).status).toBe(200);
  };

/** A request of three calls, `t1` to `t3`, each with an approval that waits, `a1` to `a3`. @param commandOf of each call. */
export const threeAsked =
  (commandOf: (n: number) => string) =>
  (line: Line): Promise<unknown> =>
    line.emit(
      "w/s",
      ["request.created", { requestId: "r1" }],
      ...[1, 2, 3].flatMap((n) => {
        const call = { requestId: "r1", toolUseId: `t${n}`, tool: "Bash", input: { command: commandOf(n) } };
        return [
          ["tool.announced", call] as const,
          ["approval.requested", { ...call, approvalId: `a${n}` }] as const,
        ];
      }),
    );

// Client watch
// Processes that end with and without a word: when their session hears of it, and when not.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sessionAddress, type SessionId, type WorkspaceId } from "../../../machines/index.ts";
import { ClientWatch, type Processes } from "../../../runtime/gate/client-watch.ts";
import type { SourceInput } from "../../../machines/inputs.ts";
import { Reader } from "../../../runtime/reading/reader.ts";
import { memoryEngine } from "../../support/engine/memory-engine.ts";
import { START_MS } from "../../support/engine/rig.ts";

type Rig = Awaited<ReturnType<typeof memoryEngine>>;
const shop = "shop" as WorkspaceId;
const s1 = "s1" as SessionId;

/** What runs, by id: its mark, and when it began. */
let running: Map<number, readonly [mark: string, startedAt: number]>;
let kept: string | undefined;
/** What hooks have left behind. */
let left: (() => Promise<void>)[];
let rig: Rig;
let watch: ClientWatch;

const processes: Processes = {
  markOf: (pid) => running.get(pid)?.[0],
  startedAt: (pid) => running.get(pid)?.[1],
  isSame: (pid, mark) => running.get(pid)?.[0] === mark,
};
const watching = (): ClientWatch =>
  new ClientWatch({
    engine: rig.engine,
    clock: rig.clock,
    processes,
    keeper: {
      read: () => Promise.resolve(kept),
      write(text) {
        kept = text;
        return Promise.resolve();
      },
    },
    async settle() {
      for (const take of left.splice(0)) await take();
    },
    onError: (error) => {
      throw error;
    },
  });

beforeEach(async () => {
  [running, kept, left] = [new Map([[42, ["a", START_MS - 60_000]]]), undefined, []];
  rig = await memoryEngine(undefined, { translate: ({ data }) => [data as SourceInput] });
  watch = watching();
  await watch.start();
});
afterEach(async () => {
  await watch.stop();
  await rig.engine.stop();
});

let n = 0;
async function said(...inputs: readonly SourceInput[]): Promise<void> {
  for (const data of inputs) {
    const message = { door: "in", workspace: shop, session: s1, id: `m${n++}`, source: "hooks" } as const;
    await (
      await rig.engine.submit({ ...message, type: "claude-code.hook", data })
    ).settled;
  }
}
const begun = (): Promise<void> =>
  said(
    { type: "session.started", reason: "startup" },
    { type: "prompt.submitted", promptId: "p1", text: "Go." },
    { type: "tool.started", call: { toolUseId: "t1", tool: "Bash" } },
    {
      type: "approval.requested",
      approvalId: "q1" as never,
      call: { toolUseId: "t1", tool: "Bash" },
      channel: "gate",
    },
  );
const heard = (pid = 42, at = START_MS): void => watch.heard({ workspace: shop, session: s1, pid }, at);

/** What the session, its request, its call and its approval are now. */
function now(): Readonly<Record<string, string>> {
  const reader = new Reader(rig.engine.store);
  const session = sessionAddress(shop, s1);
  const stateOf = (address: string): string => {
    const found = reader.actor(address as never);
    return found === undefined ? "none" : JSON.stringify(found.value);
  };
  return {
    session: stateOf(session),
    request: stateOf(`${session}/request/p1`),
    call: stateOf(`${session}/call/t1`),
    approval: stateOf(`${session}/approval/q1`),
  };
}
async function looked(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    rig.clock.advance(50);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

describe("CLIENT-WATCH-1: a client that is gone without a word", () => {
  it("CLIENT-WATCH-1: within a second its session has ended, nothing waits for it, its call has no result", async () => {
    await begun();
    heard();
    await looked();
    expect(now()).toMatchObject({ approval: '"pending"' });
    running.clear();
    await looked();
    expect(now()).toMatchObject({ session: '"ended"', approval: '"withdrawn"' });
    expect(now()["call"]).toContain("missing-post");
    expect(now()["request"]).toContain("failed");
  });

  it("CLIENT-WATCH-1: another process under its id is not it; one that began after the hook is not watched", async () => {
    await begun();
    heard();
    running.set(42, ["b", START_MS]);
    await looked();
    expect(now()).toMatchObject({ session: '"ended"' });
    await said({ type: "session.started", reason: "resume" });
    running.set(43, ["c", START_MS + 60_000]);
    heard(43);
    running.clear();
    await looked();
    expect(now()).toMatchObject({ session: '"idle"' });
  });

  it("C2: resumed, it goes on; a result that was written after all is the call's", async () => {
    await begun();
    heard();
    running.clear();
    await looked();
    running.set(50, ["d", START_MS]);
    await said({ type: "session.started", reason: "resume" });
    heard(50);
    await said({ type: "tool.finished", call: { toolUseId: "t1", tool: "Bash" }, output: "ok" });
    await looked();
    expect(now()).toMatchObject({ session: '"idle"' });
    expect(now()["call"]).toContain("completed");
  });

  it("CLIENT-WATCH-2: an end that the client reported itself, in the last moment, is the end; so is a new process", async () => {
    await begun();
    heard();
    running.clear();
    left.push(() => said({ type: "session.ended", reason: "prompt_input_exit" }));
    await looked();
    const session = new Reader(rig.engine.store).actor(sessionAddress(shop, s1));
    expect(session?.context).toMatchObject({ endReason: "prompt_input_exit" });
    await said({ type: "session.started", reason: "resume" });
    running.set(60, ["e", START_MS]);
    heard(60);
    running.clear();
    left.push(async () => {
      running.set(61, ["f", START_MS]);
      await said({ type: "session.started", reason: "resume" });
      heard(61);
    });
    await looked();
    expect(now()).toMatchObject({ session: '"idle"' });
  });

  it("CLIENT-WATCH-5: a session that two clients work in goes on when one is killed, and ends with the last", async () => {
    running.set(43, ["b", START_MS - 30_000]);
    await begun();
    heard(42);
    heard(43);
    await looked();
    running.delete(43);
    await looked();
    expect(now()).toMatchObject({ approval: '"pending"' });
    running.delete(42);
    await looked();
    expect(now()).toMatchObject({ approval: '"withdrawn"' });
  });

  it("CLIENT-WATCH-3: one that was never seen alive here is not said to be gone", async () => {
    await begun();
    for (const pid of [0, 1, 77]) heard(pid);
    await looked();
    expect(now()).toMatchObject({ approval: '"pending"' });
  });

  it("CLIENT-WATCH-4: one that went while no engine ran is said to be gone at the next start; what is no list is none", async () => {
    await begun();
    heard();
    await looked();
    await watch.stop();
    running.clear();
    for (const text of ["{", '[{"pid":1}]', "null"]) {
      const whole = kept;
      kept = text;
      watch = watching();
      await watch.start();
      await looked();
      await watch.stop();
      kept = whole;
    }
    expect(now()).toMatchObject({ approval: '"pending"' });
    watch = watching();
    await watch.start();
    await looked();
    expect(now()).toMatchObject({ session: '"ended"', approval: '"withdrawn"' });
  });
});

// Following approvals: words
// A new approval is told with its own message's words where these come at once; what becomes known later is told, too.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ManualClock } from "../../../support/engine/manual-clock.ts";
import { Client, type Followed } from "../../../../adapters/cli/client.ts";
import { followApprovals, type Telling } from "../../../../adapters/cli/waiting/follow.ts";
import { WaitingList } from "../../../../adapters/cli/waiting/list.ts";
import type { ShownApproval } from "../../../../adapters/cli/approval/read.ts";
import { type More, moreIn } from "../../../../adapters/cli/approval/text.ts";
import { HELD_MS } from "../../../../runtime/text/held-words.ts";
import type { Exchange } from "../../../../runtime/line/exchange.ts";
import { event, serve, type Served, TOKEN } from "../../../support/http/served.ts";
import { plainly } from "../../../support/http/plainly.ts";

const CALL = { toolUseId: "t1", tool: "Bash", input: { command: "make deploy" } };
const WORDS = { text: "Ship it", source: "message", confidence: "certain" } as const;
const GUESS = { text: "Deploys", source: "description", confidence: "likely" } as const;

let served: Served;
let told: string[];
let clock: ManualClock;
let leave: () => Promise<void>;
let wake: () => void;
/** The engine says what a denial would end once this is done. */
let foreseen: Promise<void> | undefined;

const wordsOf = ({ call }: ShownApproval): string => call?.intent?.text ?? "no words";
const moreOf = (shown: ShownApproval, more: More): readonly string[] =>
  moreIn(shown, { ...more, now: 0, isShared: false })
    .split("\n")
    .map((line) => line.slice(10));

function tell(...lines: readonly string[]): void {
  told.push(...lines);
  wake();
}

/** A client that tells that the command is about to hear of a withdrawal. */
class Heard extends Client {
  override async *follow(...asked: Parameters<Client["follow"]>): AsyncGenerator<Followed> {
    for await (const followed of super.follow(...asked)) {
      if (foreseen && followed.type === "change" && followed.change.to === "withdrawn") tell("hears");
      yield followed;
    }
  }
}

function follow(): Promise<void> {
  const stop = new AbortController();
  const telling: Telling = {
    came: (shown) => tell(`came ${shown.approval.id}: ${wordsOf(shown)}`),
    changed: (shown, more) => tell(...moreOf(shown, more)),
    left: ({ id, state }) => tell(`left ${id} ${state}`),
    ready: () => tell("ready"),
    lost: () => tell("lost"),
    failed: ({ message }) => tell(message),
  };
  const exchange = plainly(served.url, TOKEN);
  const halted: Exchange = async (asked) => {
    if (foreseen && asked.path.includes("/denial")) {
      tell("foresees");
      await foreseen;
    }
    return exchange(asked);
  };
  const client = new Heard(halted, served.url, "a test");
  const after = (delayMs: number, callback: () => void) => {
    const cancel = clock.after(delayMs, callback);
    tell("held");
    return cancel;
  };
  const { signal } = stop;
  const list = new WaitingList();
  const following = followApprovals({ client, workspace: undefined, list, telling, signal, after });
  leave = async () => {
    stop.abort();
    await following;
  };
  return until("ready");
}

/** @returns once that was told. */
async function until(line: string): Promise<void> {
  while (!told.includes(line))
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
}

const say = async (type: string, data: object): Promise<void> => {
  expect((await served.post("/v1/events", event(type, data))).status).toBe(200);
};
const ask = (channel: string, approvalId = "a1") =>
  say("approval.requested", { ...CALL, approvalId, channel });

beforeEach(async () => {
  [told, clock, wake, foreseen] = [[], new ManualClock(), () => undefined, undefined];
  served = await serve();
});
afterEach(async () => {
  await leave();
  await served.stop();
});

describe("approvals --follow", () => {
  it("WAITING-FOLLOW-2: an approval is told once its own message's words are known", async () => {
    await follow();
    await say("tool.announced", { ...CALL, intent: GUESS });
    await ask("gate");
    await until("held");
    await say("tool.announced", { ...CALL, messageId: "m", intent: WORDS });
    await until("came a1: Ship it");
    expect(told).toEqual(["ready", "held", "came a1: Ship it"]);
  });

  it("WAITING-FOLLOW-2: without them it is told after the while that one is held; better words are told when they come", async () => {
    await follow();
    await say("tool.announced", { ...CALL, intent: GUESS });
    await ask("gate");
    await until("held");
    clock.advance(HELD_MS);
    await until("came a1: Deploys");
    await say("tool.announced", { ...CALL, messageId: "m", intent: WORDS });
    await until("a1  Bash  why: Ship it (message, certain)");
    expect(told).toHaveLength(4);
  });

  it("WAITING-FOLLOW-1, WAITING-FOLLOW-2: what is answered while it is held is never told; what a service asks is told at once", async () => {
    await follow();
    await ask("gate");
    await until("held");
    await say("approval.withdrawn", { approvalId: "a1" });
    await say("approval.requested", { ...CALL, toolUseId: "t2", approvalId: "a2", channel: "gateway" });
    await until("came a2: no words");
    clock.advance(HELD_MS);
    await say("approval.withdrawn", { approvalId: "a2" });
    await until("left a2 withdrawn");
    expect(told).toEqual(["ready", "held", "came a2: no words", "left a2 withdrawn"]);
  });

  it("WAITING-FOLLOW-1: what is answered while its report waits for another one is never told", async () => {
    let goOn: () => void = () => undefined;
    foreseen = new Promise((resolve) => (goOn = resolve));
    await follow();
    for (const id of ["a1", "a2"]) {
      told = [];
      await say("approval.requested", { ...CALL, toolUseId: id, approvalId: id, channel: "gate" });
      await until("held");
      clock.advance(HELD_MS / 2);
    }
    await until("foresees");
    await say("approval.withdrawn", { approvalId: "a2" });
    await until("hears");
    await new Promise(setImmediate);
    clock.advance(HELD_MS / 2);
    goOn();
    await until("came a1: no words");
    await say("approval.withdrawn", { approvalId: "a1" });
    await until("left a1 withdrawn");
    expect(told.filter((line) => line.includes("a2"))).toEqual([]);
  });

  it("WAITING-FOLLOW-2: one that could only be answered elsewhere says so once it can be answered here", async () => {
    await say("tool.started", CALL);
    await ask("hook");
    await follow();
    await ask("gate", "g1");
    await until("a1  Bash  can be answered here now: npx signalbox approve a1");
    expect(told).toHaveLength(3);
  });

  it("WAITING-FOLLOW-2: to whom a known one is assigned is told, and that it is taken back", async () => {
    await ask("gateway");
    await follow();
    const assign = (to: string | null) => served.post("/v1/approvals/a1/assignment", { to });
    await assign("anna\u001b[2K");
    await vi.waitUntil(() =>
      told.some((line) => line.startsWith("a1  Bash  assigned to anna␛[2K by local:")),
    );
    await assign(null);
    await until("a1  Bash  assigned to nobody now");
    expect(told).toHaveLength(4);
  });
});

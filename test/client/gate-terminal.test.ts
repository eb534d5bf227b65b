// A terminal's dialog and the gate, with the real client
// The client shows its own dialog while the gate waits: whoever answers first is obeyed, and the other one's question goes away.

import { describe, expect, it } from "vitest";
import { type Claude, type Seat, touch } from "../support/client/claude.ts";
import { claudeForEach } from "../support/client/claude-for-each.ts";
import { textAt } from "../support/engine/json.ts";

let claude: Claude;

claudeForEach(async (fresh) => {
  claude = fresh;
  await claude.install("--timeout", "120");
});

const DIALOG = "Do you want to proceed?";
const PROMPT = "Please do the steps.";

/** A person at a terminal, whose client asks about the first of these calls, here and in its own dialog. */
async function askedTwice(...names: string[]): Promise<Seat & { readonly id: string }> {
  const seat = await claude.sit(names.map(touch));
  await seat.screen.shows("? for shortcuts");
  await seat.screen.send(PROMPT);
  const id = await claude.asked();
  await seat.screen.shows(DIALOG);
  return { ...seat, id };
}
const approve = (id: string) => claude.desk.run(["approve", id]);
const deny = (id: string, ...args: string[]) => claude.desk.run(["deny", id, ...args]);
const stateOf = async (id: string): Promise<string | undefined> => textAt(await claude.shown(id), "state");

describe("I-39: Claude Code in a terminal", { timeout: 180_000 }, () => {
  it("I-39: the terminal says yes first: the call runs, and the approval leaves the inbox with the call's end", async () => {
    await claude.desk.up();
    const { id, screen } = await askedTwice("one");
    screen.type("\r");
    await claude.until(id, "withdrawn");
    expect(claude.ran("one")).toBe(true);
    expect((await approve(id)).code).toBe(1);
    expect(await claude.calls()).toEqual({ toolu_01: "completed" });
  });

  it("I-39: the terminal says no first: the client ends the gate, which takes the approval away; nothing runs", async () => {
    await claude.desk.up();
    const { id, screen } = await askedTwice("one", "two");
    screen.type("\u001b");
    await claude.until(id, "withdrawn");
    expect((await approve(id)).code).toBe(1);
    expect([claude.ran("one"), claude.ran("two")]).toEqual([false, false]);
  });

  it("I-39: we say yes first: the call runs, the dialog goes, and a key that comes later answers nothing", async () => {
    await claude.desk.up();
    const { id, screen } = await askedTwice("one", "two");
    await approve(id);
    const second = await claude.asked([id]);
    await screen.shows("touch two");
    await deny(second, "-m", "not this one");
    await screen.shows("Done.");
    screen.type("\r");
    expect([claude.ran("one"), claude.ran("two")]).toEqual([true, false]);
    expect([await stateOf(id), await stateOf(second)]).toEqual(["approved", "denied"]);
    expect(await claude.calls()).toEqual({ toolu_01: "completed", toolu_02: "denied" });
  });

  it("I-39: both answer at once, and differ: one of them is obeyed, and what ran is what is shown here", async () => {
    await claude.desk.up();
    const { id, screen } = await askedTwice("one");
    const denied = deny(id, "-m", "no");
    screen.type("\r");
    await denied;
    await screen.shows("Done.");
    const calls = await settled();
    expect(calls["toolu_01"]).toBe(claude.ran("one") ? "completed" : "denied");
    expect(["denied", "withdrawn"]).toContain(await stateOf(id));
  });

  it("I-39: without an engine the terminal's own dialog is left to answer; the engine learns of both", async () => {
    const seat = await claude.sit([touch("one")]);
    await seat.screen.shows("? for shortcuts");
    await seat.screen.send(PROMPT);
    await seat.screen.shows(DIALOG);
    expect(claude.ran("one")).toBe(false);
    await seat.screen.insist("\r", () => claude.ran("one"));
    await claude.desk.up();
    expect(await settled()).toEqual({ toolu_01: "completed" });
  });
});

/** Once none is open. */
async function settled(): Promise<Readonly<Record<string, string>>> {
  for (;;) {
    const calls = await claude.calls();
    const ends = Object.values(calls);
    if (ends.length > 0 && !ends.some((end) => /^(created|queued|processing)/.test(end))) return calls;
  }
}

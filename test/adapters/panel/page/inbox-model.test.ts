// Inbox model
// The cards of the inbox while lists, changes and replies of the engine come in any order.

import { afterEach, describe, expect, test, vi } from "vitest";
import type { Card } from "../../../../adapters/panel/page/inbox/card/card.ts";
import type { Spot } from "../../../../adapters/panel/page/inbox/name.ts";
import { load, settle, Wire } from "../../../support/panel/wire.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** What is tried of the inbox. */
interface Model {
  answerable(spot: Spot): Card | undefined;
  cardAt(spot: Spot): Card | undefined;
  clear(): void;
  readonly inbox: {
    get(): {
      readonly cards: readonly Card[];
      readonly hasMore: boolean;
      readonly failure?: { readonly code: string };
    };
  };
  readWhole(spot: Spot): Promise<boolean>;
  startInbox(): void;
}
interface Follow {
  open(): void;
  onChanges(listener: () => void): () => void;
}

const LIST = "/v1/approvals?";

const approval = (id: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ id, workspace: "w", sessionId: "s", tool: "send_mail", state: "pending", channels: ["service"] },
  ...{ input: { to: "bob" }, inputHash: "h", askedAt: 1000, updatedAt: 1, ambiguous: false, candidates: 1 },
  ...more,
});

/** An inbox whose first list had these approvals. */
async function inboxOf(items: readonly object[], nextCursor?: string) {
  const wire = new Wire();
  const { follow } = await load<{ readonly follow: Follow }>("engine/engine.ts");
  const model = await load<Model>("inbox/model.ts");
  const sending = await load<{ answer(seen: object, reply: object): Promise<void> }>("inbox/sending.ts");
  const lost = await load<{ startLost(): void }>("inbox/lost.ts");
  follow.open();
  wire.say("ready", "log-10");
  model.startInbox();
  lost.startLost();
  await (await wire.take(LIST)).answer({ items, nextCursor }, "log-10");
  /** Tells a change, and waits until the page has heard it. */
  const hear = async (...views: readonly ReturnType<typeof approval>[]): Promise<void> => {
    const heard = new Promise<void>((done) => {
      const end = follow.onChanges(() => {
        end();
        done();
      });
    });
    for (const view of views) wire.change(view);
    await heard;
    await settle();
  };
  const spot = (id: string) => ({ workspace: "w", id });
  return {
    ...{ wire, hear, inbox: model.inbox, clear: () => model.clear() },
    relist: () => {
      wire.say("resync", "log-10");
      return wire.take(LIST);
    },
    card: (id: string) => model.cardAt(spot(id)),
    phase: (id: string) => model.cardAt(spot(id))?.phase,
    isAnswerable: (id: string) => model.answerable(spot(id)) !== undefined,
    read: (id: string) => void model.readWhole(spot(id)),
    /** Approves, and takes the request that carries the answer. */
    approve: (id: string) => {
      void sending.answer({ ...spot(id), hash: "h", version: 1, isWhole: true }, { decision: "approve" });
      return wire.take("/decision");
    },
  };
}

describe("a list that was made before a change", () => {
  test("INBOX-MODEL-2: greys out no approval that was requested meanwhile", async () => {
    const { wire, hear, relist, phase } = await inboxOf([approval("a0")]);
    const list = await relist();
    await hear(approval("a1"));
    await (await wire.take("/v1/approvals/a1")).answer(approval("a1"));
    await list.answer({ items: [approval("a0")] });
    expect([phase("a0"), phase("a1")]).toEqual([{ is: "open" }, { is: "open" }]);
  });

  test("INBOX-MODEL-2: brings back no approval that was answered and put away meanwhile", async () => {
    const { hear, relist, approve, clear, inbox } = await inboxOf([approval("a1"), approval("a2")]);
    const list = await relist();
    await (await approve("a1")).answer({ result: "committed" });
    await hear(approval("a1", { state: "approved" }));
    clear();
    await list.answer({ items: [approval("a1"), approval("a2")] });
    expect(inbox.get().cards.map((card) => card.approval.id)).toEqual(["a2"]);
  });

  test("INBOX-MODEL-2: an approval that is requested while a full inbox reads on is shown if there is room", async () => {
    const all = Array.from({ length: 130 }, (_, n) => approval(`a${n}`, { askedAt: 1000 + n }));
    const { wire, hear, card, inbox } = await inboxOf(all.slice(0, 100), "more");
    await hear(...all.slice(0, 85).map((each) => ({ ...each, state: "approved" })));
    const list = await wire.take(LIST);
    await hear(approval("late", { askedAt: 5000 }));
    await list.answer({ items: all.slice(85) });
    await (await wire.take("/v1/approvals/late")).answer(approval("late", { askedAt: 5000 }));
    await vi.waitFor(() => expect(card("late")).toBeDefined());
    expect(inbox.get().hasMore).toBe(false);
  });

  test("HEARD-3: a card that a list lacked opens again once a later list has its approval", async () => {
    const { relist, phase } = await inboxOf([approval("a1")]);
    await (await relist()).answer({ items: [] });
    expect(phase("a1")).toMatchObject({ is: "gone" });
    await (await relist()).answer({ items: [approval("a1")] });
    expect(phase("a1")).toEqual({ is: "open" });
  });

  test("Panel: a list that could not be read says so, and is read again soon", async () => {
    const { wire, relist, inbox } = await inboxOf([approval("a1")]);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await (await relist()).fail();
    expect(inbox.get().failure?.code).toBe("UNREACHABLE");
    await vi.advanceTimersByTimeAsync(10_000);
    await (await wire.take(LIST)).answer({ items: [approval("a1")] });
    expect(inbox.get().failure).toBeUndefined();
  });
});

describe("a reply to an answer", () => {
  const BY_BEA = { state: "approved", by: "bea", via: "panel", updatedAt: 7 };
  const GONE = { is: "gone", why: "Approved by bea (panel)." };

  test("INBOX-SENDING-2: that counts the answer as one of several opens no card whose last vote came first", async () => {
    const { hear, approve, phase } = await inboxOf([approval("a1")]);
    const sent = await approve("a1");
    await hear(approval("a1", BY_BEA));
    await sent.answer({ result: "counted" });
    expect(phase("a1")).toEqual(GONE);
  });

  test("INBOX-SENDING-2: that is lost opens no card whose approval has ended", async () => {
    const { hear, approve, phase } = await inboxOf([approval("a1")]);
    const sent = await approve("a1");
    await hear(approval("a1", BY_BEA));
    await sent.fail();
    expect(phase("a1")).toEqual(GONE);
  });

  test("INBOX-SENDING-2: that is lost: once the engine is back, the card shows how the approval ended", async () => {
    const { wire, approve, phase, isAnswerable } = await inboxOf([approval("a1")]);
    await (await approve("a1")).fail();
    wire.lose();
    await (await wire.take("/v1/approvals/a1")).fail();
    expect(isAnswerable("a1")).toBe(true);
    wire.say("ready", "log-11");
    await (await wire.take("/v1/approvals/a1")).answer(approval("a1", BY_BEA));
    expect(phase("a1")).toEqual(GONE);
  });

  test("Panel: once the engine is back, a card whose answer was lost says that it was not saved", async () => {
    const { wire, approve, phase } = await inboxOf([approval("a1")]);
    await (await approve("a1")).fail();
    wire.lose();
    await (await wire.take("/v1/approvals/a1")).fail();
    wire.say("ready", "log-11");
    await (await wire.take("/v1/approvals/a1")).answer(approval("a1"));
    expect(phase("a1")).toMatchObject({ is: "open", failure: { code: "NOT_SAVED" } });
  });
});

describe("a reading of one approval", () => {
  test("HEARD-4: that is answered late hides no newer vote, and still brings the input", async () => {
    const { wire, hear, read, card } = await inboxOf([approval("a1")]);
    const short = { input: undefined, inputBytes: 20_000, inputHash: "long" };
    read("a1");
    const asked = await wire.take("/v1/approvals/a1");
    await hear(approval("a1", { ...short, updatedAt: 7, votes: [{ by: "bea" }] }));
    await asked.answer(approval("a1", { inputHash: "long", input: { to: "ann" }, votes: [] }));
    expect(card("a1")?.approval).toMatchObject({ votes: [{ by: "bea" }], input: { to: "ann" } });
  });

  test("HEARD-4: an input is never shown under the hash of another, and what a newer view lacks is gone", async () => {
    const { hear, card } = await inboxOf([approval("a1", { maybeAnswered: true })]);
    await hear(approval("a1", { input: undefined, inputBytes: 20_000, inputHash: "h", updatedAt: 2 }));
    expect(card("a1")?.approval.input).toEqual({ to: "bob" });
    expect(card("a1")?.approval).not.toHaveProperty("maybeAnswered");
    await hear(approval("a1", { input: undefined, inputBytes: 20_000, inputHash: "other", updatedAt: 3 }));
    expect(card("a1")?.approval).not.toHaveProperty("input");
  });
});

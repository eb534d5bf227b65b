// The rest of the inbox of several engines
// Rules, dead letters, figures and audit heads of all engines, and what a request about one of them does at its own engine.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { at, textAt } from "../../support/engine/json.ts";
import { asks, HASH, json, type Team, team } from "../../support/peers/team.ts";

const itemsIn = (body: unknown): readonly unknown[] => at(body, "items") as readonly unknown[];
const named = (body: unknown, name: string) =>
  itemsIn(body).map((item) => [textAt(item, "engine"), at(item, name)]);

let all: Team;
beforeEach(async () => {
  all = await team();
});
afterEach(() => all.stop());

/** Sends what the engine refuses, which then has a dead letter. */
async function wrongs(engine: "shop" | "web" | "hub"): Promise<void> {
  const headers = {
    Authorization: `Bearer ${all.token(engine, engine === "hub" ? "ann" : "bob")}`,
    "Content-Type": "application/json",
  };
  const sent = await fetch(`${all[engine].url}/v1/events`, { method: "POST", headers, body: "{" });
  expect(sent.status).toBe(400);
}

/** The event that the waiting call of a session has run. */
const ran = (workspace: string, session: string): object => ({
  ...{ specversion: "1.0", id: `${session}-ran`, source: "/gateway", type: "tool.finished" },
  subject: `${workspace}/${session}`,
  data: { toolUseId: `t-${session}`, tool: "Bash", output: "done" },
});

describe("the rest of one inbox", () => {
  it("PEERS-NUMBERED-1: dead letters of all engines, page by page; a retry and a dismissal reach the engine that is named", async () => {
    for (const engine of ["shop", "hub", "web", "shop"] as const) await wrongs(engine);
    const { body } = await all.askAll("/v1/dead-letters");
    expect(named(body, "n").toSorted()).toEqual(
      [
        ["shop", 2],
        ["web", 1],
        [undefined, 1],
        ["shop", 1],
      ].toSorted(),
    );
    const paged: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await all.askAll(
        `/v1/dead-letters?limit=1${cursor === undefined ? "" : `&cursor=${cursor}`}`,
      );
      paged.push(...named(page.body, "n"));
      cursor = textAt(page.body, "nextCursor");
    } while (cursor !== undefined);
    expect(paged).toEqual(named(body, "n"));
    const dismissed = await all.ask("/v1/dead-letters/dismissal?engine=shop", json({ letters: [1] }));
    expect(dismissed.status).toBe(200);
    const after = await all.askAll("/v1/dead-letters");
    expect(itemsIn(after.body).filter((letter) => at(letter, "dismissed") !== undefined)).toMatchObject([
      { engine: "shop", n: 1, dismissed: { by: "http:hub/ann" } },
    ]);
    expect((await all.ask("/v1/dead-letters?cursor=c2hvcA")).status).toBe(400);
  });

  it("PEERS-PAGES-1: alarms of all engines, newest first, each with the engine that raised it", async () => {
    for (const engine of ["shop", "hub", "web"] as const) {
      const id = await asks(all[engine], engine, `${engine}1`);
      const denied = await all.ask(`/v1/approvals/${id}/decision`, json({ decision: "deny" }));
      expect(textAt(denied.body, "result")).toBe("accepted");
      await all[engine].send([ran(engine, `${engine}1`)]);
    }
    const { body } = await all.askAll("/v1/alarms");
    expect(named(body, "state")).toEqual([
      ["web", "executedAfterDenial"],
      [undefined, "executedAfterDenial"],
      ["shop", "executedAfterDenial"],
    ]);
  });

  it("PEERS-NUMBERED-1: rules of all engines; one is removed at the engine that is named, though others have its id", async () => {
    const rule = { effect: "allow", tool: "Bash", match: { kind: "prefix", text: "git status" } };
    for (const [workspace, query] of [
      ["web", "?engine=web"],
      ["hub", ""],
    ] as const)
      expect((await all.ask(`/v1/rules${query}`, json({ workspace, ...rule }))).status).toBe(200);
    const { body } = await all.askAll("/v1/rules");
    expect(named(body, "workspace")).toEqual([
      [undefined, "hub"],
      ["web", "web"],
    ]);
    const [id] = itemsIn(body).flatMap((each) => (at(each, "engine") === "web" ? [textAt(each, "id")] : []));
    const removed = await all.ask(`/v1/rules/${id ?? ""}?engine=web`, { method: "DELETE" });
    expect(removed.status).toBe(200);
    expect(named((await all.askAll("/v1/rules")).body, "workspace")).toEqual([[undefined, "hub"]]);
  });

  it("PEERS-FIGURES-1, PEERS-LISTS-1: figures are of all engines, audit heads of each, and who is missing is named", async () => {
    await asks(all.hub, "hub", "h1");
    for (const [engine, session] of [
      ["shop", "s1"],
      ["web", "w1"],
    ] as const) {
      const id = await asks(all[engine], engine, session);
      const answered = await all.ask(
        `/v1/approvals/${id}/decision`,
        json({ decision: "approve", inputHash: HASH }),
      );
      expect(answered.status).toBe(200);
    }
    const { body } = await all.askAll("/v1/answers?limit=9");
    expect(at(body, "all")).toMatchObject({ asked: 3, person: 2, waiting: 1, waitMs: { count: 2 } });
    expect(at(body, "all", "waitMs", "p50")).toBeUndefined();
    expect(
      itemsIn(body)
        .map((item) => textAt(item, "engine"))
        .toSorted(),
    ).toEqual(["shop", "web", undefined]);
    const series = await all.askAll("/v1/stats/series?span=15m");
    const asked = itemsIn(series.body).map((interval) => Number(at(interval, "asked")));
    expect(asked.reduce((sum, each) => sum + each, 0)).toBe(3);
    const heads = await all.askAll("/v1/audit/heads");
    expect(itemsIn(heads.body).map((head) => textAt(head, "engine"))).toEqual([undefined, "shop", "web"]);
    const names = itemsIn(heads.body).map((head) => textAt(head, "checkpoint")?.split("\n")[0]);
    expect(new Set(names).size).toBe(3);
    await all.web.stop();
    for (const path of ["dead-letters", "rules", "answers", "stats/series", "audit/heads"])
      expect((await all.ask(`/v1/${path}`)).body, path).toMatchObject({ partial: ["web"] });
  });
});

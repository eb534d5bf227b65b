// Export of several engines
// What `export` prints at an engine that shows the sessions of two others.

import { afterAll, beforeAll, expect, it } from "vitest";
import { at, textAt } from "../../../support/engine/json.ts";
import { asks, type Team, team } from "../../../support/peers/team.ts";
import { deskForAll } from "../../../support/processes/desk-for-all.ts";
import { jsonLines } from "../../../support/processes/program.ts";

/** What a session with a waiting approval has, in the order in which it is printed. */
const KINDS = ["session", "request", "call", "approval", "change"];

const desk = deskForAll();
let all: Team;
beforeAll(async () => {
  all = await team();
});
afterAll(() => all.stop());

it("PEERS-LISTS-1, CLI: export has the sessions of all engines, each with its requests, calls, approvals and changes", async () => {
  for (const engine of ["shop", "web", "hub"] as const) await asks(all[engine], engine, `${engine}1`);
  const { code, out } = await desk.run(["export", "--url", all.hub.url ?? ""], {
    env: { SIGNALBOX_TOKEN: all.token("hub", "ann") },
  });
  expect(code).toBe(0);
  const lines = jsonLines(out);
  for (const engine of ["shop", "web", "hub"]) {
    const own = lines.filter((line) => textAt(line, "workspace") === engine);
    expect([...new Set(own.map((line) => textAt(line, "kind")))]).toEqual(KINDS);
    expect(new Set(own.map((line) => at(line, "engine")))).toEqual(
      new Set([engine === "hub" ? undefined : engine]),
    );
  }
});

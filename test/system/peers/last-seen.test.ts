// Last seen
// What the inbox shows of an engine that is away: what that engine last told the same user, with nothing to press.

import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addToken, dataFolder, removeToken } from "../../../adapters/data-folder/index.ts";
import { createEngine } from "../../../adapters/index.ts";
import { at, textAt } from "../../support/engine/json.ts";
import { asks, HASH, json, type Team, team } from "../../support/peers/team.ts";
import { windowsForAll } from "../../support/panel/for-tests.ts";
import { deskForAll } from "../../support/processes/desk-for-all.ts";

/** As the panel and the command ask. */
const WAITING = "/v1/approvals?state=pending&order=oldest&with=call,session&limit=1000";

const desk = deskForAll();
const windows = windowsForAll();
let all: Team;
beforeEach(async () => {
  all = await team();
});
afterEach(() => all.stop());

type Item = readonly [id: string | undefined, engine: string | undefined, isLastSeen: boolean];

const rowsIn = (body: unknown): readonly Item[] =>
  (at(body, "items") as readonly unknown[]).map((item) => [
    textAt(item, "id"),
    textAt(item, "engine"),
    typeof at(item, "lastSeenAt") === "number",
  ]);

const waiting = async (path = WAITING) => rowsIn((await all.ask(path)).body);

/** Stops an engine, and waits until the third one knows. */
async function leaves(engine: "shop" | "web"): Promise<void> {
  await all[engine].stop();
  await expect
    .poll(async () => (await all.ask("/readyz")).body)
    .toMatchObject({ reasons: [{ code: "PEERS_SILENT" }] });
}

/** Waits until the third engine hears both others: what they told before that is forgotten. */
async function heard(): Promise<void> {
  for (const engine of ["shop", "web"] as const) {
    const headers = { Authorization: `Bearer ${all.token(engine, "bob")}` };
    const metrics = async () => (await fetch(`${all[engine].url}/metrics`, { headers })).text();
    await expect.poll(metrics).toMatch(/^signalbox_followers 1$/m);
  }
}

describe("an engine that is away", () => {
  it("LAST-SEEN-1, PEERS-LISTS-1: its approvals are shown as last seen to whom it told them, and to nobody else; none can be answered", async () => {
    await heard();
    await asks(all.shop, "shop", "s1");
    await asks(all.web, "web", "w1");
    await all.askAll(WAITING);
    // Asked for one by one as they come, as the panel does.
    const [later, unasked, answered] = [
      await asks(all.shop, "shop", "s2"),
      await asks(all.shop, "shop", "s3"),
      await asks(all.shop, "shop", "s4"),
    ];
    for (const id of [later, answered])
      expect((await all.ask(`/v1/approvals/${id}?workspace=shop&with=call,session`)).status).toBe(200);
    const denied = await all.ask(`/v1/approvals/${answered}/decision`, json({ decision: "deny" }));
    expect(denied.status).toBe(200);
    await sleep(2_000);
    const before = Date.now();
    await leaves("shop");

    const { body } = await all.ask(WAITING);
    expect(rowsIn(body)).toEqual([
      ["q-s1", "shop", true],
      ["q-w1", "web", false],
      [later, "shop", true],
    ]);
    expect(at(body, "partial")).toEqual(["shop"]);
    expect(at(body, "items", 0)).toMatchObject({ state: "pending", session: { id: "s1" } });
    expect(Number(at(body, "items", 0, "lastSeenAt"))).toBeGreaterThanOrEqual(before);
    expect(await waiting()).not.toContainEqual([unasked, "shop", true]);

    // Not in a list that ann did not ask for, not in another's, not in the counts.
    expect(await waiting("/v1/approvals?state=pending")).toEqual([["q-w1", "web", false]]);
    expect(await waiting(`${WAITING}&workspace=shop`)).toEqual([]);
    const headers = { Authorization: `Bearer ${all.token("hub", "other")}` };
    const others = await fetch(`${all.hub.url}${WAITING}`, { headers });
    expect(rowsIn(await others.json())).toEqual([["q-w1", "web", false]]);
    expect(at((await all.ask("/v1/stats")).body, "counts", "approvals", "pending")).toBe(1);

    const decided = await all.ask(
      "/v1/approvals/q-s1/decision",
      json({ decision: "approve", inputHash: HASH }),
    );
    expect([decided.status, textAt(decided.body, "error", "code")]).toEqual([503, "PEER_SILENT"]);
    expect(textAt(decided.body, "error", "message")).toContain("shop");

    const env = { SIGNALBOX_TOKEN: all.token("hub", "ann"), SIGNALBOX_URL: all.hub.url ?? "" };
    const told = await desk.run(["approvals"], { env });
    expect(told.err).toContain("Not all is shown: shop does not answer.");
    expect(told.out.replaceAll(/\s+/g, " ")).toMatch(
      /shop has been away since \d\d:\d\d; this approval was waiting then\. It can be answered once shop is back\./,
    );
    expect(told.out).not.toContain("approve q-s1");
    expect(told.out).toContain("npx signalbox approve q-w1");
    const short = (await desk.run(["approvals", "--short"], { env })).out;
    expect(short.split("\n").find((line) => line.includes("q-s1"))).toMatch(/shop away since \d\d:\d\d/);
    const approved = await desk.run(["approve", "q-s1"], { env });
    expect([approved.code, approved.err]).toEqual([1, expect.stringContaining("shop does not answer")]);

    // Whoever gets ann's name with another token has seen nothing yet.
    const folder = dataFolder(all.dirOf("hub"), {});
    await removeToken(folder, "ann");
    await addToken(folder, "ann");
    await expect.poll(async () => (await all.ask("/v1/me")).status).toBe(200);
    expect(await waiting()).toEqual([["q-w1", "web", false]]);
  });

  it("LAST-SEEN-1: once it is back, its own answer counts, and what it told before is gone", async () => {
    await heard();
    await asks(all.shop, "shop", "s1");
    await all.askAll(WAITING);
    const { port } = new URL(all.shop.url ?? "");
    await leaves("shop");
    expect(await waiting()).toEqual([["q-s1", "shop", true]]);
    const shop = await createEngine({ dataDir: all.dirOf("shop"), port: Number(port) });
    try {
      await expect.poll(() => waiting()).toEqual([["q-s1", "shop", false]]);
      await expect
        .poll(async () => (await all.ask("/readyz")).body, { timeout: 40_000 })
        .toEqual({ ready: true });
      const decision = json({ decision: "approve", inputHash: HASH });
      expect((await all.ask("/v1/approvals/q-s1/decision", decision)).status).toBe(200);
      await expect.poll(() => waiting()).toEqual([]);
    } finally {
      await shop.stop();
    }
    await expect.poll(async () => at((await all.ask(WAITING)).body, "partial")).toEqual(["shop"]);
    expect(await waiting()).toEqual([]);
  });

  it("Panel, LAST-SEEN-1: its cards say since when it is away, have no buttons and take no key", async () => {
    await heard();
    await asks(all.shop, "shop", "s1");
    await asks(all.web, "web", "w1");
    const page = await windows.open({ url: all.hub.url ?? "", token: all.token("hub", "ann") });
    await expect.poll(() => page.locator(".card.open").count()).toBe(2);
    await asks(all.shop, "shop", "s2");
    await expect.poll(() => page.locator(".card.open").count()).toBe(3);
    await leaves("shop");
    const away = page.locator(".card.open", { hasText: /shop is away since \d\d:\d\d\./ });
    await expect.poll(() => away.count()).toBe(2);
    // A page that is opened now shows the same.
    await page.reload();
    await expect.poll(() => away.count()).toBe(2);
    await page.getByText("Not all is shown: shop does not answer.").waitFor();

    await away.first().click();
    const chosen = page.locator(".card.open[aria-current=true]:not(.settling)");
    await chosen
      .getByText(
        /shop has been away since \d\d:\d\d; this approval was waiting then\. It can be answered once shop is back\./,
      )
      .waitFor();
    expect(await chosen.getByRole("button", { name: /Approve|Deny/ }).count()).toBe(0);
    await page.keyboard.press("a");
    await page.keyboard.press("d");
    await sleep(500);
    expect(await page.locator(".card.open").count()).toBe(3);
    expect(await page.locator("textarea").count()).toBe(0);
    await chosen.getByText("Not known while its engine is away.").waitFor();
    // The page does not call unknown what it shows.
    await page.reload();
    await expect.poll(() => away.count()).toBe(2);
    await sleep(500);
    expect(await page.locator(".elsewhere").count()).toBe(0);
  });
});

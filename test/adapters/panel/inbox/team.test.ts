// Panel: a team
// Two people at one inbox: each sees what the other does with an approval.

import { expect, it } from "vitest";
import { findingsOn, withAxe } from "../../../support/panel/axe.ts";
import { CHOSEN } from "../../../support/panel/choose.ts";
import { asked, servedForEach, windowsForAll } from "../../../support/panel/for-tests.ts";
import { event, TOKEN } from "../../../support/http/served.ts";

const windows = windowsForAll();
const tokenOf = (name: string): string => `the-token-of-${name}`;
const TOKENS = ["ann", "ben"].map((name) => ({ name: `http:${name}`, token: tokenOf(name) }));
const engine = servedForEach(
  asked({ tool: "Bash", toolUseId: "t1", input: { command: "make release" } }),
  () => ({ place: { tokens: [...TOKENS, { name: "local:tester", token: TOKEN }] } }),
);
const at = (name: string) => ({ url: engine.now.url, token: tokenOf(name) });

it("TEAM-LOOKING-1: whoever chose an approval is named in its row to others, until they go on", async () => {
  const ann = await windows.openAt(at("ann"), "#/inbox/a1", CHOSEN);
  const ben = await windows.openAt(at("ben"), "#/", ".card.open");
  const lookers = ben.locator(".card .lookers");
  await expect.poll(() => lookers.allTextContents()).toEqual(["Looking now: ann"]);
  expect(await ann.locator(".card .lookers").count()).toBe(0);
  await ann.keyboard.press("2");
  await expect.poll(() => lookers.count()).toBe(0);
});

const rowOf =
  (page: { locator(selector: string): { allTextContents(): Promise<readonly string[]> } }) => () =>
    page.locator(".card .lookers").allTextContents();

it("WATCH-4: whoever it is assigned to by the key is notified, and reads it in the row, also later; then somebody takes it back", async () => {
  const ben = await windows.open(at("ben"), { permissions: ["notifications"] });
  await ben.keyboard.press("n");
  await ben.getByLabel(/^Notify me/).check();
  await ben.keyboard.press("Escape");
  await ben.evaluate(`Object.defineProperty(document, "hidden", { get: () => true, configurable: true })`);
  const ann = await windows.openAt(at("ann"), "#/inbox/a1", CHOSEN);
  await withAxe(ann);
  await ann.reload();
  await ann.getByText("Assign to somebody").waitFor();
  await ann.keyboard.press("t");
  await ann.keyboard.type("ben");
  await ann.keyboard.press("Enter");
  await ann.getByText(/^Assigned to ben by you, /).waitFor();
  expect(await rowOf(ann)()).toEqual(["For ben"]);
  const titles = () =>
    ben.evaluate<readonly string[]>(`navigator.serviceWorker.getRegistration("/app/").then(async (it) =>
      ((await it?.getNotifications()) ?? []).map(({ title }) => title))`);
  await expect.poll(titles, { timeout: 15_000 }).toEqual(["Assigned to you: An approval waits in Signalbox"]);
  expect(await findingsOn(ann)).toEqual([]);
  const later = await windows.openAt(at("ben"), "#/", ".card.open");
  await expect.poll(rowOf(later)).toEqual(["For you", "Looking now: ann"]);
  await ann.getByRole("button", { name: "Take it back" }).press("Enter");
  await expect.poll(rowOf(later)).toEqual(["Looking now: ann"]);
});

it("Panel: the form that assigns offers who answered in the workspace of late, and no program or rule", async () => {
  const more = { approvalId: "a2", toolUseId: "t2", tool: "Bash", input: { command: "make docs" } };
  await engine.now.post("/v1/events", event("approval.requested", more));
  const answered = await fetch(`${engine.now.url}/v1/approvals/a2/decision`, {
    method: "POST",
    headers: { Authorization: `Bearer ${tokenOf("ben")}`, "Content-Type": "application/json" },
    body: JSON.stringify({ decision: "deny" }),
  });
  expect(answered.status).toBe(200);
  const ann = await windows.openAt(at("ann"), "#/inbox/a1", CHOSEN);
  await ann.getByText("Assign to somebody").waitFor();
  const offered = () =>
    ann.evaluate<readonly string[]>(
      `[...document.querySelectorAll("#names-to-assign option")].map(({ value }) => value)`,
    );
  expect(await offered()).toEqual(["ann"]);
  await ann.keyboard.press("t");
  await expect.poll(offered).toEqual(["ben", "ann"]);
});

it("FILTER-1: of several, the reader finds what is assigned to them, and may save that as a view", async () => {
  const more = { approvalId: "a2", toolUseId: "t2", tool: "Bash", input: { command: "make docs" } };
  await engine.now.post("/v1/events", event("approval.requested", more));
  await engine.now.post("/v1/approvals/a2/assignment", { to: "\u202eann<b>" });
  await engine.now.post("/v1/approvals/a1/assignment", { to: "ben" });
  const ben = await windows.openAt(at("ben"), "#/", ".card.open");
  await ben.getByLabel("Assignee").selectOption("Assigned to me");
  await expect.poll(rowOf(ben)).toEqual(["For you"]);
  await ben.getByRole("button", { name: "Save this view…" }).waitFor();
  await ben.getByLabel("Assignee").selectOption("Any assignee");
  await expect.poll(async () => (await rowOf(ben)()).toSorted()).toEqual(["For <U+202E>ann<b>", "For you"]);
});

it("FILTER-VIEWS-1: a view that was saved before there was a filter by assignee still shows the same", async () => {
  await engine.now.post("/v1/approvals/a1/assignment", { to: "ben" });
  const ben = await windows.openAt(at("ben"), "#/", ".card.open");
  const filter = { text: "", tool: "Bash", session: "", workspace: "", risk: "" };
  const views = JSON.stringify([{ name: "Shells", filter }]);
  await ben.evaluate(`localStorage.setItem("signalbox.views/http:ben", ${JSON.stringify(views)})`);
  await ben.goto("/?again#/?tool=Bash&assignee=ben");
  const view = ben.getByRole("button", { name: "Shells" });
  await view.click();
  await expect.poll(() => view.getAttribute("aria-pressed")).toBe("true");
  expect(new URL(ben.url()).hash).toBe("#/?tool=Bash");
});

// Panel: with others
// Two people at one engine through a proxy that ends TLS, each with a token of their own, until one is taken away.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseNext } from "../../../support/panel/choose.ts";
import { windowsForAll } from "../../../support/panel/for-tests.ts";
import { createEngine } from "../../../../adapters/index.ts";
import { keys } from "../../../../runtime/rows/keys.ts";
import { at } from "../../../support/engine/json.ts";
import { Desk } from "../../../support/processes/program.ts";
import { tlsProxy, type TlsProxy } from "../../../support/http/tls-proxy.ts";

const windows = windowsForAll();
let desk: Desk;
let proxy: TlsProxy;
beforeAll(async () => {
  desk = new Desk();
  proxy = await tlsProxy("localhost");
}, 180_000);
afterAll(async () => {
  await desk.clear();
  await proxy.stop();
});

const data = () => join(desk.dir, "data");
const done = async (...args: readonly string[]): Promise<string> => {
  const { code, out, err } = await desk.run(args);
  expect([code, err]).toEqual([0, ""]);
  return out;
};

describe("the panel: with others", () => {
  it("DOOR-3, HOLDERS-2: the other's window, show and the audit name who answers; removing a token ends its panel", async () => {
    for (const name of ["ada", "bob", "eve"]) await done("token", "add", name);
    expect(await done("token", "ls")).toMatch(
      /^name +since +may +in\nada +\d+s .+\nbob +\d+s .+\neve +\d+s .+\n$/,
    );
    const origin = `https://localhost:${proxy.port}`;
    const { engine, url } = await desk.up("--public", "--name", origin);
    proxy.to(Number(new URL(url).port));
    await engine.said(new RegExp(`^Others: ${origin}/\\?token=… with a token of their own`, "m"));
    const tokenOf = (name: string) => readFileSync(join(data(), "tokens", name), "utf8").trim();
    const open = (name: string) =>
      windows.open({ url: origin, token: tokenOf(name) }, { ignoreHTTPSErrors: true });

    const inputOf = (command: string) => ({ requestId: "r1", tool: "Bash", input: { command } });
    await done("emit", "request.created", "--subject", "w/s", "--body", '{"requestId":"r1"}');
    for (const approvalId of ["q1", "q2"])
      await done(
        "emit",
        "approval.requested",
        "--subject",
        "w/s",
        "--body",
        JSON.stringify({ ...inputOf(`ls ${approvalId}`), approvalId }),
      );

    const [ada, bob, eve] = [await open("ada"), await open("bob"), await open("eve")];
    expect([ada.url(), await ada.evaluate("document.referrer")]).toEqual([`${origin}/`, ""]);
    const tools = await ada.context().newCDPSession(ada);
    const { entries } = await tools.send("Page.getNavigationHistory");
    expect(entries.map(({ url }) => url)).toEqual(["about:blank", `${origin}/`]);
    const cookies = await ada.context().cookies();
    expect(cookies).toMatchObject([{ secure: true, httpOnly: true, sameSite: "Strict" }]);
    await bob.locator(".card.open").nth(1).waitFor();
    await ada.locator(".card.open").nth(1).waitFor();
    await chooseNext(ada);
    await ada.keyboard.press("a");
    await ada.locator(".card.committed").waitFor();
    expect(await bob.locator(".card.gone .reason").textContent()).toBe("Approved by http:ada (panel).");
    expect(await done("show", "q1")).toMatch(/^by +http:ada$/m);

    const asBob = { SIGNALBOX_TOKEN: tokenOf("bob") };
    expect((await desk.run(["deny", "q2"], { env: asBob })).code).toBe(0);
    expect(await done("show", "q2")).toMatch(/^by +http:bob$/m);

    expect(await done("token", "rm", "eve")).toContain("eve has no token any more");
    await eve.locator(".link.signed-out").waitFor();
    expect(await eve.locator("main").textContent()).not.toContain("undefined");
    expect((await desk.run(["ls"], { env: { SIGNALBOX_TOKEN: "x".repeat(43) } })).code).toBe(1);
    expect((await desk.run(["token", "rm", "eve"])).err).toContain("eve has no token in");
    expect(await ada.locator(".link.live").count()).toBe(1);
    await eve.reload();
    expect(await eve.locator("body").textContent()).toContain("You are not signed in.");

    engine.child.kill("SIGTERM");
    const { err } = await engine.ended;
    for (const name of ["ada", "bob"]) expect(err).not.toContain(tokenOf(name));
    const after = await createEngine({ dataDir: data() });
    const rows = [...after.engine.store.range({ gte: keys.audits, lt: "audit0" })].map(([, row]): unknown =>
      JSON.parse(row),
    );
    await after.stop();
    expect(rows.map((row) => [at(row, "approvalId"), at(row, "by")])).toEqual([
      ["q1", "http:ada"],
      ["q2", "http:bob"],
    ]);
    expect(windows.troubles.splice(0)).toEqual([]);
  });
});

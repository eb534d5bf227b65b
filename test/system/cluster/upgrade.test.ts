// Upgrade: a cluster changes its version under load, in place, while approvals wait.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { STREAMS } from "../../../adapters/nats/streams.ts";
import { ENGINE } from "../../../runtime/message.ts";
import { subjects } from "../../../runtime/rows/subjects.ts";
import { type Nodes, nodes, type Told } from "../../support/cluster/nodes.ts";
import { approved, asks, gated, load, published, sessions, watched } from "../../support/cluster/traffic.ts";
import { textAt } from "../../support/engine/json.ts";
import { build, copyBuilt } from "../../support/processes/program.ts";

const TEST_MS = 600_000;
const NEXT = "99.0.0";

let all: Nodes;
let program: string;
beforeAll(build, TEST_MS);
beforeEach(async () => {
  all = await nodes();
  program = copyBuilt(join(all.desk.dir, "installed"));
  all.program = program;
}, TEST_MS);
afterEach(() => all.clear(), TEST_MS);

/** Puts another version where the running one was started from. */
function install(version: string): void {
  const file = join(all.desk.dir, "installed", "package.json");
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, "utf8")) as object), version }));
}

/** The version of each journal's newest term. */
async function newest(): Promise<readonly (string | undefined)[]> {
  return Promise.all(
    ["P0", "P1"].map(async (user) => {
      const { streams } = await (await all.as(user.toLowerCase(), user)).jetstreamManager();
      const { data } = await streams.getMessage(STREAMS.journal, {
        last_by_subj: subjects.own(ENGINE.workspace, ENGINE.session, "term.begun"),
      });
      return textAt(JSON.parse(new TextDecoder().decode(data)), "said", "build");
    }),
  );
}

test(
  "CLUSTER-SEAM-1, SHARED-SIDE-4, SERVE-3, CLI-CLUSTER-UPGRADE-1: all engines change their version at one entry; what waited is answered, also a service that waits over HTTP; nothing is lost or published twice, and no term has two versions",
  async () => {
    const early = await all.desk.run(["cluster", "upgrade", all.dir]);
    expect([early.code, early.err]).toEqual([1, expect.stringContaining("No owner answers for p0, p1")]);
    for (const name of ["a", "b"]) all.start(name);
    expect(await all.status("--wait", "120")).toMatchObject({ code: 0 });
    const isBalanced = ({ owner, preferred, whole }: Told): boolean => whole && owner === preferred;
    await expect
      .poll(async () => (await all.status()).rows.map(isBalanced), { timeout: 200_000 })
      .toEqual([true, true]);
    const stop = await load(all);
    await asks(all, "q1");
    const waiting = gated(all, "q2");
    await sleep(1_000);

    install(NEXT);
    const pauses = watched(all);
    const upgraded = await all.desk.run(["cluster", "upgrade", all.dir, "--json"]);
    expect([upgraded.code, upgraded.err]).toEqual([0, expect.stringContaining("start again")]);
    const longest = (await pauses()).map((ms) => `${ms.toFixed(0)} ms`);
    process.stdout.write(`the longest time without a ready engine: ${longest.join(", ")}\n`);
    await approved(all, "q1", "b");
    await approved(all, "q2", "a");
    expect(await waiting).toMatchObject({ approvalId: "q2", decision: "allow" });
    const sent = await stop();
    const applied = async (): Promise<readonly string[]> =>
      (await sessions(all)).filter((each) => !each.startsWith("chat/"));
    await expect.poll(async () => (await applied()).length, { timeout: 60_000 }).toBe(sent.length);
    expect(await applied()).toEqual(sent);
    const changes = await published(all);
    const begun = changes.filter(([subject]) => /\.w\d+\.s\d+\.session\./.test(subject));
    expect(begun.filter(([, count]) => count !== 1)).toEqual([]);
    expect(begun).toHaveLength(sent.length);
    expect(changes.filter(([subject]) => subject.endsWith(".approved")).map(([, count]) => count)).toEqual([
      1, 1,
    ]);
    expect(await newest()).toEqual([NEXT, NEXT]);

    // A node with the old version is refused, and leaves its folder as it was; with the new one it comes back.
    await all.end("b", "SIGTERM");
    install("0.0.1");
    all.start("b");
    await all.node("b").said(/p1: .*has version 99\.0\.0, and this engine is version 0\.0\.1/);
    await all.end("b", "SIGTERM");
    install(NEXT);
    all.start("b");
    expect(await all.status("--wait", "120")).toMatchObject({ code: 0 });
  },
  TEST_MS,
);

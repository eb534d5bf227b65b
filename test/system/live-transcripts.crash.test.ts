// Live transcripts: crash
// The built engine, killed with -9 while transcripts grow: what it was not told while it was away, it reads when it is back.

import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { listAt, textAt } from "../support/engine/json.ts";
import { prove } from "../support/oracle/oracle.ts";
import { build, Desk } from "../support/processes/program.ts";
import { engineOf } from "../support/processes/processes.ts";
import { until } from "../support/sessions/following.ts";
import { append, asHeardLive, Projects, type Step, stepsOf } from "../support/sessions/live.ts";
import { type Recording, recording } from "../support/sessions/recording.ts";
import { bySocket } from "../support/http/by-socket.ts";

let desk: Desk;
let projects: Projects;
beforeAll(build, 180_000);
beforeEach(() => {
  desk = new Desk();
  projects = new Projects();
});
afterEach(async () => {
  await desk.clear();
  projects.clear();
});

class Client {
  readonly #ask = bySocket(join(desk.dir, "data"));

  async take(step: Step): Promise<void> {
    if (step.do === "append") {
      append(step);
      return;
    }
    const request = { method: "POST", body: JSON.stringify(step.payload) };
    expect((await this.#ask("/v1/hooks/claude-code", request)).status).toBe(200);
  }

  async metrics(): Promise<string> {
    return (await this.#ask("/metrics")).text();
  }

  /** Each call's end and its cause, by session and id. */
  async ends(): Promise<readonly string[]> {
    const get = async (path: string): Promise<readonly unknown[]> =>
      listAt(await (await this.#ask(path)).json(), "items");
    const ends: string[] = [];
    for (const session of await get("/v1/sessions")) {
      const id = textAt(session, "id") ?? "";
      for (const call of await get(`/v1/sessions/${id}/tool-calls?limit=1000`)) {
        const cause = textAt(call, "denial", "cause") ?? textAt(call, "missing", "cause");
        ends.push([id, textAt(call, "id"), textAt(call, "execution"), cause].filter(Boolean).join(" "));
      }
    }
    return ends.sort();
  }
}

const proven = (found: Recording): readonly string[] =>
  prove(asHeardLive(found), "all")
    .map(({ sessionId, toolUseId, execution, cause }) =>
      [sessionId, toolUseId, execution, cause].filter(Boolean).join(" "),
    )
    .sort();

test.each(["s3-permreq-deny-interrupt", "t1-tui-deny-esc", "s6-subagent"])(
  "G1, G7, TRANSCRIPTS-PLACES-1: %s: killed in the middle and before the last lines, each end is what hooks and transcripts prove",
  async (name) => {
    const found = recording(name);
    const steps = stepsOf(found, projects);
    const { engine } = await desk.up("--transcripts", projects.root);
    const client = new Client();
    let isAway = false;
    const isBack = async (): Promise<void> => {
      if (isAway) await engine.said(/runs again at/);
      isAway = false;
    };
    const appends = steps.flatMap((step, n) => (step.do === "append" ? [n] : []));
    // The lines after these kills no hook tells before the engine is back.
    const kills = [appends.at(appends.length / 2), appends.at(-3)];
    for (const [n, step] of steps.entries()) {
      if (kills.includes(n)) {
        await isBack();
        engine.forget();
        process.kill(engineOf(engine), "SIGKILL");
        await engine.said(/The engine stopped/);
        isAway = true;
      }
      if (step.do === "hook") await isBack();
      await client.take(step);
    }
    await isBack();
    const expected = proven(found);
    await until(async () => (await client.ends()).join() === expected.join()).catch(() => undefined);
    expect(await client.ends()).toEqual(expected);
  },
);

test("TRANSCRIPTS-TAILER-1: with --transcripts off nothing is read", async () => {
  const steps = stepsOf(recording("t1-tui-deny-esc"), projects);
  await desk.up("--transcripts", "off");
  const client = new Client();
  for (const step of steps) await client.take(step);
  const hooks = prove({ ...asHeardLive(recording("t1-tui-deny-esc")), transcripts: [] }, "hooks");
  await until(async () => (await client.ends()).length === hooks.length);
  expect(await client.metrics()).not.toContain("signalbox_transcript");
});

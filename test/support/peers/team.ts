// Team
// Three engines in this process: two with sessions of their own, and one that shows both.
//
//   Owns:          starting and stopping them, their tokens, asking the third as a user of it.
//   Does not own:  what is sent and expected (the tests).

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addToken, dataFolder } from "../../../adapters/data-folder/index.ts";
import { createEngine, type SignalboxEngine } from "../../../adapters/index.ts";
import { at } from "../engine/json.ts";
import type { Access } from "../../../runtime/access-token.ts";
import { toolInput } from "../../../runtime/canonical.ts";

const INPUT = { command: "make deploy" };
export const HASH = toolInput(INPUT).hash;

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface Team {
  /** The engines with sessions. Their token for the third engine is called `hub`; the third one has such a token, `other`. */
  readonly shop: SignalboxEngine;
  readonly web: SignalboxEngine;
  readonly hub: SignalboxEngine;
  /** The token of a user. */
  readonly token: (engine: "shop" | "web" | "hub", name: string) => string;
  /** The data folder of an engine. */
  readonly dirOf: (engine: "shop" | "web" | "hub") => string;
  /** Asks the third engine as its user `ann`. */
  ask(path: string, request?: RequestInit): Promise<Reply>;
  /** Asks until no part is missing: on a busy machine, an engine may be late. */
  askAll(path: string): Promise<Reply>;
  /** Ends the third engine, and starts it again once the work is done. */
  restart(meanwhile: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

const VOUCHING: Access = { parts: new Set(["view", "decide", "manage"]), vouches: true };

/** @param ann what the user of the third engine may do there. @param before addresses that it tries before the others. */
export async function team(ann?: Access, before: readonly string[] = []): Promise<Team> {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-team-"));
  const dirOf = (name: string): string => join(dir, name);
  const token: Team["token"] = (engine, name) =>
    readFileSync(join(dirOf(engine), "tokens", name), "utf8").trim();
  for (const name of ["shop", "web"]) {
    await addToken(dataFolder(dirOf(name), {}), "hub", VOUCHING);
    await addToken(dataFolder(dirOf(name), {}), "bob");
  }
  await addToken(dataFolder(dirOf("hub"), {}), "ann", ann);
  await addToken(dataFolder(dirOf("hub"), {}), "other", VOUCHING);
  const [shop, web] = await Promise.all(
    ["shop", "web"].map((name) => createEngine({ dataDir: dirOf(name), port: 0 })),
  );
  if (!shop || !web) throw new Error("unreachable: both have started");
  const peers = join(dirOf("hub"), "peers.yaml");
  const entries = Object.entries({ shop, web }).map(
    ([name, { url = "" }]) =>
      `- { name: ${name}, urls: ${JSON.stringify([...before, url])}, tokenFile: ../${name}/tokens/hub }\n`,
  );
  writeFileSync(peers, entries.join(""), { mode: 0o600 });
  const started = () => createEngine({ dataDir: dirOf("hub"), port: 0, peers });
  let hub = await started();
  const all: Team = {
    ...{ shop, web, token, dirOf },
    get hub() {
      return hub;
    },
    async restart(meanwhile) {
      await hub.stop();
      await meanwhile();
      hub = await started();
    },
    async ask(path, request = {}) {
      const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token("hub", "ann")}` };
      const response = await fetch(`${hub.url}${path}`, { ...request, headers });
      return { status: response.status, body: await response.json() };
    },
    async askAll(path) {
      for (;;) {
        const reply = await all.ask(path);
        if (at(reply.body, "partial") === undefined) return reply;
      }
    },
    async stop() {
      await Promise.all([hub, shop, web].map((engine) => engine.stop()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
  return all;
}

/** A session of which one call waits. @returns the approval's id. */
export async function asks(engine: SignalboxEngine, workspace: string, session: string): Promise<string> {
  const [requestId, toolUseId, approvalId] = [`r-${session}`, `t-${session}`, `q-${session}`];
  const event = (type: string, data: object): object => ({
    ...{ specversion: "1.0", id: `${session}-${type}`, source: "/gateway", type },
    ...{ subject: `${workspace}/${session}`, data },
  });
  await engine.send([
    event("request.created", { requestId, prompt: `Work on ${workspace}.` }),
    event("tool.started", { requestId, toolUseId, tool: "Bash", input: INPUT }),
    event("approval.requested", { requestId, toolUseId, approvalId, tool: "Bash", input: INPUT }),
  ]);
  return approvalId;
}

export const json = (body: object): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
});

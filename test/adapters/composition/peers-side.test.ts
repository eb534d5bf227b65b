// Peers side
// The list of other engines: what a wrong one says, and what may not be in it.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { peersSideOf } from "../../../adapters/composition/cluster/peers-side.ts";
import { systemClock } from "../../../adapters/system/index.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "peers-"));
  writeFileSync(join(dir, "token"), `${"t".repeat(43)}\n`, { mode: 0o600 });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const sideOf = (given: { peers?: string; join?: string }) =>
  peersSideOf(given, { clock: systemClock(), url: () => undefined });

const failureOf = async (list: string): Promise<string> => {
  const file = join(dir, "peers.yaml");
  writeFileSync(file, list, { mode: 0o600 });
  const failed = await sideOf({ peers: file }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return failed instanceof Error ? `${String(Reflect.get(failed, "code"))}: ${failed.message}` : "none";
};

const entry = (more: string): string => `- { name: a, url: "https://a.example", tokenFile: token${more} }\n`;

it.each([
  ["- [", /PEERS_UNREADABLE: .*is no YAML/],
  ["a: 1", /PEERS_UNREADABLE: .*at its top/],
  ["- { name: A, url: 'https://a.example', tokenFile: token }", /at 0\.name: must have lower-case/],
  ["- { name: a, url: 'ftp://a.example', tokenFile: token }", /at 0\.url/],
  [entry(", token: secret"), /Unrecognized key/],
  [entry("") + entry(""), /has one name twice/],
  ["- { name: a, tokenFile: token }", /has no address of a/],
  [entry(", urls: ['https://b.example']"), /at 0: has both url and urls/],
  ["- { name: a, urls: [], tokenFile: token }", /at 0\.urls/],
  ["- { name: a, urls: ['https://a.example', 'http://a.example'], tokenFile: token }", /NEEDS_TLS/],
  ["- { name: a, url: 'https://a.example', tokenFile: nowhere }", /names nowhere, and there is no token/],
  ["- { name: a, url: 'http://a.example', tokenFile: token }", /NEEDS_TLS/],
])("PEERS-SIDE-1: the list %j refuses the start, and says why", async (list, why) => {
  expect(await failureOf(list)).toMatch(why);
});

it("PEERS-SIDE-1: a missing list refuses the start, and without a list there are no peers", async () => {
  await expect(sideOf({ peers: join(dir, "no.yaml") })).rejects.toMatchObject({
    code: "PEERS_UNREADABLE",
  });
  expect(await sideOf({})).toBeUndefined();
  expect(await failureOf(entry(""))).toBe("none");
  const pair = "- { name: a, urls: ['https://a.example', 'https://b.example'], tokenFile: token }\n";
  expect(await failureOf(pair)).toBe("none");
});

it("TUNNEL-JOIN-1: an address of the team's server without a user refuses the start, and so does a file without an address", async () => {
  const file = join(dir, "join");
  await expect(sideOf({ join: file })).rejects.toMatchObject({ code: "JOIN_UNREADABLE" });
  writeFileSync(file, "nats://team.example:4222", { mode: 0o600 });
  await expect(sideOf({ join: file })).rejects.toMatchObject({ code: "BAD_JOIN" });
  writeFileSync(file, "nats://ann-laptop:50%off@team.example:4222", { mode: 0o600 });
  await expect(sideOf({ join: file })).rejects.toMatchObject({
    code: "BAD_NATS_URL",
    next: expect.stringContaining("%25") as string,
  });
});

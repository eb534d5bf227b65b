// Peer rows
// What it costs an engine to show other engines: a list that all of them answer, and their changes as they come.
//
//   Baseline: the engine without peers. One engine stands for all peers: it is listed under many names.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { addToken, dataFolder } from "../../../adapters/data-folder/index.ts";
import { bySocket } from "../../../test/support/http/by-socket.ts";
import type { Effort } from "../../effort.ts";
import { accounted } from "../../http/account.ts";
import { quantile } from "../../measure.ts";
import { down, pidsOf, type Up, up } from "../../processes.ts";
import type { Row } from "../../report.ts";
import { scratchFolder } from "../../scratch.ts";

const PENDING = 100;
/** With more, most answers come too late where all share a machine. */
const COUNTS = [0, 1, 8] as const;

let sent = 0;

async function say(data: string, session: string, type: string, about: object): Promise<void> {
  sent += 1;
  const event = { specversion: "1.0", id: `e${sent}`, source: "bench", type, subject: `bench/${session}` };
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ ...event, data: about });
  await bySocket(data)("/v1/events", { method: "POST", headers, body });
}

async function asks(data: string, n: number): Promise<void> {
  const about = { tool: "Bash", toolUseId: `t${n}`, input: { command: `make deploy-${n}` } };
  for (const type of ["tool.started", "approval.requested"]) await say(data, `s${n}`, type, about);
}

/** How many changes an engine has made. */
async function changesOf(data: string): Promise<number> {
  const answer = await bySocket(data)("/v1/sessions?limit=1");
  return Number(/-(\d+)$/.exec(answer.headers.get("Signalbox-Change") ?? "")?.[1]);
}

interface Seen {
  readonly listUs: number;
  readonly times: readonly number[];
  readonly partial: number;
  readonly streamUs: number;
}

async function seenBy(hub: Up, peer: Up, lists: number): Promise<Seen> {
  const pids = pidsOf([hub]);
  const times: number[] = [];
  let partial = 0;
  await sleep(3_000);
  const looks = await accounted(pids, async () => {
    for (let n = 0; n < lists; n += 1) {
      const from = performance.now();
      const answer = await bySocket(hub.data)("/v1/approvals?state=pending");
      if ((await answer.text()).includes('"partial"')) partial += 1;
      times.push(performance.now() - from);
    }
  });
  const before = await changesOf(peer.data);
  const stream = await accounted(pids, async () => {
    for (let n = 0; n < 100; n += 1)
      await say(peer.data, `r${n}`, "request.created", { requestId: `r${sent}` });
    await sleep(1_000);
  });
  const changes = (await changesOf(peer.data)) - before;
  return {
    listUs: looks.cost.cpuUs / lists,
    times,
    partial: partial / lists,
    streamUs: stream.cost.cpuUs / changes,
  };
}

export async function peerRows(effort: Effort): Promise<readonly Row[]> {
  const folder = scratchFolder();
  const [a, b] = [join(folder, "a"), join(folder, "b")];
  for (const dir of [a, b]) mkdirSync(dir, { mode: 0o700 });
  await addToken(dataFolder(a, {}), "hub", { parts: new Set(["view", "decide", "manage"]), vouches: true });
  const peer = await up(a, ["--nats", "off"]);
  for (let n = 0; n < PENDING; n += 1) await asks(a, n);
  const seen = new Map<number, Seen>();
  for (const count of COUNTS) {
    const list = join(b, "peers.yaml");
    const entry = (n: number): string =>
      `- { name: p${n}, url: "${peer.url}", tokenFile: ${join(a, "tokens", "hub")} }\n`;
    writeFileSync(list, Array.from({ length: count }, (_, n) => entry(n)).join("") || "[]\n", {
      mode: 0o600,
    });
    const hub = await up(b, ["--nats", "off", "--peers", list]);
    seen.set(count, await seenBy(hub, peer, effort === "quick" ? 20 : 100));
    await down(hub);
  }
  await down(peer);
  const [alone, one, some] = COUNTS.map((count) => seen.get(count)) as [Seen, Seen, Seen];
  const told = ({ times, partial, listUs }: Seen): string =>
    `p50 ${quantile(times, 0.5).toFixed(0)}, p99 ${quantile(times, 0.99).toFixed(0)} ms, ${listUs.toFixed(0)} µs, ${(partial * 100).toFixed(0)} % partial`;
  return [
    {
      what: "processor time of a list of 100, for each peer that answers with 100",
      unit: "µs",
      figure: one.listUs - alone.listUs,
      baseline: { name: "the list without peers", figure: alone.listUs },
      budget: { of: "figure", sense: "at most", limit: 5_000 },
      note: `no peer: ${told(alone)}; 1: ${told(one)}; 8: ${told(some)}; they share the machine`,
    },
    {
      what: "processor time of a change of a peer",
      unit: "µs",
      figure: (some.streamUs - alone.streamUs) / COUNTS[2],
      baseline: { name: "as much without peers", figure: alone.streamUs },
      budget: { of: "figure", sense: "at most", limit: 200 },
    },
  ];
}

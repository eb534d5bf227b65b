// Traffic
// What services and people do with a cluster of two nodes while something happens to it.
//
//   Owns:          asking, waiting for an answer, answering, a load of new sessions; which sessions and changes there are, and
//                  how long no engine is ready.
//   Does not own:  the nodes (nodes), what must come of it (the tests).

import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { STREAMS } from "../../../adapters/nats/streams.ts";
import { partitionOf } from "../../../runtime/cluster/partition.ts";
import { textAt } from "../engine/json.ts";
import { bySocket } from "../http/by-socket.ts";
import { event } from "../http/served.ts";
import type { Nodes } from "./nodes.ts";

/** Has a gateway ask for an approval in the workspace chat. */
export async function asks(all: Nodes, id: string): Promise<void> {
  const bot = await all.as("chat-bot", "BOT");
  const said = {
    tool: "Bash",
    toolUseId: `t-${id}`,
    requestId: `r-${id}`,
    input: { command: "make deploy" },
  };
  for (const [type, data] of [
    ["request.created", { requestId: said.requestId }],
    ["tool.started", said],
    ["approval.requested", { ...said, approvalId: id }],
  ] as const) {
    const body = { ...event(type, data, { subject: `chat/${id}` }), id: `${id}-${type}` };
    await bot.jetstream().publish(`signalbox.v1.in.chat.${id}.${type}`, JSON.stringify(body));
  }
}

const PARTITIONS = [0, 1] as const;

/**
 * A service asks over HTTP in the workspace chat, and waits. Whatever restarts meanwhile, it asks both nodes in turn until it has
 * an answer. @returns the answer.
 */
export async function gated(all: Nodes, id: string): Promise<unknown> {
  const partition = partitionOf("chat", PARTITIONS.length);
  const body = { approvalId: id, session: id, workspace: "chat", tool: "deploy", input: { to: "prod" } };
  const asking = { method: "POST", body: JSON.stringify(body) };
  let answer: string | undefined;
  for (let n = 0; ; n += 1) {
    const ask = bySocket(all.dataOf(n % 2 === 0 ? "a" : "b", partition));
    const signal = AbortSignal.timeout(10_000);
    const path = answer === undefined ? "/v1/approvals" : `${answer}&wait=5000`;
    const told: unknown = await ask(path, { ...(answer === undefined && asking), signal }).then(
      async (response) => (response.ok ? await response.json() : undefined),
      () => undefined,
    );
    answer ??= textAt(told, "answer");
    if (textAt(told, "decision") !== undefined) return told;
    await sleep(100);
  }
}

/** Answers in the inbox of the node: the engine of partition 0 there shows what waits at all engines. */
export async function approved(all: Nodes, id: string, node: string): Promise<void> {
  const data = ["--data", all.dataOf(node, 0)];
  await expect
    .poll(async () => (await all.desk.run(["approve", id, ...data])).code, { timeout: 60_000 })
    .toBe(0);
}

/** Watches whether each partition has a ready engine. @returns how to end that: each one's longest time without, ms. */
export function watched(all: Nodes): () => Promise<readonly number[]> {
  const over = new AbortController();
  const isReady = (node: string, partition: number): Promise<boolean> =>
    bySocket(all.dataOf(node, partition))("/readyz", { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const longest = PARTITIONS.map(async (partition) => {
    let [ms, seenAt] = [0, performance.now()];
    while (!over.signal.aborted) {
      if ((await Promise.all([isReady("a", partition), isReady("b", partition)])).includes(true)) {
        ms = Math.max(ms, performance.now() - seenAt);
        seenAt = performance.now();
      }
      await sleep(20);
    }
    return ms;
  });
  return () => {
    over.abort();
    return Promise.all(longest);
  };
}

/** Services send to 20 workspaces until they are stopped. @returns how to stop them: the sessions that were acknowledged. */
export async function load(all: Nodes): Promise<() => Promise<readonly string[]>> {
  const stream = (await all.as("door", "DOOR")).jetstream();
  const acknowledged: string[] = [];
  const over = new AbortController();
  const sending = (async () => {
    for (let n = 0; !over.signal.aborted; n += 1) {
      const [workspace, session] = [`w${n % 20}`, `s${n}`];
      const body = { ...event("session.started", {}, { subject: `${workspace}/${session}` }), id: session };
      const sent = stream.publish(
        `signalbox.v1.in.${workspace}.${session}.session.started`,
        JSON.stringify(body),
      );
      if (
        await sent.then(
          () => true,
          () => false,
        )
      )
        acknowledged.push(`${workspace}/${session}`);
      await sleep(20);
    }
  })();
  return async () => {
    over.abort();
    await sending;
    return acknowledged.toSorted();
  };
}

/** All sessions of both partitions. */
export async function sessions(all: Nodes): Promise<readonly string[]> {
  const door = await all.as("door", "DOOR");
  const found: string[] = [];
  for (const partition of PARTITIONS) {
    let cursor: string | undefined;
    do {
      const asked = JSON.stringify({ limit: 500, ...(cursor !== undefined && { cursor }) });
      const subject = `signalbox.v1.p.${partition}.query.session.list`;
      const page: unknown = (await door.request(subject, asked, { timeout: 20_000 })).json();
      for (const item of Reflect.get(page as object, "items") as readonly unknown[])
        found.push(`${textAt(item, "workspace")}/${textAt(item, "id")}`);
      cursor = textAt(page, "nextCursor");
    } while (cursor !== undefined);
  }
  return found.toSorted();
}

/** How often each change of both partitions was published, by its subject. */
export async function published(all: Nodes): Promise<readonly (readonly [string, number])[]> {
  const counts = PARTITIONS.map(async (partition) => {
    const { streams } = await (await all.as(`p${partition}`, `P${partition}`)).jetstreamManager();
    const { state } = await streams.info(STREAMS.changes, { subjects_filter: ">" });
    return Object.entries(state.subjects ?? {});
  });
  return (await Promise.all(counts)).flat();
}

// Traffic
// What services and people do with a cluster of two nodes while something happens to it.
//
//   Owns:          asking, answering, a load of new sessions, which sessions there are.
//   Does not own:  the nodes (nodes), what must come of it (the tests).

import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { textAt } from "../engine/json.ts";
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

/** Answers in the inbox of the node: the engine of partition 0 there shows what waits at all engines. */
export async function approved(all: Nodes, id: string, node: string): Promise<void> {
  const data = ["--data", all.dataOf(node, 0)];
  await expect
    .poll(async () => (await all.desk.run(["approve", id, ...data])).code, { timeout: 60_000 })
    .toBe(0);
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
  for (const partition of [0, 1]) {
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

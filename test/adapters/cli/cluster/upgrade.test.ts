// Upgrade
// Which owners `cluster upgrade` sends requests to, and what it says if not all of them end their terms.

import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Layout, layoutText } from "../../../../adapters/cli/cluster/layout.ts";
import { upgradeCluster } from "../../../../adapters/cli/cluster/upgrade.ts";
import type { Context } from "../../../../adapters/cli/command.ts";
import type { Failure } from "../../../../adapters/cli/failures/failure.ts";
import { freePorts } from "../../../support/http/free-port.ts";

const OWNER = { ready: true, role: "owner", term: 3, lag: 0 };
const ENDS = { status: 202, body: { to: [], next: "stands by" } };
const STANDS_BY = {
  status: 503,
  body: { error: { code: "STANDING_BY", message: "This engine stands by.", next: "Ask the owner." } },
};

let servers: Server[];
beforeEach(() => (servers = []));
afterEach(() => servers.forEach((each) => each.close()));

/** One node with an engine for each partition. @param saying what they say at /readyz. */
async function cluster(...saying: readonly object[]): Promise<Layout> {
  const port = await freePorts(saying.length);
  for (const [n, said] of saying.entries()) {
    const server = createServer((_, response) => response.end(JSON.stringify(said)));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(port + n, "127.0.0.1", resolve));
  }
  return {
    ...{ id: "i", partitions: saying.length, spares: 0, replicas: 1, port: 4300 },
    ...{ nats: ["nats://127.0.0.1:4222"], nodes: { a: `http://127.0.0.1:${port}` } },
  };
}

/** Runs the command. @param answers what the engines answer, by partition; an error if none answers. */
async function upgraded(layout: Layout, ...answers: readonly (typeof STANDS_BY | typeof ENDS | Error)[]) {
  const [sent, said, printed]: [string[], string[], string[]] = [[], [], []];
  const first = Number(new URL(layout.nodes["a"] ?? "").port);
  const withToken = (url: string, token: string) => (request: { path: string }) => {
    sent.push(`${token} ${url}${request.path}`);
    const answer = answers[Number(new URL(url).port) - first];
    if (!answer || answer instanceof Error) return Promise.reject(answer ?? new Error(`nobody at ${url}`));
    return Promise.resolve({
      status: answer.status,
      body: (async function* () {
        yield await Promise.resolve(Buffer.from(JSON.stringify(answer.body)));
      })(),
    });
  };
  const readOwn = (file: string) =>
    Promise.resolve(file.endsWith("yaml") ? layoutText(layout) : "the-token\n");
  const terminal = {
    out: (text: string) => printed.push(text),
    err: (text: string) => said.push(text),
  };
  const context = { wiring: { withToken, readOwn }, terminal, exitWith: () => undefined };
  const failure = await upgradeCluster("cluster", { leave: 60, wait: 1 }, context as unknown as Context).then(
    () => undefined,
    (error: unknown) => error as Failure,
  );
  return { sent, said, printed, failure, first };
}

test.each(["https://elsewhere.example", "http://127.0.0.1:9"])(
  "CLI-CLUSTER-UPGRADE-2: the token goes to no owner that only an answer names: %s",
  async (owner) => {
    const { ready: _, ...rest } = OWNER;
    const layout = await cluster(OWNER, { ...rest, ready: false, role: "standby", owner });
    const { sent, failure, first } = await upgraded(layout, ENDS, STANDS_BY);
    expect(sent.filter((each) => !each.includes(`http://127.0.0.1:${first}`))).toEqual([]);
    expect(failure?.message).toBe(
      `The engines name owners at addresses that are not in the layout: p1 at ${owner}. Nothing was changed.`,
    );
    expect(failure?.next).toContain("run `npx signalbox handover` on its machine");
  },
);

test("CLI-CLUSTER-UPGRADE-3: if one owner refuses, the command names who ends and who does not, prints all, and fails", async () => {
  const { sent, said, printed, failure, first } = await upgraded(
    await cluster(OWNER, OWNER, OWNER),
    ENDS,
    STANDS_BY,
    new Error("gone"),
  );
  expect(sent).toEqual(
    [0, 1, 2].map((n) => `the-token http://127.0.0.1:${first + n}/v1/handover?upgrade=60`),
  );
  expect(said).toEqual([
    "The engines of p0 stop, and start again with the version that is installed now.",
    "The owner of p1 did not confirm that it stops: This engine stands by. Ask the owner.",
    expect.stringContaining(
      `The owner of p2 did not confirm that it stops: No engine answers at http://127.0.0.1:${first + 2}.`,
    ),
  ]);
  expect(printed.join("\n")).toContain("p0");
  expect(failure).toMatchObject({
    message: expect.stringContaining("The engines of p1, p2 may not have stopped") as string,
    next: expect.stringContaining("npx signalbox handover --upgrade") as string,
    exitCode: 1,
  });
});

test("CLI-CLUSTER-UPGRADE-3: if no owner ends its term, the command says so with the reasons, and waits for nothing", async () => {
  const { printed, failure } = await upgraded(await cluster(OWNER), STANDS_BY);
  expect([printed, failure?.message]).toEqual([
    [],
    "No engine confirmed that it stops.\nThe owner of p0 did not confirm that it stops: This engine stands by. Ask the owner.",
  ]);
});

test("CLI-CLUSTER-UPGRADE-1: all owners end their terms, and the command succeeds", async () => {
  const { said, failure } = await upgraded(await cluster(OWNER, OWNER), ENDS, ENDS);
  expect([said, failure]).toEqual([
    ["All engines stop, and start again with the version that is installed now."],
    undefined,
  ]);
});

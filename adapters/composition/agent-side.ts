// Agent side
// Runs the proxy as a process: starts the agent, connects its streams, and passes notes and approvals to the gate and the spool.
//
//   Owns:          starting and ending the agent, its streams, how notes and approvals reach the engine.
//   Does not own:  the messages (agent-proxy), waiting for the answer (gate).
//
// AGENT-SIDE-1. Agent and client end together: once the client has disconnected, the agent is ended; once the agent has ended,
//     the proxy ends.
// AGENT-SIDE-2. To bound its memory, the proxy stops reading from a stream's source while the reader of that stream is slow.
// AGENT-SIDE-3. Each note is in the spool before the approval that follows it. Notes are dropped if no engine has ever run, or if
//     the spool has 4,096 files.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { constants } from "node:os";
import { basename } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { base32 } from "../../runtime/foreign-id.ts";
import {
  type Ending,
  type Inquiry,
  type Note,
  noteWords,
  type Protocol,
  Proxy,
  type ProxyParts,
} from "../agent-proxy/index.ts";
import type { AgentTerms } from "../cli/index.ts";
import type { DataFolder } from "../data-folder/index.ts";
import { type End, Noting, type Observed, OpenApproval, type Where } from "../gate/index.ts";
import { engineOf } from "./engine-of.ts";

type Agent = ChildProcessByStdio<Writable, Readable, null>;

/** How long an agent may take to end after its input has ended. */
const GRACE_MS = 3_000;
/** How long an agent that got SIGTERM may take to end before it is killed. */
const KILL_MS = 2_000;

/** @returns the agent's exit code, once the agent has ended and the proxy has told the engine that it no longer waits. */
export async function serveAgent(
  folder: DataFolder,
  protocol: Protocol,
  [command = "", ...args]: readonly string[],
  terms: AgentTerms,
): Promise<number> {
  const { say } = terms;
  const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<number>((resolve) => {
    agent.once("error", (error) => {
      say(`The agent does not start: ${error.message}`);
      resolve(127);
    });
    agent.once("close", (code, signal) =>
      resolve(code ?? (signal === null ? 1 : 128 + constants.signals[signal])),
    );
  });
  const proxy = new Proxy(partsOf(folder, protocol, command, terms, agent));
  const hangUp = leaving(agent, proxy);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, hangUp);
  process.stdout.on("error", hangUp);
  agent.stdin.on("error", () => undefined);
  passOn(process.stdin, agent.stdin, (chunk) => proxy.clientSaid(chunk), hangUp, say);
  process.stdin.once("end", hangUp);
  passOn(agent.stdout, process.stdout, (chunk) => proxy.agentSaid(chunk), hangUp, say);
  const code = await ended;
  await proxy.leave();
  process.stdin.destroy();
  return code;
}

// Passes one stream on, no faster than its reader reads (AGENT-SIDE-2).
function passOn(
  from: Readable,
  to: Writable,
  take: (chunk: Buffer) => void,
  hangUp: () => void,
  say: (text: string) => void,
): void {
  from.on("data", (chunk: Buffer) => {
    try {
      take(chunk);
    } catch (error) {
      say(`Signalbox closes the connection: ${error instanceof Error ? error.message : String(error)}.`);
      from.removeAllListeners("data");
      return hangUp();
    }
    // `take` writes the chunk to `to`, perhaps only later in this round of the event loop. So the next round checks whether `to`
    // is full.
    setImmediate(() => {
      if (!to.writableNeedDrain || to.destroyed) return;
      from.pause();
      to.once("drain", () => from.resume());
    });
  });
}

/** @returns a function that ends the agent; the caller calls it once the client has disconnected (AGENT-SIDE-1). */
function leaving(agent: Agent, proxy: Proxy): () => void {
  let isLeaving = false;
  return () => {
    if (isLeaving) return;
    isLeaving = true;
    void proxy.leave();
    agent.stdin.end();
    const kill = (signal: NodeJS.Signals, ms: number): Promise<boolean> =>
      sleep(ms, undefined, { ref: false }).then(() => agent.kill(signal));
    void kill("SIGTERM", GRACE_MS).then(() => kill("SIGKILL", KILL_MS));
  };
}

function partsOf(
  folder: DataFolder,
  protocol: Protocol,
  command: string,
  { timeoutMs, workspace, say }: AgentTerms,
  agent: Agent,
): ProxyParts {
  const where = engineOf(folder);
  const noting = new Noting(folder.spool, where);
  const { written } = noteWords(protocol.name);
  const client = { client: protocol.name, clientPid: agent.pid ?? 0, workspace };
  const bodyOf = (note: Note): Buffer => Buffer.from(JSON.stringify(written(note)));
  return {
    protocol,
    name:
      basename(command)
        .replace(/\.\w+$/, "")
        .replace(/[^\w-]+/g, "-") || "agent",
    run: base32(randomBytes(4)),
    secret: `signalbox-${randomBytes(16).toString("hex")}`,
    timeoutMs,
    say,
    toAgent: (bytes) => void agent.stdin.write(bytes),
    toClient: (bytes) => void process.stdout.write(bytes),
    tell: (note) => noting.saw({ ...client, body: bodyOf(note) }),
    ask: (note, inputHash) =>
      asking(where, noting, { ...client, body: bodyOf(note) }, inputHash, {
        timeoutMs,
        via: protocol.client,
      }),
  };
}

function asking(
  where: Where,
  noting: Noting,
  { client, workspace, clientPid, body }: Observed,
  inputHash: string,
  { timeoutMs, via }: { readonly timeoutMs: number; readonly via: string },
): Inquiry {
  const id = `${client}_${randomBytes(16).toString("hex")}`;
  const wanted = { id, body, workspace, onDeadline: "deny", more: { client } } as const;
  const approval = noting.written().then(() => new OpenApproval(where, wanted, inputHash, timeoutMs));
  let isLeft = false;
  const alone = (): void => {
    if (isLeft) return;
    const closed = { approvalId: id, closed: "ask", clientPid: String(clientPid) } as const;
    noting.answered({ ...closed, workspace, body, more: { client } });
  };
  return {
    end: approval.then(async ({ end }) => endingOf(await end, alone)),
    decide: async (decision, interrupt) =>
      (await approval).decide({ decision, via, ...(interrupt && { interrupt }) }),
    taken: () => void approval.then((each) => each.taken()),
    leave: async () => {
      isLeft = true;
      await (await approval).leave();
    },
  };
}

/** @param alone called if no engine took the approval, so that only the client's user can answer. */
function endingOf({ verdict, cause }: End, alone: () => void): Ending {
  if (verdict.type === "allow" || verdict.type === "deny") return verdict;
  if (cause !== "untaken") return { type: "closed", why: verdict.why };
  alone();
  return { type: "untaken" };
}

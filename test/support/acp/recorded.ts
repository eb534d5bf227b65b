// Recorded
// The recordings of agents: what both sides said, and what the agent told its model of each call.
//
//   Owns:          reading them; playing one to the proxy and an engine; the ends that they prove.
//   Does not own:  what an engine must make of them (test/system/agents.recordings.test.ts).
//
// RECORDED-1. What a call came to is read from what the agent told its model, and agrees with the files that were there in the
//     end: neither passed the proxy.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { acpProtocol } from "../../../adapters/agent-proxy/acp/protocol.ts";
import type { Ending } from "../../../adapters/agent-proxy/gates.ts";
import { type Note, noteWords } from "../../../adapters/agent-proxy/notes.ts";
import { Proxy } from "../../../adapters/agent-proxy/proxy.ts";
import type { ApprovalId, CallContext, SessionId, SourceInput } from "../../../machines/index.ts";
import { at, textAt } from "../engine/json.ts";
import { HOUR_MS, Rig, translate, WORKSPACE } from "../engine/rig.ts";
import { settled } from "../agent-proxy/played.ts";

const ROOT = join(import.meta.dirname, "..", "..", "recordings", "acp");

const { written } = noteWords("acp");
/** Each has its session. */
const hookOf = (note: Note) => written(note) as { readonly session: string };

export interface Proven {
  readonly id: string;
  readonly command: string;
  readonly end: "completed" | "denied";
}

export interface AgentRecording {
  readonly name: string;
  readonly client: string;
  readonly lines: readonly { readonly from: "editor" | "agent"; readonly said: unknown }[];
  readonly proven: readonly Proven[];
  /** What commands left, by name. */
  readonly files: readonly string[];
}

const linesOf = (name: string, file: string): readonly unknown[] =>
  readFileSync(join(ROOT, name, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

export const agentRecordings = (): readonly AgentRecording[] =>
  readdirSync(ROOT).map((name) => {
    const about: unknown = JSON.parse(readFileSync(join(ROOT, name, "about.json"), "utf8"));
    return {
      name,
      client: `${(textAt(about, "agent") ?? "").split(" ")[0] ?? ""} ${textAt(about, "version") ?? ""}`,
      lines: linesOf(name, "acp.jsonl") as AgentRecording["lines"],
      proven: linesOf(name, "results.jsonl").map((line) => ({
        id: textAt(line, "id") ?? "",
        command: textAt(line, "command") ?? "",
        end: (textAt(line, "told") ?? "").startsWith("The user rejected") ? "denied" : "completed",
      })),
      files: at(about, "files") as readonly string[],
    };
  });

/** A call as the engine has it in the end. */
export interface PlayedCall {
  readonly context: CallContext;
  readonly execution: unknown;
}

export interface PlayedAgent {
  readonly rig: Rig;
  readonly session: string;
  readonly calls: readonly PlayedCall[];
}

/** @param heard what becomes of the inputs before the engine has them. */
export async function playedAgent(
  { name, lines }: AgentRecording,
  heard: (input: SourceInput) => SourceInput = (input) => input,
): Promise<PlayedAgent> {
  const rig = await Rig.start({ translate: (message) => translate(message).map(heard) });
  const notes: { readonly hook: { readonly session: string }; readonly gate?: object }[] = [];
  const asked = new Map<number, (ending: Ending) => void>();
  const hashes: string[] = [];
  const proxy = new Proxy({
    protocol: acpProtocol,
    ...{ name: name.split("-")[0] ?? "", run: "r", secret: "secret", timeoutMs: HOUR_MS },
    ...{ toAgent: () => undefined, toClient: () => undefined, say: () => undefined },
    tell: (hook) => void notes.push({ hook: hookOf(hook) }),
    ask(hook, inputHash) {
      const nth = hashes.push(inputHash) - 1;
      const deadlineAt = rig.clock.now() + HOUR_MS;
      notes.push({ hook: hookOf(hook), gate: { approvalId: `a${nth}`, deadlineAt, onDeadline: "deny" } });
      const done = (): Promise<void> => Promise.resolve();
      return {
        end: new Promise((resolve) => asked.set(nth, resolve)),
        ...{ decide: done, taken: () => undefined, leave: done },
      };
    },
  });
  let session = "";
  const flush = async (): Promise<void> => {
    for (const data of notes.splice(0)) {
      session = data.hook.session;
      const message = rig.message(session, [], { type: "acp.hook", source: "acp", data });
      await (
        await rig.engine.submit(message)
      ).settled;
    }
  };
  /** The ids of the agent's requests, in the order in which it asked. */
  const requests: unknown[] = [];
  for (const { from, said } of lines) {
    const bytes = Buffer.from(`${JSON.stringify(said)}\n`);
    const nth =
      from === "editor" && textAt(said, "method") === undefined ? requests.indexOf(at(said, "id")) : -1;
    if (nth >= 0) {
      const isAllowed = /^(?:once|allow)/.test(textAt(said, "result", "outcome", "optionId") ?? "");
      await rig.engine.own(WORKSPACE, session as SessionId, {
        ...{ type: "decision", approvalId: `a${nth}` as ApprovalId, by: "local:ann" },
        decision: isAllowed ? "approve" : "deny",
        inputHash: hashes[nth] ?? "",
      });
      asked.get(nth)?.(isAllowed ? { type: "allow" } : { type: "deny", message: "", interrupt: false });
    } else if (from === "editor") proxy.clientSaid(bytes);
    else {
      if (textAt(said, "method") === "session/request_permission") requests.push(at(said, "id"));
      proxy.agentSaid(bytes);
    }
    await settled();
    await flush();
  }
  const calls = [...rig.rows(`actor/${WORKSPACE}/${session}/call/`).values()].map((text) => {
    const row = JSON.parse(text) as { value: { execution: unknown }; context: CallContext };
    return { context: row.context, execution: row.value.execution };
  });
  return { rig, session, calls };
}

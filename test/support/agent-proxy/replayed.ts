// Replayed
// Plays a recording of an agent to the proxy and an engine, as if they had stood between the two.
//
//   Owns:          who hears which line, bringing the client's answers to the proxy and from there to the engine.
//   Does not own:  the recordings (recorded), what an engine must make of them (test/system/agents.recordings.test.ts).

import { acpProtocol } from "../../../adapters/agent-proxy/acp/protocol.ts";
import { codexProtocol } from "../../../adapters/agent-proxy/codex/protocol.ts";
import type { Ending } from "../../../adapters/agent-proxy/gates.ts";
import { type Note, noteWords } from "../../../adapters/agent-proxy/notes.ts";
import { Proxy } from "../../../adapters/agent-proxy/proxy.ts";
import type { ApprovalId, CallContext, SessionId, SourceInput } from "../../../machines/index.ts";
import { at, textAt } from "../engine/json.ts";
import { HOUR_MS, Rig, translate, WORKSPACE } from "../engine/rig.ts";
import { settled } from "./played.ts";
import type { AgentRecording } from "./recorded.ts";

const PROTOCOLS = { acp: acpProtocol, codex: codexProtocol };
const SECRET = "secret";

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
  { name, door, lines }: AgentRecording,
  heard: (input: SourceInput) => SourceInput = (input) => input,
): Promise<PlayedAgent> {
  const rig = await Rig.start({ translate: (message) => translate(message).map(heard) });
  const { written } = noteWords(door);
  const notes: { readonly hook: object; readonly gate?: object }[] = [];
  let [session, asked] = ["", 0];
  const note = (told: Note, gate?: object): void => {
    session = told.session;
    notes.push({ hook: written(told), ...(gate && { gate }) });
  };
  /** What the engine is still to commit. */
  const deciding: Promise<void>[] = [];
  /** By the agent's ids, those that the client knows its dialogs by. */
  const dialogs = new Map<unknown, unknown>();
  let request: unknown;
  const proxy = new Proxy({
    protocol: PROTOCOLS[door],
    ...{ name: name.split("-")[0] ?? "", run: "r", secret: SECRET, timeoutMs: HOUR_MS },
    ...{ toAgent: () => undefined, say: () => undefined },
    toClient(bytes) {
      for (const line of Buffer.from(bytes).toString().trim().split("\n")) {
        const dialog = textAt(JSON.parse(line), "id");
        if (dialog?.startsWith(SECRET)) dialogs.set(request, dialog);
      }
    },
    tell: (told) => {
      note(told);
    },
    ask(told, inputHash) {
      const approvalId = `a${asked++}` as ApprovalId;
      note(told, { approvalId, deadlineAt: rig.clock.now() + HOUR_MS, onDeadline: "deny" });
      let end: (ending: Ending) => void = () => undefined;
      const decide = async (decision: "approve" | "deny", interrupt = false): Promise<void> => {
        const said = {
          type: "decision",
          approvalId,
          by: "local:ann",
          decision,
          inputHash,
          interrupt,
        } as const;
        await rig.engine.own(WORKSPACE, session as SessionId, said);
        end(decision === "approve" ? { type: "allow" } : { type: "deny", message: "", interrupt });
      };
      return {
        end: new Promise((resolve) => (end = resolve)),
        decide(decision, interrupt) {
          const decided = decide(decision, interrupt);
          deciding.push(decided);
          return decided;
        },
        ...{ taken: () => undefined, leave: () => Promise.resolve() },
      };
    },
  });
  for (const { from, said } of lines) {
    const [id, isNamed] = [at(said, "id"), textAt(said, "method") !== undefined];
    const isAnswer = from === "client" && !isNamed;
    const bytes = Buffer.from(`${JSON.stringify(isAnswer ? { ...said, id: dialogs.get(id) } : said)}\n`);
    if (from === "client") proxy.clientSaid(bytes);
    else {
      request = id;
      proxy.agentSaid(bytes);
    }
    await Promise.all(deciding.splice(0));
    await settled();
    for (const data of notes.splice(0)) {
      const message = rig.message(session, [], { type: `${door}.hook`, source: door, data });
      await (
        await rig.engine.submit(message)
      ).settled;
    }
  }
  await proxy.leave();
  const calls = [...rig.rows(`actor/${WORKSPACE}/${session}/call/`).values()].map((text) => {
    const row = JSON.parse(text) as { value: { execution: unknown }; context: CallContext };
    return { context: row.context, execution: row.value.execution };
  });
  return { rig, session, calls };
}

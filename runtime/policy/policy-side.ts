// Policy side
// Gets a policy's verdict on each approval, and journals it.
//
//   Owns:          which policy is in force after a start, when the policy is asked for a verdict, which agents requested
//                  approval for an equal call.
//   Does not own:  reading a policy (adapters), the effect of a verdict (turn/policy/policy-answering).
//   Decided in:    docs/decisions/0084-a-policys-verdict-is-an-entry.md.
//
// POLICY-SIDE-1. Before any verdict, the engine journals the policy's text and the version of the program that reads the
//     policy, and does so again when the text or the version has changed. A start that names no policy uses the policy in the
//     journal.
// POLICY-SIDE-2. If nobody can read the policy in force, the engine does not start.
// POLICY-SIDE-3. If the policy cannot give a verdict on an approval, a person is asked.
// POLICY-SIDE-4. If the verdict on an approval is lost, the approval waits for a person, and the next start of the engine asks
//     the policy again.

import { createHash } from "node:crypto";
import {
  type Address,
  childAddress,
  type SessionId,
  sessionAddress,
  type WorkspaceId,
} from "../../machines/index.ts";
import type { Engine } from "../engine/engine.ts";
import { ENGINE, type OwnMessage } from "../message.ts";
import { keptAs } from "../reading/asked-before.ts";
import { Reader } from "../reading/reader.ts";
import { after, keys } from "../rows/keys.ts";
import type { KeptPolicy } from "../rows/policy-rows.ts";
import type { OpenPolicy, PolicyReader, PolicyVerdict } from "../policy.ts";
import { policyCall } from "../turn/policy/policy-call.ts";

export interface PolicySideOptions {
  readonly engine: Pick<Engine, "store" | "own" | "onChanges">;
  readonly open: OpenPolicy;
  /** The policy to put in force; `none` to put none in force; undefined to use the policy in the journal. */
  readonly wanted: { readonly text: string } | "none" | undefined;
  readonly onError: (error: unknown) => void;
}

interface InForce {
  readonly reader: PolicyReader;
  readonly hash: string;
}

const INPUTS_MAX = 4_096;
const AGENTS_MAX = 16;

export class PolicySide {
  readonly #options: PolicySideOptions;
  #opened: PolicyReader | undefined;
  #unsubscribe: () => void = () => undefined;
  readonly #askers = new Map<string, Set<string>>();

  constructor(options: PolicySideOptions) {
    this.#options = options;
  }

  /**
   * Reads the policy that the settings name, if any. Must be called before the engine starts.
   * @throws RefusedError POLICY_READER_ABSENT, POLICY_INVALID
   */
  async prepare(): Promise<void> {
    const { wanted, open } = this.#options;
    if (typeof wanted === "object") this.#opened = await open(wanted.text);
  }

  /**
   * Puts the policy in force. Must be called once the engine has started.
   * @returns the hash of the policy in force.
   * @throws as `prepare` does.
   */
  async start(): Promise<string | undefined> {
    const inForce = await this.#settle();
    if (!inForce) return undefined;
    const { engine, onError } = this.#options;
    const consult = (workspace: string, session: string, id: string): void =>
      void this.#consult(inForce, workspace as WorkspaceId, session as SessionId, id).catch(onError);
    this.#unsubscribe = engine.onChanges((changes) => {
      for (const { entity, from, to, workspace, sessionId, id } of changes)
        if (entity === "approval" && from === null && to === "pending") consult(workspace, sessionId, id);
    });
    const left = [...engine.store.range({ gte: keys.allUnruled, lt: after(keys.allUnruled) })];
    for (const [key] of left) {
      const [, workspace = "", session = "", id = ""] = key.split("/");
      consult(workspace, session, id);
    }
    return inForce.hash;
  }

  stop(): void {
    this.#unsubscribe();
  }

  /** Journals the policy to put in force, unless the journal has it already (POLICY-SIDE-1). @returns the policy in force. */
  async #settle(): Promise<InForce | undefined> {
    const { engine, wanted, open } = this.#options;
    const row = engine.store.get(keys.policy);
    // The cast is safe: only a message `policy.set` writes the row of the policy.
    const known = row === undefined ? undefined : (JSON.parse(row) as KeptPolicy);
    const text = wanted === "none" ? undefined : (wanted?.text ?? known?.text);
    if (text === undefined) {
      if (known) await this.#say({ type: "policy.dropped" });
      return undefined;
    }
    const reader = this.#opened ?? (await open(text));
    const hash = createHash("sha256").update(text).digest("hex");
    if (known?.hash !== hash || known.engine !== reader.engine)
      await this.#say({ type: "policy.set", text, hash, engine: reader.engine });
    return { reader, hash };
  }

  #say(said: OwnMessage["said"]): Promise<unknown> {
    return this.#options.engine.own(ENGINE.workspace, ENGINE.session, said);
  }

  async #consult(inForce: InForce, workspace: WorkspaceId, session: SessionId, id: string): Promise<void> {
    const { engine } = this.#options;
    const home = sessionAddress(workspace, session);
    // The row `unruled` says that an approval waits for the policy's verdict. It is missing if a rule denied the approval, if
    // the policy has given its verdict, or if there was no policy when the approval was requested.
    if (engine.store.get(keys.unruled(home, id)) === undefined) return;
    const { reader, hash: policy } = inForce;
    const { inputHash, verdict } = this.#verdict(reader, workspace, childAddress(home, "approval", id));
    const said = { approvalId: id, inputHash, policy, engine: reader.engine, ...verdict };
    await engine.own(workspace, session, { type: "policy.ruled", ...said });
  }

  /** Asks the policy about an approval; an error leaves the approval to a person (POLICY-SIDE-3). */
  #verdict(
    reader: PolicyReader,
    workspace: WorkspaceId,
    address: Address,
  ): { readonly inputHash: string; readonly verdict: PolicyVerdict } {
    let inputHash = "";
    try {
      const asked = keptAs(new Reader(this.#options.engine.store), address);
      inputHash = asked?.input?.hash ?? "";
      const call = asked && policyCall(workspace, asked, this.#before(workspace, asked));
      if (call) return { inputHash, verdict: reader.decide(call) };
    } catch (error) {
      this.#options.onError(error);
    }
    return { inputHash, verdict: { effect: "ask", policies: [], reason: "the call cannot be read" } };
  }

  /** The agents that asked before about a call equal to this one. Adds the agent of this call for the next time. */
  #before(
    workspace: WorkspaceId,
    { tool, input, sessionId, agentId }: NonNullable<ReturnType<typeof keptAs>>,
  ): readonly string[] {
    const key = `${workspace}/${tool}/${input?.hash ?? ""}`;
    const askers = this.#askers.get(key) ?? new Set();
    const before = [...askers];
    if (this.#askers.size >= INPUTS_MAX) this.#askers.clear();
    this.#askers.set(key, askers);
    if (askers.size < AGENTS_MAX) askers.add(`${sessionId}/${agentId}`);
    return before;
  }
}

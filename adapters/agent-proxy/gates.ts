// Gates
// The agent's requests to its client that wait for an answer: each is an approval in the engine, and is shown in the client's
// dialog, if it has one.
//
//   Owns:          who may answer when, passing the answer on, closing the dialog that did not get the answer.
//   Does not own:  which requests need an approval, the form of messages (protocol), talking to the engine (GateParts).
//
// PROXY-GATES-1. If an engine took the approval, the agent gets "allow" only once the engine has committed this answer. If no
//     engine took it, only the client may answer.
// PROXY-GATES-2. A request that nobody allows is denied: if no engine took the approval and the client is gone or gives no valid
//     answer; if an engine refuses the approval; if a deadline passes.
// PROXY-GATES-3. If answers come both from the client's dialog and from the engine, the first committed answer counts; but a
//     denial in the dialog reaches the agent after DENY_MS even if the engine has not committed it by then. The proxy closes a
//     dialog that is still open, and ignores later answers.
// PROXY-GATES-4. Each request gets its own answer: the client answers under an id that the proxy makes and the agent never
//     learns. The id that the agent chose decides nothing.

import { isDeepStrictEqual } from "node:util";
import { type Fields, isFields } from "../../machines/json.ts";
import { Bounded } from "./bounded.ts";
import { type Id, type Message } from "./message.ts";
import type { Changed, Over, Protocol, Held, Said } from "./protocol.ts";

/** How an approval ended. `untaken`: no engine took the approval. */
export type Ending =
  | { readonly type: "allow"; readonly updatedInput?: unknown }
  | { readonly type: "deny"; readonly message: string; readonly interrupt: boolean }
  | { readonly type: "closed"; readonly why: string }
  | { readonly type: "untaken" };

export interface Inquiry {
  readonly end: Promise<Ending>;
  /** Sends the engine the answer from the client's dialog. @returns once the engine has it, or the approval is over. */
  decide(decision: "approve" | "deny", interrupt?: true): Promise<void>;
  /** Tells the engine that the agent has the answer. */
  taken(): void;
  /** Tells the engine that nobody waits for the answer any more. @returns once the engine knows this. */
  leave(): Promise<void>;
}

export interface GateParts {
  readonly protocol: Pick<Protocol, "client" | "takingBack">;
  readonly toAgent: (message: Fields) => void;
  readonly toClient: (message: Fields) => void;
  /** Prints a line for the user who started the proxy. */
  readonly say: (text: string) => void;
  /** Called with a call's end, as far as the proxy knows it. */
  readonly ended: (asked: Held, how: "rejected" | "completed" | "failed") => void;
  /** A secret. Each id that only the client may see begins with it. */
  readonly secret: string;
  /** Each id that the agent sees begins with this text. Nobody can derive the secret from it. */
  readonly agentPrefix: string;
  readonly timeoutMs: number;
}

interface Gate {
  readonly id: string | number;
  readonly dialogId: string;
  readonly method: string;
  readonly asked: Held;
  readonly asking: Inquiry;
  readonly timers: Set<NodeJS.Timeout>;
  /** True if no engine took the approval, so that only the client may answer. */
  isAlone: boolean;
  said?: Said;
}

const OPEN_MAX = 256;
const NAMES_MAX = 1_000;
export const DENIED = -32_003;
const GONE = -32_800;
/**
 * How long the user's denial waits for the engine to say whose answer counts. After this time the proxy sends the agent the
 * denial; an allow waits longer.
 */
const DENY_MS = 2_000;
const LEAVE_MS = 5_000;

export class Gates {
  readonly #parts: GateParts;
  readonly #open = new Map<string, Gate>();
  /** Allowed requests that the client itself carries out, such as writing a file, by the id under which it will answer. */
  readonly #deeds = new Map<string, Pick<Gate, "id" | "asked">>();
  /** Maps the agent's id of each waiting request to the id under which the client knows the request. */
  readonly #names = new Bounded<Id, string>(NAMES_MAX);
  #count = 0;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /** @param ask requests the approval. @returns the reason if the request gets no approval. */
  open(id: string | number, method: string, asked: Held, ask: () => Inquiry): string | undefined {
    const gates = [...this.#open.values()];
    if (gates.length >= OPEN_MAX) return "too many requests wait";
    if (gates.some((gate) => gate.id === id)) return "a request with its id waits already";
    const asking = ask();
    const dialogId = this.#newId();
    const gate: Gate = { id, dialogId, method, asked, asking, timers: new Set(), isAlone: false };
    this.#open.set(dialogId, gate);
    const { timeoutMs, toClient } = this.#parts;
    if (asked.dialog) toClient({ id: this.#named(id, dialogId), ...asked.dialog(asked.toolCallId) });
    this.#later(gate, timeoutMs, () => this.#deny(gate, "nobody answered in time"));
    asking.end
      .then((end) => this.#ended(gate, end))
      .catch((error: unknown) => this.#deny(gate, String(error)));
    return undefined;
  }

  /** Takes the client's answer. @returns false if the answer is to a request that the proxy did not make. */
  answered({ id, result, isError }: Extract<Message, { readonly type: "answer" }>, whole: Fields): boolean {
    if (typeof id !== "string" || !id.startsWith(this.#parts.secret)) return false;
    const deed = this.#deeds.get(id);
    if (deed) {
      this.#deeds.delete(id);
      this.#parts.toAgent({ ...whole, id: deed.id });
      this.#parts.ended(deed.asked, isError ? "failed" : "completed");
    }
    const gate = this.#open.get(id);
    if (gate && gate.said === undefined) this.#said(gate, isError ? "none" : gate.asked.saidIn(result));
    return true;
  }

  /** Denies all waiting requests of a session, because the client has ended the agent's work on its prompt. */
  cancel(session: unknown): void {
    for (const gate of this.#open.values()) if (gate.asked.session === session) this.#said(gate, "cancelled");
  }

  /** Denies the requests about a call that would now make other changes than the user is shown. */
  changed({ session, toolCallId, changes }: Changed): void {
    for (const gate of this.#open.values()) {
      const { asked, asking } = gate;
      if (asked.session !== session || asked.toolCallId !== toolCallId) continue;
      if (isDeepStrictEqual(asked.input["changes"], changes)) continue;
      this.#deny(gate, "The agent changed the call while it waited for the answer.");
      void asking.leave();
    }
  }

  /** Closes a request that waits no more. @returns the message for the client; undefined to pass on the agent's own message. */
  over({ id, needsAnswer, renamed }: Over): Fields | undefined {
    const gate = [...this.#open.values()].find((each) => each.id === id);
    if (gate) {
      this.#close(gate);
      // If the client has answered (`said`), the answer may still be on its way to the engine: the approval is withdrawn later.
      if (gate.said === undefined) void gate.asking.leave();
      else this.#leaveLater(gate);
      if (needsAnswer) this.#fail(gate, GONE, "Cancelled.");
    }
    const name = isId(id) ? this.#names.get(id) : undefined;
    if (name === undefined || !isId(id)) return undefined;
    this.#names.delete(id);
    return renamed?.(name);
  }

  /** Called when the agent or the client has ended: withdraws all approvals. @returns once the engine knows this. */
  async leave(): Promise<void> {
    const gates = [...this.#open.values()];
    for (const { timers } of gates) for (const timer of timers) clearTimeout(timer);
    this.#open.clear();
    await Promise.all(gates.map(({ asking }) => asking.leave()));
  }

  get #client(): string {
    return this.#parts.protocol.client;
  }

  #newId(prefix = this.#parts.secret): string {
    return `${prefix}-${++this.#count}`;
  }

  #named(id: Id, name: string): string {
    this.#names.set(id, name);
    return name;
  }

  #ended(gate: Gate, end: Ending): void {
    if (!this.#open.has(gate.dialogId)) return;
    switch (end.type) {
      case "allow":
        if (gate.said === "cancelled") return this.#deny(gate, `Cancelled in the ${this.#client}.`);
        this.#allow(gate, end.updatedInput);
        return gate.asking.taken();
      case "deny":
        this.#deny(gate, end.message, end.interrupt);
        return gate.asking.taken();
      case "closed":
        return this.#deny(gate, end.why);
      case "untaken":
        gate.isAlone = true;
        return this.#untaken(gate);
    }
  }

  #untaken(gate: Gate): void {
    const { said, asked } = gate;
    const nobody = `No engine accepted the request for approval, and the ${this.#client} asks nobody about this call`;
    this.#parts.say(
      asked.dialog
        ? `No engine accepted the request for approval: answer in the ${this.#client}.`
        : `${nobody}, so the call is denied.`,
    );
    if (said !== undefined) this.#said(gate, said);
    else if (!asked.dialog) this.#deny(gate, `${nobody}.`);
  }

  #said(gate: Gate, said: Said): void {
    gate.said = said;
    const { isAlone, asking } = gate;
    switch (said) {
      case "allow":
        return isAlone ? this.#allow(gate, undefined) : void asking.decide("approve");
      case "deny":
      case "cancelled":
        if (isAlone) return this.#deny(gate, `Denied in the ${this.#client}.`);
        // If the engine does not decide within DENY_MS, the agent gets the denial anyway, whatever the engine decides later.
        this.#later(gate, DENY_MS, () => {
          this.#deny(gate, `Denied in the ${this.#client}.`);
          this.#leaveLater(gate);
        });
        return void asking.decide("deny", said === "cancelled" ? true : undefined);
      case "none":
        if (isAlone)
          return this.#deny(
            gate,
            `No engine accepted the request for approval, and the ${this.#client} gave no valid answer.`,
          );
        return this.#parts.say(`The ${this.#client} gave no valid answer: answer the approval in Signalbox.`);
    }
  }

  #leaveLater({ asking }: Gate): void {
    setTimeout(() => void asking.leave(), LEAVE_MS).unref();
  }

  #allow(gate: Gate, edited: unknown): void {
    const { id, asked, method } = gate;
    const { told } = asked;
    if (told && edited !== undefined)
      return this.#deny(gate, "The approver edited the input, which the agent's protocol cannot pass on.");
    if (told && told.allow === undefined)
      return this.#deny(gate, "The agent offers no option to allow only this call.");
    this.#close(gate, "completed");
    if (told) {
      this.#parts.toAgent({ id, result: told.allow });
      return this.#parts.ended(asked, "completed");
    }
    const deedId = this.#newId();
    this.#deeds.set(deedId, { id, asked });
    const params = { ...(isFields(edited) ? edited : asked.input), ...asked.beside };
    this.#parts.toClient({ id: this.#named(id, deedId), method, params });
  }

  #deny(gate: Gate, why: string, interrupt = false): void {
    if (!this.#open.has(gate.dialogId)) return;
    const { id, asked, said } = gate;
    this.#close(gate, "failed");
    this.#parts.ended(asked, "rejected");
    // If a person cancelled the call in the client, the client itself has already told the agent to stop.
    if (interrupt && said !== "cancelled" && asked.ending)
      this.#parts.toAgent(asked.ending(this.#newId(this.#parts.agentPrefix)));
    if (!asked.told) return this.#fail(gate, DENIED, why);
    const isCancelled = interrupt || said === "cancelled";
    this.#parts.toAgent({ id, result: isCancelled ? asked.told.cancelled : asked.told.deny });
  }

  #fail({ id }: Gate, code: number, message: string): void {
    this.#parts.toAgent({ id, error: { code, message } });
  }

  /**
   * Closes the client's dialog (PROXY-GATES-3).
   * @param status how the call ended that the proxy made up for the dialog: the client is told this end, too.
   */
  #close(gate: Gate, status: "completed" | "failed" = "failed"): void {
    const { dialogId, asked, said, timers } = gate;
    this.#open.delete(dialogId);
    for (const timer of timers) clearTimeout(timer);
    const { protocol, toClient } = this.#parts;
    if (said === undefined && asked.dialog && protocol.takingBack) toClient(protocol.takingBack(dialogId));
    if (asked.closing) toClient(asked.closing(asked.toolCallId, status));
  }

  #later({ timers }: Gate, ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms);
    timers.add(timer);
  }
}

const isId = (id: unknown): id is Id => typeof id === "string" || typeof id === "number";

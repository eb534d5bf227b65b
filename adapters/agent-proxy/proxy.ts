// Proxy
// Relays between an agent and its client. Each message that would let the agent do something is held until it is allowed.
//
//   Owns:          which line is passed on unchanged, which is held until it is allowed, which is dropped.
//   Does not own:  a line's form (message) and meaning (each protocol), the answers (gates), the streams (composition).
//   Decided in:    docs/decisions/0075-an-agent-is-asked-for-by-a-proxy.md.
//
// PROXY-1. A line is passed on byte for byte, or needs an approval, or is dropped. A line that two readers could understand
//     differently is dropped, with a message on standard error.
// PROXY-2. Lines from one side keep their order, except those that wait for an answer.
// PROXY-3. A client's answer to the proxy's own request never reaches the agent, and an agent cannot use the id of a request of
//     the proxy. An agent's answer to the proxy never reaches the client.

import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import type { Fields } from "../../machines/json.ts";
import { toolInput } from "../../runtime/canonical.ts";
import { checkNumbers } from "../../runtime/door/parse.ts";
import { Calls } from "./calls.ts";
import { DENIED, Gates, type Inquiry } from "./gates.ts";
import { isHarmless } from "./harmless.ts";
import { eachLine, Lines } from "./lines.ts";
import { type Id, type Message, readMessage } from "./message.ts";
import type { Note, PermissionNote } from "./notes.ts";
import type { Asked, Protocol, Held } from "./protocol.ts";
import { Talk } from "./talk.ts";
import { shortened } from "./told.ts";

export interface ProxyParts {
  readonly protocol: Protocol;
  readonly toAgent: (bytes: Uint8Array) => void;
  readonly toClient: (bytes: Uint8Array) => void;
  readonly say: (text: string) => void;
  readonly tell: (note: Note) => void;
  /** Requests an approval once all earlier notes are sent. */
  readonly ask: (note: PermissionNote, inputHash: string) => Inquiry;
  readonly name: string;
  /**
   * A short text that differs for each run of the proxy: it is part of the ids that the proxy makes, so that none occurs twice.
   */
  readonly run: string;
  readonly secret: string;
  readonly timeoutMs: number;
}

type Request = Extract<Message, { readonly type: "request" }>;

const COMPLAINTS_MAX = 20;

export class Proxy {
  readonly #parts: ProxyParts;
  readonly #fromAgent = new Lines();
  readonly #fromClient = new Lines();
  readonly #calls: Calls;
  readonly #talk: Talk;
  readonly #gates: Gates;
  readonly #agentPrefix: string;
  readonly #toAgent: Outbox;
  readonly #toClient: Outbox;
  #complaints = 0;

  constructor(parts: ProxyParts) {
    const { protocol, name, run, tell, say, secret, timeoutMs } = (this.#parts = parts);
    this.#toAgent = new Outbox(parts.toAgent, protocol.envelope);
    this.#toClient = new Outbox(parts.toClient, protocol.envelope);
    this.#calls = new Calls(run, protocol.told);
    this.#talk = new Talk({ name, run, calls: this.#calls, tell, say }, protocol.talk);
    this.#agentPrefix = `signalbox-${hash("sha256", secret, "hex").slice(0, 32)}`;
    this.#gates = new Gates({
      protocol,
      toAgent: (message) => this.#toAgent.message(message),
      toClient: (message) => this.#toClient.message(message),
      say,
      secret,
      agentPrefix: this.#agentPrefix,
      timeoutMs,
      ended: (asked, how) => this.#callEnded(asked, how),
    });
  }

  /** @throws Error if the stream is malformed. */
  agentSaid(chunk: Buffer): void {
    const block = this.#fromAgent.take(chunk);
    const { harmless } = this.#parts.protocol;
    const text = isUtf8(block) ? block.toString("latin1") : undefined;
    // `first` is the beginning of the lines that the proxy passes on together, without reading them.
    let first = 0;
    eachLine(block, (from, to) => {
      if (text !== undefined && isHarmless(harmless, text, from, to)) return;
      this.#unread(block.subarray(first, from));
      this.#agentLine(block.subarray(from, to));
      first = to;
    });
    this.#unread(block.subarray(first));
  }

  /** @throws Error if the stream is malformed. */
  clientSaid(chunk: Buffer): void {
    const block = this.#fromClient.take(chunk);
    eachLine(block, (from, to) => this.#clientLine(block.subarray(from, to)));
  }

  /** Called when the agent or the client has ended. @returns once the engine knows this. */
  leave(): Promise<void> {
    this.#talk.sessions.ended();
    return this.#gates.leave();
  }

  #unread(lines: Buffer): void {
    this.#talk.passed(lines);
    this.#toClient.line(lines);
  }

  #agentLine(line: Buffer): void {
    const message = readMessage(line);
    if (message === undefined) return;
    if (message.type === "refused") return this.#complain("agent", message.why);
    const { protocol } = this.#parts;
    if (message.type !== "notification" && this.#isOwnId(message.id)) {
      // An answer to a message of the proxy itself is dropped: the proxy needs no answer to that message.
      if (message.type === "request") this.#complain("agent", "a request has an id of the proxy");
      return;
    }
    this.#talk.agentSaid(message, line);
    const changed = protocol.changesIn?.(message);
    if (changed) this.#gates.changed(changed);
    if (message.type === "request" && protocol.isAskedAbout(message.method, message.params))
      return this.#hold(message, line);
    if (message.type === "notification" && protocol.isActing(message.method))
      return this.#complain("agent", `${message.method} comes without an id`);
    const over = protocol.overIn(message);
    const told = over && this.#gates.over(over);
    if (told) return this.#toClient.message(told);
    this.#toClient.line(line);
  }

  #isOwnId(id: Id): boolean {
    const { secret } = this.#parts;
    return typeof id === "string" && (id.startsWith(secret) || id.startsWith(this.#agentPrefix));
  }

  #clientLine(line: Buffer): void {
    const { client, stoppedIn } = this.#parts.protocol;
    const message = readMessage(line);
    if (message === undefined) return;
    if (message.type === "refused") return this.#complain(client, message.why);
    if (message.type === "answer") {
      const whole = JSON.parse(line.toString()) as Fields;
      if (this.#gates.answered(message, whole)) return;
    } else {
      const session = stoppedIn(message);
      if (session !== undefined) this.#gates.cancel(session);
    }
    this.#talk.clientSaid(message);
    this.#toAgent.line(line);
  }

  #hold(request: Request, line: Buffer): void {
    const { id, method, params } = request;
    if (!isSound(id))
      return this.#complain("agent", `${shortened(method)} has an id that cannot be returned unchanged`);
    let why: string | undefined;
    try {
      checkNumbers(line);
      const asked = this.#parts.protocol.askedIn(method, params, this.#calls);
      why = typeof asked === "string" ? asked : this.#ask(id, method, asked);
    } catch (error) {
      // The tool input cannot be stored, so it has no hash, and nobody can be asked about the call.
      why = error instanceof Error ? error.message : String(error);
    }
    if (why === undefined) return;
    this.#complain("agent", `${shortened(method)} is not asked about: ${why}`);
    this.#toAgent.message({
      id,
      error: { code: DENIED, message: `Signalbox denied this call without asking anybody: ${why}.` },
    });
  }

  /** @returns the reason if the request gets no approval. @throws RefusedError for an input that cannot be stored. */
  #ask(id: string | number, method: string, asked: Asked): string | undefined {
    const { toolCallId = this.#calls.freshId(), session, input } = asked;
    const { hash } = toolInput(input);
    const held = { ...asked, toolCallId, isOwn: asked.toolCallId === undefined };
    return this.#gates.open(id, method, held, () => {
      const isTold = !held.isOwn && this.#calls.of(session, toolCallId) !== undefined;
      if (!held.isOwn) this.#calls.asked(session, toolCallId, input);
      const note = { ...this.#noteOf(held), tool_input: input };
      // PROXY-CALLS-4: the agent has not reported this call, so the proxy reports it.
      if (!isTold) this.#parts.tell({ told: "call", ...note, status: "pending" });
      return this.#parts.ask({ told: "permission", ...note }, hash);
    });
  }

  #noteOf({ session, toolCallId, tool, isOwn }: Held) {
    const call = (isOwn ? undefined : this.#calls.of(session, toolCallId)?.id) ?? toolCallId;
    return { ...this.#talk.sessions.withPrompt(session), call, tool };
  }

  /** Reports the end of a call that only the request for its approval named; the agent reports the end of all other calls. */
  #callEnded(asked: Held, how: "rejected" | "completed" | "failed"): void {
    if (asked.isOwn) this.#parts.tell({ told: "call", ...this.#noteOf(asked), status: how });
    else if (how === "rejected") this.#calls.rejected(asked.session, asked.toolCallId);
  }

  #complain(side: string, why: string): void {
    if (++this.#complaints <= COMPLAINTS_MAX)
      this.#parts.say(`Signalbox did not pass on a line of the ${side}: ${why}.`);
  }
}

/** Collects messages to one side: all messages of one turn of the event loop are written in one piece. */
class Outbox {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #envelope: Fields;
  #lines: Uint8Array[] = [];

  constructor(write: (bytes: Uint8Array) => void, envelope: Fields) {
    [this.#write, this.#envelope] = [write, envelope];
  }

  message(message: Fields): void {
    this.line(Buffer.from(`${JSON.stringify({ ...this.#envelope, ...message })}\n`));
  }

  line(line: Uint8Array): void {
    if (line.length === 0) return;
    if (this.#lines.length === 0) queueMicrotask(() => this.#flush());
    this.#lines.push(line);
  }

  #flush(): void {
    const [first, ...rest] = this.#lines;
    this.#lines = [];
    if (first) this.#write(rest.length === 0 ? first : Buffer.concat([first, ...rest]));
  }
}

/** True if an answer can repeat the id of the agent's request unchanged. */
const isSound = (id: Id): id is string | number =>
  typeof id === "string" ? id.length <= 1_024 : Number.isSafeInteger(id);

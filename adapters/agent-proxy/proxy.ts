// Proxy
// Relays between an agent and its client: passes their messages on, and holds those that let something happen until they are
// allowed.
//
//   Owns:          which line is passed on unchanged, which is held, which is dropped.
//   Does not own:  parsing a line (message) and its meaning (each protocol), the answers (gates), the processes and streams
//                  (composition/agent-side).
//   Decided in:    docs/decisions/0075-an-agent-is-asked-for-by-a-proxy.md.
//
// PROXY-1. A line is passed on byte for byte, or needs an approval, or is dropped. A line that different readers could understand
//     differently is reported on standard error and dropped.
// PROXY-2. Lines from one side keep their order, except those that wait for an answer.
// PROXY-3. A client's answer to the proxy's own request never reaches the agent, and an agent cannot use the id of such a
//     request. An agent's answer to the proxy never reaches the client.

import { isUtf8 } from "node:buffer";
import type { Fields } from "../../machines/json.ts";
import { toolInput } from "../../runtime/canonical.ts";
import { Calls, shortened } from "./calls.ts";
import { DENIED, Gates, type Inquiry } from "./gates.ts";
import { isHarmless } from "./harmless.ts";
import { eachLine, Lines } from "./lines.ts";
import { type Id, type Message, readMessage } from "./message.ts";
import type { Note, PermissionNote } from "./notes.ts";
import type { Asked, Protocol, Held } from "./protocol.ts";
import { Talk } from "./talk.ts";

export interface ProxyParts {
  readonly protocol: Protocol;
  readonly toAgent: (bytes: Uint8Array) => void;
  readonly toClient: (bytes: Uint8Array) => void;
  readonly say: (text: string) => void;
  readonly tell: (note: Note) => void;
  /** Asks after all earlier notes. */
  readonly ask: (note: PermissionNote, inputHash: string) => Inquiry;
  readonly name: string;
  /** A short text that differs for each run. */
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
  readonly #toAgent: Outbox;
  readonly #toClient: Outbox;
  #complaints = 0;

  constructor(parts: ProxyParts) {
    const { protocol, name, run, tell, say, secret, timeoutMs } = (this.#parts = parts);
    this.#toAgent = new Outbox(parts.toAgent, protocol.envelope);
    this.#toClient = new Outbox(parts.toClient, protocol.envelope);
    this.#calls = new Calls(run, protocol.told);
    this.#talk = new Talk({ name, run, calls: this.#calls, tell, say }, protocol.talk);
    this.#gates = new Gates({
      protocol,
      toAgent: (message) => this.#toAgent.message(message),
      toClient: (message) => this.#toClient.message(message),
      say,
      secret,
      timeoutMs,
      ended: (asked, how) => this.#callEnded(asked, how),
    });
  }

  /** @throws Error if the stream is malformed. */
  agentSaid(chunk: Buffer): void {
    const block = this.#fromAgent.take(chunk);
    const { harmless } = this.#parts.protocol;
    const text = isUtf8(block) ? block.toString("latin1") : undefined;
    // Where the lines begin that are passed on together, without being read.
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

  /** Ends all waiting, because one side is gone. @returns once the engine knows. */
  leave(): Promise<void> {
    this.#talk.ended();
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
    const { protocol, secret } = this.#parts;
    if (message.type === "answer" && typeof message.id === "string" && message.id.startsWith(secret)) return;
    this.#talk.agentSaid(message, line);
    if (message.type === "request" && protocol.isAskedAbout(message.method, message.params))
      return this.#hold(message);
    if (message.type === "notification" && protocol.isActing(message.method))
      return this.#complain("agent", `${message.method} comes without an id`);
    const over = protocol.overIn(message);
    const told = over && this.#gates.over(over);
    if (told) return this.#toClient.message(told);
    this.#toClient.line(line);
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

  #hold(request: Request): void {
    const { id, method, params } = request;
    if (!isSound(id))
      return this.#complain("agent", `${shortened(method)} has an id that cannot be returned unchanged`);
    let why: string | undefined;
    try {
      const asked = this.#parts.protocol.askedIn(method, params, this.#calls);
      why = typeof asked === "string" ? asked : this.#ask(id, method, asked);
    } catch (error) {
      // The input is not JSON, so it has no hash.
      why = error instanceof Error ? error.message : String(error);
    }
    if (why === undefined) return;
    this.#complain("agent", `${shortened(method)} is not asked about: ${why}`);
    this.#toAgent.message({
      id,
      error: { code: DENIED, message: `Signalbox did not ask about this call: ${why}.` },
    });
  }

  /** @returns why the request gets no approval, if so. @throws RefusedError for an input that cannot be stored. */
  #ask(id: string | number, method: string, asked: Asked): string | undefined {
    const { toolCallId = this.#calls.freshId(), session, input } = asked;
    const { hash } = toolInput(input);
    const held = { ...asked, toolCallId, isOwn: asked.toolCallId === undefined };
    return this.#gates.open(id, method, held, () => {
      const isTold = !held.isOwn && this.#calls.of(session, toolCallId) !== undefined;
      if (!held.isOwn) this.#calls.asked(session, toolCallId, input);
      const note = { ...this.#noteOf(held), tool_input: input };
      // PROXY-CALLS-4
      if (!isTold) this.#parts.tell({ told: "call", ...note, status: "pending" });
      return this.#parts.ask({ told: "permission", ...note }, hash);
    });
  }

  #noteOf({ session, toolCallId, tool, isOwn }: Held) {
    const call = (isOwn ? undefined : this.#calls.of(session, toolCallId)?.id) ?? toolCallId;
    const { sessions } = this.#talk;
    return { ...sessions.around(session), ...sessions.promptOf(session), call, tool };
  }

  /** Reports how a call ended that the proxy asked about; the agent reports the end of all other calls. */
  #callEnded(asked: Held, how: "rejected" | "completed" | "failed"): void {
    if (asked.isOwn) this.#parts.tell({ told: "call", ...this.#noteOf(asked), status: how });
    else if (how === "rejected") this.#calls.rejected(asked.session, asked.toolCallId);
  }

  #complain(side: string, why: string): void {
    if (++this.#complaints <= COMPLAINTS_MAX)
      this.#parts.say(`A line of the ${side} was not passed on: ${why}.`);
  }
}

/** All messages of one turn of the event loop are written in one piece. */
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

/** True if the agent's id can be returned unchanged. */
const isSound = (id: Id): id is string | number =>
  typeof id === "string" ? id.length <= 1_024 : Number.isSafeInteger(id);

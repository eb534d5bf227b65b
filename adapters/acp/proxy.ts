// Proxy
// Stands between an editor and an agent: passes on what they say, and holds what lets something happen until it is allowed.
//
//   Owns:          which line passes as it came, which is held, which goes no further.
//   Does not own:  what a line says (message), the answers (gates), the processes and streams (composition/acp-side).
//   Decided in:    docs/decisions/0075-an-agent-is-asked-for-by-a-proxy.md.
//
// ACP-PROXY-1. A line passes byte for byte, or is asked about, or goes no further: what is not understood by all readers alike
//     is told on standard error, and dropped.
// ACP-PROXY-2. Lines of one side keep their order, but for those that wait for an answer.
// ACP-PROXY-3. An editor's answer to what the proxy asked never reaches the agent, and an agent cannot name such a question.

import { isUtf8 } from "node:buffer";
import { toolInput } from "../../runtime/canonical.ts";
import { askedIn, type Asked, DENIED, isActing, isAskedAbout, isSound } from "./asked.ts";
import { Calls, shortened } from "./calls.ts";
import { Conversation } from "./conversation.ts";
import { type Inquiry, Gates } from "./gates.ts";
import { isHarmless } from "./harmless.ts";
import { eachLine, Lines } from "./lines.ts";
import { type Fields, type Message, readMessage } from "./message.ts";
import type { Note, PermissionNote } from "./notes.ts";

export interface ProxyParts {
  readonly toAgent: (bytes: Uint8Array) => void;
  readonly toEditor: (bytes: Uint8Array) => void;
  readonly say: (text: string) => void;
  readonly tell: (note: Note) => void;
  /** Asks after all that was told before. */
  readonly ask: (note: PermissionNote, inputHash: string) => Inquiry;
  /** Of the agent's program. */
  readonly name: string;
  /** Short, another one for each run. */
  readonly run: string;
  readonly secret: string;
  readonly timeoutMs: number;
}

type Request = Extract<Message, { readonly type: "request" }>;

const COMPLAINTS_MAX = 20;

export class Proxy {
  readonly #parts: ProxyParts;
  readonly #fromAgent = new Lines();
  readonly #fromEditor = new Lines();
  readonly #calls: Calls;
  readonly #talk: Conversation;
  readonly #gates: Gates;
  readonly #toAgent: Outbox;
  readonly #toEditor: Outbox;
  #complaints = 0;

  constructor(parts: ProxyParts) {
    const { name, run, tell, say, secret, timeoutMs } = (this.#parts = parts);
    this.#toAgent = new Outbox(parts.toAgent);
    this.#toEditor = new Outbox(parts.toEditor);
    this.#calls = new Calls(run);
    this.#talk = new Conversation(name, run, this.#calls, tell);
    this.#gates = new Gates({
      toAgent: (message) => this.#toAgent.message(message),
      toEditor: (message) => this.#toEditor.message(message),
      say,
      secret,
      timeoutMs,
      ended: (asked, how) => this.#callEnded(asked, how),
    });
  }

  /** @throws Error where its stream is at fault. */
  agentSaid(chunk: Buffer): void {
    const block = this.#fromAgent.take(chunk);
    const text = isUtf8(block) ? block.toString("latin1") : undefined;
    // Where the lines begin that pass together.
    let first = 0;
    eachLine(block, (from, to) => {
      if (text !== undefined && isHarmless(text, from, to)) return;
      this.#unread(block.subarray(first, from));
      this.#agentLine(block.subarray(from, to));
      first = to;
    });
    this.#unread(block.subarray(first));
  }

  /** @throws Error where its stream is at fault. */
  editorSaid(chunk: Buffer): void {
    const block = this.#fromEditor.take(chunk);
    eachLine(block, (from, to) => this.#editorLine(block.subarray(from, to)));
  }

  /** One side is gone. @returns once the engine knows that nobody waits any more. */
  leave(): Promise<void> {
    this.#talk.ended();
    return this.#gates.leave();
  }

  #unread(lines: Buffer): void {
    this.#talk.passed(lines);
    this.#toEditor.line(lines);
  }

  #agentLine(line: Buffer): void {
    const message = readMessage(line);
    if (message === undefined) return;
    if (message.type === "refused") return this.#complain("agent", message.why);
    this.#talk.agentSaid(message, line);
    if (message.type === "request" && isAskedAbout(message.method)) return this.#hold(message);
    if (message.type === "notification") {
      if (message.method === "$/cancel_request") this.#gates.withdraw(message.params["requestId"]);
      if (isActing(message.method)) return this.#complain("agent", `${message.method} comes without an id`);
    }
    this.#toEditor.line(line);
  }

  #editorLine(line: Buffer): void {
    const message = readMessage(line);
    if (message === undefined) return;
    if (message.type === "refused") return this.#complain("editor", message.why);
    if (message.type === "answer") {
      const whole = JSON.parse(line.toString()) as Fields;
      if (this.#gates.answered(message, whole)) return;
    } else if (message.type === "notification" && message.method === "session/cancel")
      this.#gates.cancel(message.params["sessionId"]);
    this.#talk.editorSaid(message);
    this.#toAgent.line(line);
  }

  #hold(request: Request): void {
    const { id, method, params } = request;
    if (!isSound(id))
      return this.#complain("agent", `${shortened(method)} has an id that cannot be given back`);
    const asked = askedIn(method, params, {
      known: (session, toolCallId) => this.#calls.of(session, toolCallId)?.told,
      freshId: () => this.#calls.freshId(),
    });
    const why = typeof asked === "string" ? asked : this.#ask(id, method, asked);
    if (why === undefined) return;
    this.#complain("agent", `${shortened(method)} is not asked about: ${why}`);
    const error = { code: DENIED, message: `Signalbox did not ask about this: ${why}.` };
    this.#toAgent.message({ jsonrpc: "2.0", id, error });
  }

  /** @returns why it is not asked, where that is so. */
  #ask(id: string | number, method: string, asked: Asked): string | undefined {
    let inputHash: string;
    try {
      inputHash = toolInput(asked.input).hash;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    return this.#gates.open(id, method, asked, () => {
      if (asked.told) this.#calls.asked(asked.session, asked.toolCallId, asked.input);
      const note = { acp: "permission", ...this.#noteOf(asked), tool_input: asked.input } as const;
      return this.#parts.ask(note, inputHash);
    });
  }

  #noteOf({ session, toolCallId, tool, told }: Asked) {
    const call = (told && this.#calls.of(session, toolCallId)?.id) ?? toolCallId;
    return { ...this.#talk.around(session), ...this.#talk.promptOf(session), call, tool };
  }

  /** Of a call that only the proxy knows of, it alone can tell how it ended. */
  #callEnded(asked: Asked, how: "rejected" | "completed" | "failed"): void {
    if (asked.told) this.#calls.rejected(asked.session, asked.toolCallId);
    else this.#parts.tell({ acp: "call", ...this.#noteOf(asked), status: how });
  }

  #complain(side: string, why: string): void {
    if (++this.#complaints <= COMPLAINTS_MAX)
      this.#parts.say(`A line of the ${side} goes no further: ${why}.`);
  }
}

/** What is said within one turn leaves in one piece. */
class Outbox {
  readonly #write: (bytes: Uint8Array) => void;
  #lines: Uint8Array[] = [];

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  message(message: object): void {
    this.line(Buffer.from(`${JSON.stringify(message)}\n`));
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

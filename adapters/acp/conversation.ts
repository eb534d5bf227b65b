// Conversation
// Follows what editor and agent say to one another, and tells the engine what is worth it.
//
//   Owns:          the requests that wait for their answer, the sessions with their folders and prompts.
//   Does not own:  what passes (proxy), what is asked about (gates), the calls (calls), what a note means (notes).
//
// CONVERSATION-1. It only watches: nothing here changes, holds up or lets pass a message.
// CONVERSATION-2. A session's id is the agent's behind the name of the program that a person gave: one agent cannot speak in
//     another's name.
// CONVERSATION-3. What an agent repeats of an earlier conversation, while it loads one, is not told again.
// CONVERSATION-4. What an agent calls itself is told with each note, cut to 100 characters for its name and its version.

import { defined } from "../../machines/defined.ts";
import { toId } from "../../runtime/foreign-id.ts";
import { type Calls, textsOf, wellFormed } from "./calls.ts";
import { type Fields, type Id, isFields, type Message } from "./message.ts";
import type { Around, Note } from "./notes.ts";
import { Words } from "./words.ts";

interface Waiting {
  readonly method: string;
  readonly session?: string;
  readonly cwd?: string;
  readonly prompt?: string;
}

interface Session {
  readonly cwd?: string;
  readonly prompt?: string;
}

const SESSIONS_MAX = 1_000;
const WAITING_MAX = 1_000;
const NAME_MAX = 100;

export class Conversation {
  readonly #name: string;
  readonly #run: string;
  readonly #calls: Calls;
  readonly #tell: (note: Note) => void;
  readonly #words = new Words();
  readonly #waiting = new Map<Id, Waiting>();
  readonly #sessions = new Map<string, Session>();
  #agent: Around["agent"];
  #prompts = 0;

  /** @param name of the agent's program. @param run tells this run apart from all others. */
  constructor(name: string, run: string, calls: Calls, tell: (note: Note) => void) {
    [this.#name, this.#run, this.#calls, this.#tell] = [name, run, calls, tell];
  }

  around(session: string): Around {
    const { cwd } = this.#sessions.get(session) ?? {};
    return { session: toId(wellFormed(`${this.#name}-${session}`)), ...defined({ cwd, agent: this.#agent }) };
  }

  promptOf(session: string): { readonly prompt?: string } {
    return defined({ prompt: this.#sessions.get(session)?.prompt });
  }

  editorSaid(message: Message): void {
    if (message.type !== "request") return;
    const { id, method, params } = message;
    const [session, cwd] = [textIn(params, "sessionId"), textIn(params, "cwd")];
    const prompt = method === "session/prompt" ? `prompt-${this.#run}-${++this.#prompts}` : undefined;
    if (prompt !== undefined) this.#words.forget();
    if (prompt !== undefined && session !== undefined) {
      this.#keep(session, { ...this.#sessions.get(session), prompt });
      this.#tell({ acp: "prompt", ...this.around(session), prompt, text: textsOf(params["prompt"]) });
    }
    this.#waiting.set(id, defined({ method, session, cwd, prompt }));
    if (this.#waiting.size > WAITING_MAX) this.#waiting.delete([...this.#waiting.keys()][0] ?? null);
  }

  /** Lines of the agent's that nobody read. */
  passed(lines: Uint8Array): void {
    this.#words.passed(lines);
  }

  /** @param line the message as it came. */
  agentSaid(message: Message, line: Uint8Array): void {
    if (message.type === "answer") return this.#answered(message);
    if (message.method !== "session/update") return;
    const [session, update] = [textIn(message.params, "sessionId"), message.params["update"]];
    if (session === undefined || !isFields(update) || this.#isLoading(session)) return;
    if (update["sessionUpdate"] === "agent_message_chunk") return this.#words.passed(line);
    const title = update["sessionUpdate"] === "session_info_update" ? textIn(update, "title") : undefined;
    if (title !== undefined) this.#tell({ acp: "session", ...this.around(session), title });
    const call = this.#calls.updated(session, update);
    if (!call) return;
    const text = this.#words.take(session);
    const base = { ...this.around(session), ...this.promptOf(session) };
    if (text !== "") this.#tell({ acp: "said", ...base, text });
    this.#tell({ acp: "call", ...base, ...call } as Note);
  }

  /** One side is gone. */
  ended(): void {
    for (const session of this.#sessions.keys())
      this.#tell({ acp: "session", ...this.around(session), ended: true });
    this.#sessions.clear();
  }

  #answered({ id, result, isError }: Extract<Message, { readonly type: "answer" }>): void {
    const asked = this.#waiting.get(id);
    if (asked === undefined) return;
    this.#waiting.delete(id);
    const said = isFields(result) ? result : {};
    if (asked.method === "initialize") this.#agent = agentIn(said["agentInfo"]);
    if (asked.method === "session/load") this.#words.forget();
    if (asked.method === "session/prompt") return this.#stopped(asked, said, isError);
    if (isError) return;
    const isNew = asked.method === "session/new" || asked.method === "session/fork";
    const isOld = asked.method === "session/load" || asked.method === "session/resume";
    const session = isNew ? textIn(said, "sessionId") : isOld ? asked.session : undefined;
    if (session === undefined) return;
    this.#keep(session, defined({ cwd: asked.cwd }));
    this.#tell({ acp: "session", ...this.around(session), resumed: isOld });
  }

  #stopped({ session, prompt }: Waiting, { stopReason }: Fields, isError: boolean): void {
    if (session === undefined || prompt === undefined) return;
    const isFailed = isError || stopReason === "refusal";
    const outcome = stopReason === "cancelled" ? "interrupted" : isFailed ? "failed" : "completed";
    const error = !isFailed ? {} : { error: isError ? "the agent answered with an error" : "refusal" };
    this.#tell({ acp: "stopped", ...this.around(session), prompt, outcome, ...error });
  }

  #isLoading(session: string): boolean {
    return [...this.#waiting.values()].some(
      (each) => each.method === "session/load" && each.session === session,
    );
  }

  #keep(session: string, known: Session): void {
    this.#sessions.set(session, known);
    if (this.#sessions.size > SESSIONS_MAX) this.#sessions.delete([...this.#sessions.keys()][0] ?? "");
  }
}

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function agentIn(info: unknown): Around["agent"] {
  const { name, version } = isFields(info) ? info : {};
  if (typeof name !== "string") return undefined;
  const short = (text: string): string => wellFormed(text.slice(0, NAME_MAX));
  return { name: short(name), ...(typeof version === "string" && { version: short(version) }) };
}

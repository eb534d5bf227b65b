// Client
// A scripted client of an agent behind a proxy: it sends, hears, and answers as it is told to.
//
//   Owns:          its requests, its answers, what it was asked and told.
//   Does not own:  a protocol's words (acp/editor, codex/app-client), what is expected.

import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export interface Heard {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Exchanged {
  readonly from: "client" | "agent";
  readonly said: object;
}

/** @returns the result of the answer, or nothing for none. */
export type Reply = (request: Heard) => unknown;

export abstract class Client {
  readonly child: ChildProcess;
  /** Everything that came, in order. */
  readonly heard: Heard[] = [];
  /** As the bytes came. */
  readonly lines: string[] = [];
  /** What both said, in the order in which it sends and hears it. */
  readonly exchanged: Exchanged[] = [];
  session = "";
  /** The request that is its dialog. */
  abstract readonly dialog: string;
  /** By what it allows and denies once, and what it says where it means to allow more. */
  abstract readonly allows: Reply;
  abstract readonly denies: Reply;
  abstract readonly allowsAlways: Reply;
  readonly #answers = new Map<unknown, (message: Heard) => void>();
  readonly #reply: Reply;
  readonly #envelope: object;
  #count = 0;
  #rest = "";

  constructor(child: ChildProcess, envelope: object, reply: Reply = () => undefined) {
    [this.child, this.#envelope, this.#reply] = [child, envelope, reply];
    child.stdin?.on("error", () => undefined);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#take(text));
  }

  /** @returns how the agent names itself. */
  abstract begin(cwd?: string): Promise<string>;
  /** @returns once the turn is over. */
  abstract promptText(text: string): Promise<Heard>;
  /** Ends the turn. */
  abstract cancel(): void;
  /** Once its dialog was ended by the other side. */
  abstract takenBack(): Promise<Heard>;

  send(message: object): void {
    const said = { ...this.#envelope, ...message };
    this.exchanged.push({ from: "client", said });
    this.child.stdin?.write(`${JSON.stringify(said)}\n`);
  }

  request(method: string, params: object): Promise<Heard> {
    const id = ++this.#count;
    this.send({ id, method, params });
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  /** The first of those that were asked or told so, once there is one. */
  async told(method: string, nth = 0): Promise<Heard> {
    for (;;) {
      const found = this.heard.filter((each) => each.method === method)[nth];
      if (found) return found;
      await sleep(10);
    }
  }

  answer({ id }: Heard, result: unknown): void {
    this.send({ id, result });
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      this.lines.push(line);
      const message = JSON.parse(line) as Heard;
      this.heard.push(message);
      this.exchanged.push({ from: "agent", said: message });
      if (message.method === undefined) this.#answers.get(message.id)?.(message);
      else if (message.id !== undefined) {
        const result = this.#reply(message);
        if (result !== undefined) this.answer(message, result);
      }
    }
  }
}

/** What the agent heard, line by line. */
export const linesOf = (log: string): readonly string[] =>
  existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];

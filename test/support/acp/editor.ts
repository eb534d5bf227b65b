// Editor
// A scripted editor: it starts the proxy with an agent behind it, and answers as it is told to.
//
//   Owns:          its requests, its answers, what it was asked and told.
//   Does not own:  the agent (agent.ts), what is expected.

import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { textAt } from "../engine/json.ts";
import type { Step } from "./agent.ts";

export interface Heard {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** @returns the result of the answer, or nothing for none. */
export type Reply = (request: Heard) => unknown;

/** Picks the option of a kind. */
export const picks =
  (kind: string): Reply =>
  ({ params }) => {
    const options = (params?.["options"] ?? []) as readonly { optionId: string; kind: string }[];
    const optionId = options.find((each) => each.kind === kind)?.optionId;
    return { outcome: { outcome: "selected", optionId } };
  };

export class Editor {
  readonly child: ChildProcess;
  /** Everything that came, in order. */
  readonly heard: Heard[] = [];
  /** As the bytes came. */
  readonly lines: string[] = [];
  session = "";
  readonly #answers = new Map<unknown, (message: Heard) => void>();
  readonly #reply: Reply;
  #count = 0;
  #rest = "";

  constructor(child: ChildProcess, reply: Reply = () => undefined) {
    this.child = child;
    this.#reply = reply;
    child.stdin?.on("error", () => undefined);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#take(text));
  }

  send(message: object): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  request(method: string, params: object): Promise<Heard> {
    const id = ++this.#count;
    this.send({ id, method, params });
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  /** @returns the agent's answer to the greeting. */
  async begin(cwd = "/home/dev/shop"): Promise<Heard> {
    const greeted = await this.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { result } = await this.request("session/new", { cwd, mcpServers: [] });
    this.session = textAt(result, "sessionId") ?? "";
    return greeted;
  }

  prompt(...steps: readonly Step[]): Promise<Heard> {
    return this.promptText(JSON.stringify(steps));
  }

  promptText(text: string): Promise<Heard> {
    return this.request("session/prompt", { sessionId: this.session, prompt: [{ type: "text", text }] });
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

// Script
// Writes transcripts as the client does, a block a line, each line the child of the one before.
//
//   Owns:          the fields of the lines, their chain and times.
//   Does not own:  what is looked up in them.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export const START = Date.parse("2026-11-21T20:00:00Z");

type Fields = Readonly<Record<string, unknown>>;

export class Script {
  readonly lines: string[] = [];
  /** Fields that every line of the conversation has. */
  readonly #common: Fields;
  #uuid: string | null = null;
  #at = START;
  #next = 0;

  readonly #ids: string;

  /** @param ids what the ids of its lines begin with. */
  constructor(common: Fields = {}, ids = "u") {
    this.#ids = ids;
    this.#common = { sessionId: "s1", isSidechain: false, version: "2.1.330", ...common };
  }

  /** The time of the last line, ms. */
  get at(): number {
    return this.#at;
  }

  get uuid(): string | null {
    return this.#uuid;
  }

  wait(ms: number): this {
    this.#at += ms;
    return this;
  }

  prompt(text: string, fields: Fields = {}): this {
    return this.line({ type: "user", message: { role: "user", content: text }, ...fields });
  }

  says(message: string, text: string, fields: Fields = {}): this {
    return this.block(message, { type: "text", text }, fields);
  }

  thinks(message: string, thinking: string): this {
    return this.block(message, { type: "thinking", thinking });
  }

  calls(message: string, id: string, tool: string, input: unknown, fields: Fields = {}): this {
    return this.block(message, { type: "tool_use", id, name: tool, input }, fields);
  }

  result(id: string, fields: Fields = {}): this {
    const content = [{ type: "tool_result", tool_use_id: id, content: "done" }];
    return this.line({ type: "user", message: { role: "user", content }, ...fields });
  }

  block(message: string, block: Fields, fields: Fields = {}): this {
    return this.line({
      type: "assistant",
      message: { id: message, role: "assistant", model: "claude", content: [block] },
      ...fields,
    });
  }

  line(fields: Fields): this {
    this.#next += 1;
    this.#at += 10;
    const uuid = `${this.#ids}${this.#next}`;
    const timestamp = new Date(this.#at).toISOString();
    this.raw(JSON.stringify({ parentUuid: this.#uuid, uuid, timestamp, ...this.#common, ...fields }));
    this.#uuid = typeof fields["uuid"] === "string" ? fields["uuid"] : uuid;
    return this;
  }

  /** A line as it is, no part of the chain. */
  raw(text: string): this {
    this.lines.push(text);
    return this;
  }

  /** Writes the file, in a folder that is gone when the test is over. */
  save(name = "s1.jsonl"): string {
    const path = join(ownFolder(), name);
    writeFileSync(path, this.lines.map((line) => `${line}\n`).join(""));
    return path;
  }
}

/** A prompt, a sentence and the call it is about. */
export const oneCall = (input: unknown = { command: "npm test" }): Script =>
  new Script().prompt("Make it green.").says("m1", "I run the tests.").calls("m1", "t1", "Bash", input);

/** A folder that is gone when the test is over. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-intent-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

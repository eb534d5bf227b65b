// Ends
// What became of each call: as the engine has it, and as the client's own files and stream prove it.
//
//   Owns:          both lists, in the same words; how soon the engine knew what a transcript says.
//   Does not own:  the proofs (oracle), the client (claude.ts).

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { at, listAt, textAt } from "../engine/json.ts";
import { prove } from "../oracle/oracle.ts";
import type { RecordedFile } from "../sessions/recording.ts";
import type { Claude, Run } from "./claude.ts";
import { bySocket } from "../http/by-socket.ts";

const LOOK_MS = 25;
const OPEN = /^(created|queued|processing)/;
const NOTHING: RecordedFile = { path: "", lines: [] };

/** `<session> <call>` → its end, such as `denied/rule`. */
export type EndList = Readonly<Record<string, string>>;

export interface Delay {
  readonly call: string;
  readonly end: string;
  /** From the result's line in the transcript to the answer of the engine; less than 0 where a hook was sooner. */
  readonly ms: number | undefined;
}

export class Ends {
  readonly #claude: Claude;
  readonly #onDisk = new Map<string, number>();
  readonly #here = new Map<string, { readonly end: string; readonly at: number }>();
  #isOver = false;
  readonly #looking: Promise<void>;

  /** Looks from now on, until `stop`. */
  constructor(claude: Claude) {
    this.#claude = claude;
    this.#looking = this.#look();
  }

  /** As the engine has them now. */
  async here(): Promise<EndList> {
    const found: Record<string, string> = {};
    for (const session of listAt(await this.#get("/v1/sessions"), "items")) {
      const id = textAt(session, "id") ?? "";
      for (const call of listAt(await this.#get(`/v1/sessions/${id}/tool-calls`), "items"))
        found[`${id} ${textAt(call, "id")}`] = endOf(call);
    }
    return found;
  }

  /** The approvals in a state, oldest first, once there are as many. */
  async approvals(state: string, count: number): Promise<readonly unknown[]> {
    for (;;) {
      const found = listAt(await this.#get(`/v1/approvals?state=${state}`), "items");
      if (found.length >= count) return found.toReversed();
      await sleep(LOOK_MS);
    }
  }

  /** The approval, once it is as wanted. */
  async approval(id: string, isWanted: (approval: unknown) => boolean): Promise<unknown> {
    for (;;) {
      const found = await this.#get(`/v1/approvals/${id}`);
      if (isWanted(found)) return found;
      await sleep(LOOK_MS);
    }
  }

  /** As the client's own files and stream prove them. */
  proven(runs: readonly Run[] = []): EndList {
    const printed = linesOf("stream.jsonl", runs.map(({ out }) => out).join("\n"), (line) => line);
    const stream = { ...printed, lines: printed.lines.filter(({ value }) => at(value, "session_id")) };
    const proofs = prove(
      {
        name: "live",
        hooks: NOTHING,
        stream,
        transcripts: this.#transcripts(),
        earlierTranscripts: [],
        canUseTool: NOTHING,
        mcp: NOTHING,
        httpHooks: NOTHING,
      },
      "all",
    );
    return Object.fromEntries(
      proofs.map(({ sessionId, toolUseId, execution, cause }) => [
        `${sessionId} ${toolUseId}`,
        cause === undefined ? execution : `${execution}/${cause}`,
      ]),
    );
  }

  /** The engine's list, once no call in it is open and all that are proven stand there. */
  async settled(runs: readonly Run[] = []): Promise<EndList> {
    for (;;) {
      const here = await this.here();
      const isWhole = Object.keys(this.proven(runs)).every((key) => here[key] !== undefined);
      if (isWhole && !Object.values(here).some((end) => OPEN.test(end))) return here;
      await sleep(LOOK_MS);
    }
  }

  async stop(): Promise<readonly Delay[]> {
    this.#isOver = true;
    await this.#looking;
    return [...this.#here].map(([call, { end, at }]) => {
      const onDisk = this.#onDisk.get(call);
      return { call, end, ms: onDisk === undefined ? undefined : at - onDisk };
    });
  }

  #transcripts(): readonly RecordedFile[] {
    const root = join(this.#claude.config, "projects");
    if (!existsSync(root)) return [];
    return readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".jsonl"))
      .sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1))
      .map((path) => linesOf(`transcripts/${path}`, readFileSync(join(root, path), "utf8"), wholeLines));
  }

  async #look(): Promise<void> {
    while (!this.#isOver) {
      for (const { lines } of this.#transcripts())
        for (const { value } of lines) this.#noteResults(value, Date.now());
      const here = await this.here().catch((): EndList => ({}));
      for (const [call, end] of Object.entries(here))
        if (this.#here.get(call)?.end !== end && !OPEN.test(end))
          this.#here.set(call, { end, at: Date.now() });
      await sleep(LOOK_MS);
    }
  }

  #noteResults(line: unknown, now: number): void {
    if (textAt(line, "type") !== "user") return;
    for (const block of listAt(line, "message", "content")) {
      const key = `${textAt(line, "sessionId")} ${textAt(block, "tool_use_id")}`;
      if (textAt(block, "type") === "tool_result" && !this.#onDisk.has(key)) this.#onDisk.set(key, now);
    }
  }

  async #get(path: string): Promise<unknown> {
    return (await bySocket(this.#claude.data)(path)).json();
  }
}

function endOf(call: unknown): string {
  const execution = textAt(call, "execution") ?? "";
  // The client's own rules are foreign here; the oracle calls them what they are.
  const isClients = textAt(call, "denial", "by") === "client-rule";
  const cause = isClients ? "rule" : (textAt(call, "denial", "cause") ?? textAt(call, "missing", "cause"));
  return cause === undefined ? execution : `${execution}/${cause}`;
}

/** The client may be writing the last one. */
const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf("\n") + 1);

function linesOf(path: string, text: string, whole: (text: string) => string): RecordedFile {
  const texts = whole(text)
    .split("\n")
    .filter((line) => line.startsWith("{"));
  return {
    path,
    lines: texts.map((line, n) => ({ number: n + 1, text: line, value: JSON.parse(line) as unknown })),
  };
}

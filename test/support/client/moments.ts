// Moments
// When the engine's view showed something, and which evidence made it so.
//
//   Owns:          following the engine's changes as the panel does; the table of how long each took.
//   Does not own:  the client (claude.ts), the moments of what was done.

import { at, textAt } from "../engine/json.ts";
import { follow, type Following } from "../http/follow.ts";
import type { Claude } from "./claude.ts";
import { personAt } from "../http/person.ts";

/** A change, as a reader of the stream was told of it. */
export interface Shown {
  /** By this process's clock, ms. */
  readonly shownAt: number;
  readonly entity: string;
  readonly id: string;
  readonly to: string;
  /** The position of the message that made it. */
  readonly turn: number;
}

/** How long one evidence took, each time. */
export interface Row {
  readonly evidence: string;
  readonly from: string;
  readonly times: readonly number[];
}

export class Moments {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #stream: Following;
  readonly #shown: Shown[] = [];
  readonly #waiting = new Set<() => void>();

  private constructor(url: string, headers: Record<string, string>, stream: Following) {
    this.#url = url;
    this.#headers = headers;
    this.#stream = stream;
    void this.#hear();
  }

  /** Follows from now on, until `stop`. */
  static async begin(claude: Claude, url: string): Promise<Moments> {
    const headers = await personAt(claude.data, url);
    return new Moments(url, headers, await follow(`${url}/v1/stream`, headers));
  }

  /** The first change that fits, once it is there. */
  async first(fits: (shown: Shown) => boolean): Promise<Shown> {
    for (;;) {
      const found = this.#shown.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** The nth approval that was asked for, from 0. */
  async asked(nth: number): Promise<string> {
    const isNew = ({ entity, to }: Shown): boolean => entity === "approval" && to === "pending";
    const { id } = await this.first((shown) => this.#shown.filter(isNew)[nth] === shown);
    return id;
  }

  /** When an approval left the inboxes. */
  left(id: string): Promise<Shown> {
    return this.first((each) => each.entity === "approval" && each.id === id && each.to !== "pending");
  }

  /** When a call was shown to be over. */
  ended(id: string): Promise<Shown> {
    const isOver = /^(completed|failed|denied|missing-post)$/;
    return this.first((each) => each.entity === "toolcall" && each.id === id && isOver.test(each.to));
  }

  /** The kind of message that made a change: `claude-code.hook Stop`, `waiter.gone`. */
  async toldBy({ turn }: Shown): Promise<string> {
    const answer = await fetch(`${this.#url}/v1/journal/${turn}`, { headers: this.#headers });
    const entry: unknown = await answer.json();
    const hook = at(entry, "data", "hook") ?? at(entry, "data");
    return [textAt(entry, "type"), textAt(hook, "hook_event_name")].filter(Boolean).join(" ");
  }

  /** Brings a line of the client's own stream, as a service that reads it does. */
  async bring(line: string, id: string): Promise<void> {
    const data: unknown = JSON.parse(line);
    const subject = `streamed/${textAt(data, "session_id") ?? "none"}`;
    const type = "claude-code.stream";
    await fetch(`${this.#url}/v1/events`, {
      method: "POST",
      headers: { ...this.#headers, "Content-Type": "application/json" },
      body: JSON.stringify({ specversion: "1.0", id, source: "/stream", type, subject, data }),
    });
  }

  stop(): Promise<void> {
    return this.#stream.cancel();
  }

  async #hear(): Promise<void> {
    for (;;) {
      const told = await this.#stream.next().catch(() => undefined);
      if (told === undefined) return;
      if (told.event !== "change") continue;
      const change: unknown = JSON.parse(told.data ?? "null");
      const text = (name: string): string => textAt(change, name) ?? "";
      this.#shown.push({
        shownAt: Date.now(),
        entity: text("entity"),
        id: text("id"),
        to: text("to"),
        turn: Number(at(change, "turn")),
      });
      for (const resolve of this.#waiting) resolve();
      this.#waiting.clear();
    }
  }
}

/** A row for each evidence, as docs/reference/gate.md has it. */
export function howSoonTable(rows: readonly Row[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
  const cells = rows.map(({ evidence, from, times }) => {
    const sorted = times.toSorted((one, other) => one - other);
    const at = (share: number): string => `${sorted[Math.ceil(share * sorted.length) - 1] ?? 0} ms`;
    return line([evidence, from, at(0.5), at(1), times.length]);
  });
  return [
    line(["evidence", "counted from", "half came within", "all came within", "measurements"]),
    line(["---", "---", "---:", "---:", "---:"]),
    ...cells,
  ].join("\n");
}

// Memory outlet
// Keeps what was published, so that tests and simulators can look at it.
//
//   Owns:          the record of what was published; refusing when told to.
//   Does not own:  order and retries (runtime/outbound/outbox).

import { lineIdOf } from "../../../runtime/rows/changes.ts";
import type { Notice, OutgoingChange, OutgoingLetter, Outlet } from "../../../runtime/ports.ts";

export class MemoryOutlet implements Outlet {
  /** Everything the other side has taken, in order; a change sent twice stands here twice. */
  readonly published: OutgoingChange[] = [];
  /** Every dead letter the other side has taken, once. */
  readonly letters: OutgoingLetter[] = [];
  readonly notices: Notice[] = [];
  readonly #versions = new Map<string, number>();
  #refusal: Error | undefined;

  /** From now on every publish fails with `error`; undefined ends it. */
  refuse(error: Error | undefined): void {
    this.#refusal = error;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- throws become rejections
  async publish(change: OutgoingChange): Promise<void> {
    if (this.#refusal) throw this.#refusal;
    const { session, version } = parseMessageId(change.messageId);
    this.published.push(change);
    this.#versions.set(session, Math.max(version, this.#versions.get(session) ?? 0));
  }

  lastVersion(workspace: string, session: string, log?: string): Promise<number> {
    return Promise.resolve(this.#versions.get(lineIdOf(workspace, session, log)) ?? 0);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- throws become rejections
  async publishLetter(letter: OutgoingLetter): Promise<void> {
    if (this.#refusal) throw this.#refusal;
    if (this.letters.every(({ messageId }) => messageId !== letter.messageId)) this.letters.push(letter);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- throws become rejections
  async notify(notice: Notice): Promise<void> {
    if (this.#refusal) throw this.#refusal;
    this.notices.push(notice);
  }

  close(): Promise<void> {
    this.#refusal = new Error("The outlet is closed.");
    return Promise.resolve();
  }
}

function parseMessageId(messageId: string): { session: string; version: number } {
  const colon = messageId.lastIndexOf(":");
  const version = Number(messageId.slice(colon + 1));
  if (colon < 1 || !Number.isSafeInteger(version) || version < 1) {
    throw new Error(`Not a change's message id: "${messageId}". It is made by one function; use that.`);
  }
  return { session: messageId.slice(0, colon), version };
}

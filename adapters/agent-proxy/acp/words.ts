// Words
// Finds what an agent says before a call: lines that passed unread are kept for a while, and parsed once a call comes.
//
//   Owns:          how much is kept, which lines are an agent's words in a session.
//   Does not own:  which lines pass unread (harmless), the use of the words (machines).
//
// ACP-WORDS-1. Lines that pass are not parsed: until a call comes, their bytes are only copied.
// ACP-WORDS-2. Memory is bounded: if there are more than 64 KiB of words, only the last ones are stored.
// ACP-WORDS-3. Words belong to a call if they come in its own session, after that session's last call and after the last prompt
//     of any session. An agent's thoughts, and its repeats of an earlier conversation, do not count.

import { jsonIn } from "../../../machines/json.ts";
import { fieldsIn } from "../told.ts";

const KEPT_MAX = 64 * 1024;
const TEXT_MAX = 4_000;

export class Words {
  #kept: Uint8Array[] = [];
  #bytes = 0;
  #isCut = false;

  /** @param lines whole ones, with their newlines. */
  passed(lines: Uint8Array): void {
    if (lines.length === 0) return;
    const tail = Buffer.from(lines.subarray(-KEPT_MAX));
    if (tail.length < lines.length) [this.#kept, this.#bytes, this.#isCut] = [[], 0, true];
    this.#kept.push(tail);
    this.#bytes += tail.length;
    for (let [first] = this.#kept; first && this.#bytes - first.length >= KEPT_MAX; [first] = this.#kept) {
      this.#kept.shift();
      this.#isCut = true;
      this.#bytes -= first.length;
    }
  }

  /** The words of a session since the last call of this function; empty if there are none. */
  take(session: string): string {
    const lines = Buffer.concat(this.#kept).toString().split("\n");
    const isCut = this.#isCut;
    this.forget();
    const text = lines
      .map((line) => chunkIn(line, session))
      .join("")
      .trim();
    return text !== "" && (isCut || text.length > TEXT_MAX) ? `…${text.slice(-TEXT_MAX)}` : text;
  }

  forget(): void {
    [this.#kept, this.#bytes, this.#isCut] = [[], 0, false];
  }
}

/** The first line may be cut off. */
function chunkIn(line: string, session: string): string {
  if (!line.includes("agent_message_chunk")) return "";
  const said = jsonIn(line);
  const params = fieldsIn(said, "params");
  const update = fieldsIn(params, "update");
  const text = fieldsIn(update, "content")["text"];
  const isIts = params["sessionId"] === session && update["sessionUpdate"] === "agent_message_chunk";
  return isIts && typeof text === "string" ? text : "";
}

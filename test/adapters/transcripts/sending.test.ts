// Sending
// Which message is found behind half a line, and that no line makes the engine search it again and again.

import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { transcripts } from "../../../adapters/claude-code/transcript-files.ts";
import { Counts } from "../../../adapters/transcripts/counts.ts";
import { Sending } from "../../../adapters/transcripts/sending.ts";
import type { SessionId, WorkspaceId } from "../../../machines/ids.ts";
import { jsonIn } from "../../../machines/json.ts";
import { at } from "../../support/engine/json.ts";
import { holdsLater } from "../../support/properties/property.ts";

const FILE = "test/adapters/transcripts/sending.test.ts";
const OWNER = { workspace: "shop" as WorkspaceId, session: "s1" as SessionId };
afterEach(() => {
  vi.restoreAllMocks();
});

/** @returns the data of the messages that are sent for one line, and the codes of its dead letters. */
async function sent(
  bytes: Buffer,
): Promise<{ readonly data: readonly unknown[]; readonly letters: string[] }> {
  const data: unknown[] = [];
  const letters: string[] = [];
  const sending = new Sending({
    door: {
      take: (batch) => {
        data.push(...batch.map((each) => at(each, "data")));
        return Promise.resolve([]);
      },
      refusals: { record: ({ code }) => Promise.resolve(void letters.push(code)) },
    },
    client: transcripts,
    counts: new Counts(),
  });
  await sending.send([{ at: 0, bytes, length: bytes.length, isTooLong: false }], OWNER, false);
  return { data, letters };
}

/** Tries every place: right, and too slow for a long line. */
function slowlyFound(text: string): unknown {
  for (let from = text.length - 1; from > 0; from--) {
    const value = text[from] === "{" ? jsonIn(text.slice(from)) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

const word = fc.string({ unit: fc.constantFrom('"', "\\", "{", "}", "[", "]", ",", ":", "a", "é") });
const whole = fc
  .tuple(fc.dictionary(word, fc.oneof(word, fc.array(fc.dictionary(word, word)))), fc.constantFrom("", " "))
  .map(([rest, end]) => JSON.stringify({ ...rest, type: "user", sessionId: "s1" }) + end);

test("TRANSCRIPTS-SENDING-3: the whole line behind a half one is found, whatever the two contain", async () => {
  const line = fc.tuple(
    fc.oneof(
      word,
      whole.map((text) => text.slice(0, -3)),
    ),
    fc.oneof(whole, word),
  );
  await holdsLater(FILE, 400, line, async ([half, rest]) => {
    const text = `{"type":"user","x":"${half}${rest}`;
    const found = slowlyFound(text);
    fc.pre(jsonIn(text) === undefined);
    const isOurs = at(found, "sessionId") === "s1";
    expect(await sent(Buffer.from(text))).toEqual({ data: isOurs ? [found] : [], letters: ["NOT_JSON"] });
  });
});

test("TRANSCRIPTS-SENDING-3: the half's open quote does not make the text behind it count as levels", async () => {
  const value = { type: "user", sessionId: "s1", x: "[".repeat(100) };
  const { data, letters } = await sent(Buffer.from(`{"type":"user","x":"${JSON.stringify(value)}`));
  expect([data, letters]).toEqual([[value], ["TOO_DEEP"]]);
});

test("TRANSCRIPTS-SENDING-3: a long line is parsed twice, not once for each brace", async () => {
  const parse = vi.spyOn(JSON, "parse");
  const nested = `"${'{"k":'.repeat(1_000)}[`;
  const line = nested + "{},".repeat((1024 * 1024 - nested.length) / 3);
  for (const hostile of [line, `${line}{}`, `"${'\\"'.repeat(512 * 1024)}{}`, `"${'{"'.repeat(512 * 1024)}}`])
    expect((await sent(Buffer.from(hostile))).letters).toHaveLength(1);
  expect(parse.mock.calls.length).toBeLessThanOrEqual(8);
});

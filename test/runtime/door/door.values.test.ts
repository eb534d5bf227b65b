// Door: values
// What is parsed comes in as a value: the journal, the letters and the answers are those that its text would have had.

import fc from "fast-check";
import { expect, test } from "vitest";
import { clients } from "../../../adapters/composition/clients.ts";
import { MemoryBlobs } from "../../../adapters/memory/index.ts";
import { CountedIds } from "../../support/engine/counted-ids.ts";
import { type Caller, Door, type Taken } from "../../../runtime/door/door.ts";
import { envelopeOf } from "../../../runtime/door/envelope.ts";
import { Rig } from "../../support/engine/rig.ts";
import { event } from "../../support/http/served.ts";

const CALLER: Caller = { door: "library", by: "test" };

/** Without what the engine says by itself, at its own time. */
const fromOutside = ({ disk }: Rig): readonly string[] =>
  disk.entries
    .map(({ body }) => body)
    .filter((body) => !/"said":\{"type":"(configured|swept|measured)"/.test(body));

async function doors() {
  const rigs = [await Rig.start(), await Rig.start()] as const;
  const door = ({ engine, clock, disk }: Rig): Door =>
    new Door({ engine, clock, ids: new CountedIds(), clients, blobs: new MemoryBlobs(disk, clock) });
  const [text, value] = [door(rigs[0]), door(rigs[1])];
  return {
    rigs,
    text,
    value,
    /** Takes a list both ways. @returns what became of it, as text and as value, and what the journals have. */
    both: async (list: string, caller = CALLER) => {
      const told = async (taken: Promise<readonly Taken[]>): Promise<unknown> => {
        const each = await taken.catch((error: unknown) => [{ refused: error }]);
        // The engine's own messages come at their own time, so positions may differ.
        return each.map((one) =>
          "reply" in one ? { ...one.reply, position: 0 } : (one.refused as { code: string }).code,
        );
      };
      const texts = await told(text.events(Buffer.from(list), caller).then(({ taken }) => taken));
      const values = await told(value.take(JSON.parse(list) as unknown[], caller));
      for (const rig of rigs) {
        await rig.quiet();
        rig.clock.advance(1_000);
      }
      return { texts, values, journals: rigs.map(fromOutside) };
    },
  };
}

const hostile = fc.constantFrom(
  "__proto__",
  "constructor",
  "prototype",
  "input",
  "tool_input",
  "tool_response",
);
const data = fc.dictionary(fc.oneof(fc.string(), hostile), fc.jsonValue({ maxDepth: 4 }));
const type = fc.constantFrom(
  "claude-code.stream",
  "claude-code.transcript",
  "claude-code.hook",
  "request.created",
);

test("DOOR-6, LIMITS-2: the journal has the same bytes of what came as text and as a value, and so have its letters", async () => {
  const { both } = await doors();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(type, data), { minLength: 1, maxLength: 5 }),
      fc.option(fc.uuid(), { nil: undefined }),
      async (said, key) => {
        const list = JSON.stringify(said.map(([named, what]) => event(named, what)));
        const caller = key === undefined ? CALLER : { ...CALLER, key };
        const { texts, values, journals } = await both(list, caller);
        expect(values).toEqual(texts);
        expect(journals[1]).toEqual(journals[0]);
        // Its key has the same words of it, whichever way it comes again.
        const again = await both(list, caller);
        expect(again.values).toEqual(again.texts);
        expect(again.journals[1]).toEqual(again.journals[0]);
      },
    ),
    { numRuns: 60 },
  );
});

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const raw = (content: string): string =>
  JSON.stringify([event("claude-code.stream", "CONTENT")]).replace('"CONTENT"', content);

test.each([
  ["a text that is cut", raw(`{"type":"a","prompt":"${"é".repeat(9_000)}"}`), "applied"],
  [
    "a tool input that becomes a blob",
    raw(`{"type":"a","tool_input":{"content":"${"x".repeat(600_000)}"}}`),
    "applied",
  ],
  ["doubled keys", raw('{"type":"a","type":"b","x":{"y":1,"y":2}}'), "applied"],
  [
    "numbers in other words",
    raw('{"type":"a","n":[1.0,1e2,-0,1e20,0.1e-6,12345678901234567890]}'),
    "applied",
  ],
  ["half a surrogate pair", raw('{"type":"a","x":"\\ud800"}'), "applied"],
  ["too many levels", raw(`{"x":${nested(64)}}`), "TOO_DEEP"],
  ["too large a number", raw('{"x":1e400}'), "NOT_JSON"],
  [
    "too many keys",
    raw(`{${Array.from({ length: 10_001 }, (_, n) => `"k${n}":1`).join()}}`),
    "TOO_MANY_KEYS",
  ],
  ["a key of all objects", raw('{"__proto__":{"polluted":1}}'), "FORBIDDEN_KEY"],
  ["too many bytes", raw(`{"x":"${"y".repeat(8_400_000)}"}`), "TOO_LARGE"],
])("DOOR-6, DOOR-4, LIMITS-1: as a value and as text the same: %s", async (_name, list, outcome) => {
  const { both, rigs } = await doors();
  const { texts, values, journals } = await both(list);
  expect(texts).toMatchObject([outcome === "applied" ? { outcome } : outcome]);
  expect(values).toEqual(texts);
  expect(journals[1]).toEqual(journals[0]);
  expect(rigs[1].rows("dead/")).toEqual(rigs[0].rows("dead/"));
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test("DOOR-1, DOOR-6: beyond the room for all of them, none is taken", async () => {
  const { value, rigs } = await doors();
  const many = Array.from({ length: 4_097 }, () => event("session.started", {}));
  await expect(value.take(many, CALLER)).rejects.toMatchObject({ code: "OVERLOADED" });
  expect(rigs[1].disk.entries.filter(({ body }) => body.startsWith('{"door":"in"'))).toEqual([]);
});

test("DOOR-6: what is said within the process has the envelope that a source would send", async () => {
  const { value } = await doors();
  const said = { workspace: "w", session: "s", id: "1", source: "gate", type: "session.started", data: {} };
  const envelope = envelopeOf({ ...said, time: 1_800_000_000_000 });
  expect(JSON.stringify(envelope)).toBe(
    '{"specversion":"1.0","id":"1","source":"gate","type":"session.started","subject":"w/s","time":"2027-01-15T08:00:00.000Z","data":{}}',
  );
  expect(await value.take([envelope], CALLER)).toMatchObject([{ reply: { outcome: "applied" } }]);
  const foreign = envelopeOf({ ...said, workspace: "../w" });
  expect(await value.take([foreign], CALLER)).toMatchObject([{ refused: { code: "BAD_SUBJECT" } }]);
});

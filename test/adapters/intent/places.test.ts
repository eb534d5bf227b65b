// Places
// Of several texts of one message the nearest one before the call, found again at the place that is told.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { extractIntent } from "../../../adapters/intent/lookup.ts";
import { Script } from "../../support/intent/script.ts";

/** A message of so many texts, and a call behind each of them. */
function talk(count: number, hasPlaces: boolean): string {
  const script = new Script().prompt("Go on.");
  const placed = (index: number) => (hasPlaces ? { apiBlockIndex: index } : {});
  for (let n = 0; n < count; n += 1)
    script
      .says("m1", `Step ${n}.`, placed(2 * n))
      .calls("m1", `t${n}`, "Bash", { command: `${n}` }, placed(2 * n + 1));
  return script.save();
}

test.each([true, false])(
  "S2.4, S2.67, INTENT-WORDS-1: the nearest text before each call is its words, and stands where it is said to stand (places: %s)",
  async (hasPlaces) => {
    const path = talk(6, hasPlaces);
    const text = readFileSync(path, "utf8");
    for (let n = 0; n < 6; n += 1) {
      const found = await extractIntent(path, { tool: "Bash", toolUseId: `t${n}` });
      expect(found).toMatchObject({ text: `Step ${n}.`, source: "message" });
      for (const [place, what] of [
        [found.place, `"Step ${n}."`],
        [found.call?.place, `"t${n}"`],
      ] as const) {
        const line = text.slice(place?.offset).split("\n")[0] ?? "";
        expect(line).toMatch(/^\{.*\}$/);
        expect(line).toContain(what);
      }
    }
  },
);

test("S2.4: of several texts in one line the last one before the call is its words", async () => {
  const text = (words: string) => ({ type: "text", text: words });
  const called = (id: string) => ({ type: "tool_use", id, name: "Bash", input: {} });
  const content = [
    text("First."),
    text("Second."),
    called("t1"),
    text("Third."),
    called("t2"),
    text("Last."),
  ];
  const path = new Script()
    .prompt("Go on.")
    .line({ type: "assistant", message: { role: "assistant", id: "m1", content } })
    .save();
  for (const [toolUseId, words] of [
    ["t1", "Second."],
    ["t2", "Third."],
  ] as const)
    expect(await extractIntent(path, { tool: "Bash", toolUseId })).toMatchObject({ text: words });
});

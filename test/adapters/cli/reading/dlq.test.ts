// The dead letters on the command line.

import { describe, expect, it } from "vitest";
import { at } from "../../../support/engine/json.ts";
import { deskWithEngine } from "../../../support/processes/desk-for-all.ts";
import { type Ended, jsonLines } from "../../../support/processes/program.ts";

const desk = deskWithEngine();

const run = (...args: readonly string[]): Promise<Ended> => desk.run(args);

describe("dlq", () => {
  it("G17, PROGRAM-1: dlq lists dead letters, shows one, sends one again; one that cannot be sent is exit code 1 and stops no other", async () => {
    await desk.emit("request.created", { requestId: 9 }, "shop/letters");
    const [newest] = jsonLines((await run("dlq", "ls", "--limit", "1", "--json")).out);
    const id = String(at(newest, "n"));
    expect(newest).toMatchObject({ code: "WRONG_SHAPE" });
    const { out } = await run("dlq", "ls");
    expect(out).toMatch(/^LETTER +CODE +AGE +SINCE THEN +REASON\n/);
    expect(out).toMatch(new RegExp(`^${id} +WRONG_SHAPE `, "m"));
    expect((await run("dlq", "show", id)).out).toContain('"requestId":9');
    expect(jsonLines((await run("dlq", "show", id, "--json")).out)).toMatchObject([{ n: Number(id) }]);
    // The same bytes are refused again, in the engine's words.
    const again = await run("dlq", "retry", id);
    expect([again.code, again.out, again.err]).toEqual([1, "", expect.stringContaining("requestId")]);
    const several = await run("dlq", "show", "99999", id);
    expect([several.code, several.out, several.err]).toEqual([
      1,
      expect.stringContaining("WRONG_SHAPE"),
      expect.stringContaining("no dead letter"),
    ]);
  });
});

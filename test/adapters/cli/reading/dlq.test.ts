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

  it("G17: dlq dismiss puts letters aside for everybody and says how to take it back; reopen does", async () => {
    for (const requestId of [1, 2]) await desk.emit("request.created", { requestId }, "shop/dismissed");
    const newest = jsonLines((await run("dlq", "ls", "--limit", "2", "--json")).out);
    const [second = "", first = ""] = newest.map((letter) => String(at(letter, "n")));
    const fates = async () =>
      jsonLines((await run("dlq", "ls", "--limit", "2", "--json")).out).map((letter) =>
        Boolean(at(letter, "dismissed")),
      );

    expect(await run("dlq", "dismiss", first, second)).toEqual({
      code: 0,
      out: `Letters ${first}, ${second} are dismissed, for everybody. To take it back: \`npx signalbox dlq reopen ${first} ${second}\`.\n`,
      err: "",
    });
    expect(await fates()).toEqual([true, true]);
    expect((await run("dlq", "ls")).out).toMatch(new RegExp(`^${second} .* dismissed by \\S`, "m"));
    expect((await run("dlq", "show", second)).out).toMatch(/^dismissed +by \S+, \d{4}-/m);

    const { out } = await run("dlq", "reopen", second);
    expect(out).toBe(`Letter ${second} is not dismissed any more.\n`);
    expect(await fates()).toEqual([false, true]);
    expect(jsonLines((await run("dlq", "dismiss", second, "--json")).out)).toEqual([
      expect.objectContaining({ letters: [Number(second)] }),
    ]);

    const unknown = await run("dlq", "dismiss", "99999");
    expect([unknown.code, unknown.out, unknown.err]).toEqual([1, "", expect.stringContaining("99999")]);
    const some = await run("dlq", "reopen", "99999", second);
    expect([some.code, some.out, some.err]).toEqual([
      1,
      `Letter ${second} is not dismissed any more.\n`,
      expect.stringContaining("99999"),
    ]);
    const none = await run("dlq", "reopen");
    expect([none.code, none.out, none.err]).toEqual([
      2,
      "",
      expect.stringContaining("npx signalbox dlq reopen --help"),
    ]);
  });
});

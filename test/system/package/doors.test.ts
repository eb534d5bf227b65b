// Doors of the package
// Whatever a program gives the functions and classes of the package, it is told in our words which option is wrong.
//
//   Owns:          each exported name of each door, with nothing, with something else, with each option of another kind.
//   Does not own:  what they do with what is right (library.test, and each one's own tests).

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as agentSdk from "../../../adapters/agent-sdk.ts";
import * as client from "../../../adapters/client.ts";
import * as library from "../../../adapters/index.ts";
import * as tracker from "../../../adapters/request-tracker.ts";
import * as contracts from "../../../runtime/contracts/index.ts";

type Call = (...given: readonly unknown[]) => unknown;

const ROOT = join(import.meta.dirname, "..", "..", "..");
const DOORS: Readonly<Record<string, object>> = {
  ".": library,
  "./agent-sdk": agentSdk,
  "./client": client,
  "./contracts": contracts,
  "./request-tracker": tracker,
};

/** What nobody means. With these alone, nothing is begun that would have to be ended. */
const NOT_MEANT: readonly unknown[] = [null, 5, "text", [], () => undefined];

/** For each name: how it is called, and what each of its options must be. `!`: it is needed. */
const OF_OPTIONS: Readonly<
  Record<string, { readonly call: Call; readonly options: Record<string, string> }>
> = {
  createEngine: {
    call: (given) => library.createEngine(given as never),
    options: {
      configuration: "object",
      outlet: "object",
      log: "object",
      onFatal: "function",
      adopts: "flag",
      acceptsClock: "flag",
      notifyCommand: "text",
      stateFiles: "text",
      transcripts: "list",
      dataDir: "text",
      port: "number",
      token: "text",
      host: "text",
      names: "list",
      people: "object",
      nats: "object",
    },
  },
  RequestTracker: {
    call: (given) => new library.RequestTracker(given as never),
    options: {
      stateBaseDir: "text!",
      log: "object",
      onRecovered: "function",
      hungAfterMs: "number",
      keepMs: "number",
      sweepMs: "number",
      now: "function",
      env: "object",
    },
  },
  IntentExtractor: {
    call: (given) => new library.IntentExtractor(given as never),
    options: { log: "object", now: "function", defaults: "object", cachedFiles: "number" },
  },
  canUseTool: {
    call: (given) => agentSdk.canUseTool(given as never),
    options: {
      url: "text",
      token: "text",
      dataDir: "text",
      session: "other",
      workspace: "text",
      cwd: "text",
      timeoutMs: "number",
    },
  },
  storeContract: {
    call: (given) => contracts.storeContract(given as never),
    options: { seed: "number", make: "function!" },
  },
  journalContract: {
    call: (given) => contracts.journalContract(given as never),
    options: { make: "function!" },
  },
  outletContract: {
    call: (given) => contracts.outletContract(given as never),
    options: { make: "function!" },
  },
  connect: {
    call: (given) => client.connect(given as never),
    options: {
      url: "text!",
      workspace: "text!",
      source: "text!",
      user: "text",
      password: "text",
      token: "text",
      deadlineMs: "number",
      inboxPrefix: "text",
      nats: "object",
      nkey: "text",
    },
  },
};

const FITS: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  function: (value) => typeof value === "function",
  flag: (value) => typeof value === "boolean",
  list: (value) => Array.isArray(value),
  other: (value) => typeof value === "string" || typeof value === "function",
};

/** What it fails with; undefined where it does not. */
async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}

const inOurWords = (code: unknown, part: string) =>
  expect.objectContaining({
    code,
    obligation: "give-up",
    message: expect.stringContaining(part) as string,
    next: expect.stringMatching(/\w/) as string,
  }) as unknown;

describe("the doors of the package", () => {
  it("GIVEN-OPTIONS-1: each door of package.json is tried here, and each name of each door", () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { exports: object };
    expect(Object.keys(DOORS)).toEqual(Object.keys(exports).filter((door) => door !== "./package.json"));
    const tried = [...Object.keys(OF_OPTIONS), "extractIntent", "stderrLog", "toId"];
    const names = Object.values(DOORS).flatMap((door) =>
      Object.entries(door).flatMap(([name, value]: [string, unknown]) =>
        typeof value !== "function" || Reflect.get(value, "prototype") instanceof Error ? [] : [name],
      ),
    );
    expect([...new Set(names)].toSorted()).toEqual(tried.toSorted());
  });

  it.each(Object.entries(OF_OPTIONS))(
    "GIVEN-OPTIONS-1: %s says what it takes, and which option is missing",
    async (_, { call, options }) => {
      for (const given of NOT_MEANT)
        expect(await failureOf(() => call(given))).toEqual(inOurWords("BAD_OPTION", "options as an object"));
      const needed = Object.keys(options).filter((name) => options[name]?.endsWith("!"));
      for (const name of needed) {
        const others = Object.fromEntries(needed.filter((each) => each !== name).map((each) => [each, "a"]));
        for (const given of [others, { ...others, [name]: undefined }])
          expect(await failureOf(() => call(given))).toEqual(inOurWords("BAD_OPTION", `needs ${name}`));
      }
      if (needed.length > 0)
        for (const given of [[], [undefined], [{}]])
          expect(await failureOf(() => call(...given))).toEqual(inOurWords("BAD_OPTION", ""));
    },
  );

  it.each(Object.entries(OF_OPTIONS))(
    "GIVEN-OPTIONS-1: %s says which option is of another kind",
    async (_, { call, options }) => {
      const needed = Object.keys(options).filter((name) => options[name]?.endsWith("!"));
      for (const [name, kind] of Object.entries(options))
        for (const value of [...NOT_MEANT, {}, true].filter((each) => !FITS[kind.replace("!", "")]?.(each))) {
          const given = { ...Object.fromEntries(needed.map((each) => [each, "a"])), [name]: value };
          expect([name, value, await failureOf(() => call(given))]).toEqual([
            name,
            value,
            inOurWords("BAD_OPTION", name),
          ]);
        }
    },
  );

  it("GIVEN-OPTIONS-1: an engine's NATS server needs its address", async () => {
    expect(await failureOf(() => library.createEngine({ nats: {} as never }))).toEqual(
      inOurWords("BAD_OPTION", "needs url"),
    );
  });

  it("GIVEN-OPTIONS-1: a lookup without a path says so and throws nothing; a level that is none is refused; so is an id that is no text", async () => {
    for (const path of [undefined, null, 5, {}])
      for (const lookup of [
        library.extractIntent(path as never, undefined as never),
        new library.IntentExtractor().extract(path as never, {} as never),
      ])
        expect(await lookup).toMatchObject({
          code: "CANNOT_READ",
          reason: expect.stringMatching(/path/) as string,
        });
    for (const level of [undefined, null, 5, {}, "loud", "values"])
      expect(await failureOf(() => library.stderrLog(level as never))).toEqual(
        inOurWords("BAD_LEVEL", "level"),
      );
    for (const id of [undefined, null, 5, {}])
      expect(await failureOf(() => client.toId(id as never))).toEqual(inOurWords("BAD_OPTION", "foreign"));
  });
});

// Grants
// What a token opens stands beside it; whatever becomes of that, the token opens no more than was granted.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  addToken,
  type DataFolder,
  dataFolder,
  listTokens,
  readTokens,
  removeToken,
} from "../../../adapters/data-folder/index.ts";
import { Holders } from "../../../adapters/http/access/holders.ts";
import { type Access, EVERYTHING, type Part, PARTS } from "../../../runtime/access-token.ts";

let folder: DataFolder;
beforeEach(() => {
  folder = dataFolder(mkdtempSync(join(tmpdir(), "grants-")), {});
});
afterEach(() => rmSync(folder.dir, { recursive: true, force: true }));

const VIEW: Access = { parts: new Set(["view"]), workspaces: new Set(["shop"]) };
const file = (name: string) => join(folder.tokens, name);
const textOf = (name: string) => readFileSync(file(name), "utf8").trim();
const opened = async (): Promise<Access | undefined> => (await readTokens(folder))[0]?.access;

describe("data folder: what tokens open", () => {
  it("GRANTS-1: a token without options is bare in its file, as before, and opens everything", async () => {
    await addToken(folder, "ada");
    expect(readdirSync(folder.tokens)).toEqual(["ada"]);
    expect(textOf("ada")).toMatch(/^[\w-]{43}$/);
    expect(await opened()).toBeUndefined();
    expect(await listTokens(folder)).toMatchObject([{ name: "ada", parts: PARTS }]);
  });

  it("GRANTS-1, GRANTS-2: an existing token is limited, and freed again, and stays the same token", async () => {
    await addToken(folder, "ada");
    const before = textOf("ada");
    await addToken(folder, "ada", VIEW);
    expect([textOf("ada"), await opened()]).toEqual([`limited_${before}`, VIEW]);
    expect(await listTokens(folder)).toMatchObject([{ parts: ["view"], workspaces: ["shop"] }]);
    await addToken(folder, "ada");
    expect(await opened()).toEqual(VIEW);
    const holders = new Holders(await readTokens(folder));
    for (const text of [before, `limited_${before}`]) expect(holders.by("token", text).access).toEqual(VIEW);
    await addToken(folder, "ada", EVERYTHING);
    expect([readdirSync(folder.tokens), textOf("ada"), await opened()]).toEqual([["ada"], before, undefined]);
  });

  it("GRANTS-1: a grant that is lost, cut or made nonsense opens nothing; without the word it still counts", async () => {
    await addToken(folder, "ada", VIEW);
    const grant = textOf("ada.access");
    const nonsense = [
      "",
      "{",
      "null",
      "[]",
      '{"parts":"all"}',
      '{"parts":["view","root"]}',
      '{"workspaces":["a"]}',
    ];
    for (const text of [...nonsense, '{"parts":["view"],"workspaces":[]}', '{"parts":["view"],"else":1}']) {
      writeFileSync(file("ada.access"), text);
      expect([text, await opened()]).toEqual([text, { parts: new Set() }]);
    }
    writeFileSync(file("ada.access"), grant);
    writeFileSync(file("ada"), textOf("ada").replace("limited_", ""));
    expect(await opened()).toEqual(VIEW);
    writeFileSync(file("ada"), `limited_${textOf("ada")}`);
    rmSync(file("ada.access"));
    expect(await opened()).toEqual({ parts: new Set() });
  });

  it("GRANTS-1: whatever is cut off a grant's file, or changed in one byte of it to no JSON, nothing is opened more", () =>
    fc.assert(
      fc.asyncProperty(
        fc.subarray([...PARTS]),
        fc.option(fc.uniqueArray(fc.constantFrom("shop", "web", "bank"), { minLength: 1 }), {
          nil: undefined,
        }),
        fc.nat({ max: 200 }),
        async (parts: readonly Part[], workspaces, at) => {
          const access: Access = {
            parts: new Set(parts),
            ...(workspaces && { workspaces: new Set(workspaces) }),
          };
          await addToken(folder, "bob", access);
          const isAll = parts.length === PARTS.length && workspaces === undefined;
          expect(await opened()).toEqual(isAll ? undefined : access);
          if (!isAll) {
            const grant = textOf("bob.access");
            writeFileSync(file("bob.access"), grant.slice(0, at % grant.length));
            expect(await opened()).toEqual({ parts: new Set() });
          }
          await removeToken(folder, "bob");
          expect(readdirSync(folder.tokens)).toEqual([]);
        },
      ),
      { numRuns: 30 },
    ));

  it("GRANTS-2: at each step between two grants a token opens no more than one of them", async () => {
    // A process that was killed between the two files leaves one of these.
    await addToken(folder, "ada");
    writeFileSync(file("ada.access"), '{"parts":["view"]}\n', { mode: 0o600 });
    expect(await opened()).toEqual({ parts: new Set(["view"]) });
    await removeToken(folder, "ada");
    writeFileSync(file("eve.access"), '{"parts":["view"]}\n', { mode: 0o600 });
    await addToken(folder, "eve");
    expect(await opened()).toBeUndefined();
  });
});

// Place
// Which file an edit names below a folder: by its text it is always below, and some files never count.

import { posix } from "node:path";
import { describe, expect, it, test } from "vitest";
import { fc } from "@fast-check/vitest";
import { placeOf } from "../../../../runtime/reading/around/file-lines.ts";

const FOLDER = "/home/ada/shop";
const at = (path: unknown, folder = FOLDER) => placeOf({ file_path: path }, folder);

describe("the file of an edit", () => {
  it("FILE-LINES-5: whatever a path says, joined to the folder its names lead below it, and to the path itself", () => {
    const part = fc.constantFrom(
      "..",
      ".",
      "",
      "a",
      "b.ts",
      "shop",
      "home",
      "ada",
      "\\",
      "...",
      "~",
      "%2e%2e",
    );
    const path = fc.array(part, { maxLength: 8 }).map((parts) => parts.join("/"));
    const any = fc.oneof(
      path,
      path.map((rest) => `${FOLDER}/${rest}`),
      path.map((rest) => `${FOLDER}${rest}`),
    );
    fc.assert(
      fc.property(any, (said) => {
        const place = at(said);
        if (!place) return;
        const joined = `${place.folder}/${place.names.join("/")}`;
        expect(joined).toBe(posix.normalize(joined));
        expect(joined.startsWith(`${FOLDER}/`)).toBe(true);
        expect(joined).toBe(said.startsWith("/") ? said : `${FOLDER}/${said}`);
      }),
    );
  });

  test.each([
    ["outside", "/etc/passwd"],
    ["beside, with the same beginning", "/home/ada/shop-secret/a.ts"],
    ["above", "/home/ada/shop/../a.ts"],
    ["above, named from the folder", "../a.ts"],
    ["the folder itself", FOLDER],
    ["the folder with a slash", `${FOLDER}/`],
    ["with a zero character", "a\0.ts"],
    ["endless", "a/".repeat(3_000)],
    ["no text", 7],
    ["missing", undefined],
  ])("FILE-LINES-5: a path that is %s has no place", (_, path) => {
    expect(at(path)).toBeUndefined();
  });

  test.each(["/", "", "shop", "/home/../home/ada", "/home//ada", "/home/./ada"])(
    "FILE-LINES-5: below %j nothing has a place",
    (folder) => {
      for (const path of ["a.ts", `${folder}/a.ts`, "/a.ts"]) expect(at(path, folder)).toBeUndefined();
    },
  );

  test.each([
    ".env",
    ".env.production",
    "config/.ENV",
    "keys/server.pem",
    ".aws/config",
    "secrets/a.ts",
    "id_rsa",
  ])("FILE-LINES-6: %s is a secret by the table of risks, and has no place", (name) => {
    expect(at(name)).toBeUndefined();
    expect(at(`${FOLDER}/${name}`)).toBeUndefined();
  });

  it("FILE-LINES-6: Git's own files have no place, and others that look alike have one", () => {
    for (const name of [".git/config", "lib/.GIT/hooks/a"]) expect(at(name)).toBeUndefined();
    for (const name of [".github/a.yml", ".gitignore", ".env.example"])
      expect(at(name)).toEqual({ folder: FOLDER, names: name.split("/") });
  });
});

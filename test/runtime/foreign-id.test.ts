import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { isId } from "../../machines/ids.ts";
import { base32, digestId, toId } from "../../runtime/foreign-id.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";

describe("FOREIGN-ID-1: foreign ids", () => {
  test.prop([fc.stringMatching(/^[A-Za-z0-9_-]{1,128}$/)])("FOREIGN-ID-1: a valid id is kept", (id) => {
    expect(toId(id)).toBe(id);
  });

  test.prop([fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 })])(
    "FOREIGN-ID-1, G50: any other becomes a valid one",
    (id) => {
      expect(isId(toId(id))).toBe(true);
      expect(toId(id)).toBe(toId(id));
    },
  );

  // Computed independently: base32(sha256(utf8)) in lower case, without padding.
  test.each([
    ["a b", "h_zbuhucfklvxnebcdfd5gu2l2xduw3q2cshumea2k5dby436mnvsq"],
    ["sessão/1", "h_lj7h3ggbmsm6n7xp2r4nbaktjnkmivmkbkvgc5iwtfkbfgc2n7nq"],
    ["../etc", "h_674reh63kpmn4hwmx6tfys6zozdehlzzdnzw7n3fkmzmt4mis4jq"],
  ])("FOREIGN-ID-1: %s becomes its SHA-256 in base32", (foreign, id) => {
    expect(toId(foreign)).toBe(id);
  });

  test("FOREIGN-ID-1: wildcards, separators, line breaks and 129 characters are hashed", () => {
    for (const foreign of ["a.b", "*", ">", "a\r\nPUB x", "x".repeat(129), "a/b"]) {
      expect(toId(foreign)).toMatch(/^h_[a-z2-7]{52}$/);
    }
  });

  test("FOREIGN-ID-1: an empty id and half a surrogate pair are refused", () => {
    expect(() => toId("")).toThrow(RefusedError);
    expect(() => toId("a\ud800")).toThrow(RefusedError);
  });
});

describe("FOREIGN-ID-2: derived ids", () => {
  test("FOREIGN-ID-2: the parts are hashed as a JSON array", () => {
    expect(digestId("c_", ["s1", "main", "Bash"])).toBe(
      "c_sp2aisspgdj7lvs23wmcd7zs2scgt7vec3ed7cqsluwqtozuf3qa",
    );
  });

  test.prop([fc.array(fc.string()), fc.array(fc.string())])(
    "FOREIGN-ID-2: other parts, or other borders between them, give another id",
    (a, b) => {
      expect(digestId("c_", a) === digestId("c_", b)).toBe(JSON.stringify(a) === JSON.stringify(b));
    },
  );

  test("FOREIGN-ID-2: base32 agrees with the vectors of RFC 4648", () => {
    const vectors = {
      "": "",
      f: "my",
      fo: "mzxq",
      foo: "mzxw6",
      foob: "mzxw6yq",
      fooba: "mzxw6ytb",
      foobar: "mzxw6ytboi",
    };
    for (const [text, expected] of Object.entries(vectors)) expect(base32(Buffer.from(text))).toBe(expected);
  });
});

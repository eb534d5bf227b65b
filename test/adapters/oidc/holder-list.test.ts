// OIDC: people
// The list of people as a file: whom it lets in, under which names, and what it may not say.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { identityOf } from "../../../adapters/oidc/claims.ts";
import { readHolderList } from "../../../adapters/oidc/holder-list.ts";
import { approverOf } from "../../../machines/index.ts";
import { refusal } from "../../support/engine/refusal.ts";
import { holds } from "../../support/properties/property.ts";

const HERE = { issuer: "https://id.example", subject: "1" };
const nameBy = (list: string, said: object, who = HERE): string | undefined =>
  readHolderList(list, "people.yaml").personOf(identityOf(who, [said], "groups"))?.name;
const verified = (email: string): object => ({ email, email_verified: true });
const DOMAIN = "people:\n  - domain: example.com\n    parts: [view]\n";

describe("a list of people", () => {
  test("HOLDER-LIST-3, VOTES-1: two names are one person exactly if issuer and subject are the same, whatever the provider calls them", () => {
    const someone = fc.record({
      issuer: fc.constantFrom("https://a.example", "https://b.example", "https://a.example/t"),
      subject: fc.constantFrom("1", "2", "1\u0000", "tail"),
      email: fc.constantFrom("ada@example.com", "bo+x@example.com", "a~0123456789ab@example.com"),
    });
    holds("oidc/holder-list.test.ts", 300, fc.tuple(someone, someone), ([one, other]) => {
      const [first, second] = [one, other].map(({ email, ...who }) => {
        const name = nameBy(DOMAIN, verified(email), who) ?? "";
        expect(name.startsWith(`${email}~`)).toBe(true);
        return approverOf(`http:${name}`);
      });
      expect(first === second).toBe(one.issuer === other.issuer && one.subject === other.subject);
    });
  });

  test("HOLDER-LIST-1: the first entry that fits says all; an address fits whole, a domain not those below it", () => {
    const list = `
people:
  - subject: "9"
    as: root
    parts: [manage]
  - email: Ada@Example.com
    parts: [decide]
    workspaces: [shop]
  - domain: example.com
    parts: [view]
  - group: sre
    parts: [emit]
`;
    const people = readHolderList(list, "people.yaml");
    const accessOf = (said: object, subject = "1"): unknown => {
      const access = people.personOf(identityOf({ ...HERE, subject }, [said], "groups"))?.access;
      return access && [[...access.parts].join(), access.workspaces && [...access.workspaces].join()];
    };
    expect(accessOf({ ...verified("ADA@example.com"), groups: ["sre"] })).toEqual(["decide", "shop"]);
    expect(accessOf(verified("bo@example.com"))).toEqual(["view", undefined]);
    expect(accessOf(verified("bo@sub.example.com"))).toBeUndefined();
    expect(accessOf(verified("bo@example.com@evil.example"))).toBeUndefined();
    expect(accessOf(verified("bo@еxample.com"))).toBeUndefined();
    // KELVIN SIGN and LONG S: in lower case or upper case they are plain letters.
    expect(accessOf(verified("\u212abo@example.com"))).toBeUndefined();
    expect(accessOf(verified("bo@example.com".replace("x", "x\u017f")))).toBeUndefined();
    expect(
      nameBy("people:\n  - domain: bank.example\n    parts: [view]\n", verified("x@ban\u212a.example")),
    ).toBeUndefined();
    expect(accessOf({ groups: ["SRE", "sre "] })).toBeUndefined();
    expect(accessOf({ groups: "sre" })).toEqual(["emit", undefined]);
    expect(accessOf(verified("ada@example.com"), "9")).toEqual(["manage", undefined]);
  });

  test("OIDC-CLAIMS-1: address and verification count from one answer only", () => {
    const halves = [{ email: "ada@example.com" }, { email: "eve@example.com", email_verified: true }];
    expect(identityOf(HERE, halves, "groups").email).toBe("eve@example.com");
    expect(
      identityOf(HERE, [{ email: "ada@example.com" }, { email_verified: true }], "groups").email,
    ).toBeUndefined();
  });

  test("OIDC-CLAIMS-2: what somebody calls themselves never looks like an address, nor like another's mark", () => {
    const list = "people:\n  - group: g\n    parts: [view]\n";
    for (const called of ["ada@example.com", "http:ada", "ada~0123456789ab", "‮moc", "", "a".repeat(500)]) {
      const name = nameBy(list, { preferred_username: called, groups: ["g"] }) ?? "";
      expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}~[0-9a-z]{12}$/);
    }
  });

  test("HOLDER-LIST-3: as names the person that a token has", () => {
    const list = "people:\n  - email: ada@example.com\n    as: ada\n    parts: [view]\n";
    expect(approverOf(`http:${nameBy(list, verified("ada@example.com")) ?? ""}`)).toBe("ada");
  });

  test.each([
    ["people: [", 1],
    ["people:\n  - email: a@b.example\n    email: c@d.example\n    parts: [view]", 3],
    ["people:\n  - email: a@b.example\n    domain: b.example\n    parts: [view]", 2],
    ["people:\n  - parts: [view]", 2],
    ["people:\n  - email: a@b.example\n    parts: []", 3],
    ["people:\n  - email: a@b.example\n    parts: [view, admin]", 3],
    ["people:\n  - email: a@b.example", 2],
    ["people:\n  - domain: b.example\n    as: ada\n    parts: [view]", 2],
    ["people:\n  - email: a@b.example\n    as: local:ada\n    parts: [view]", 3],
    ["people:\n  - email: a@b.example\n    parts: [view]\n    workspaces: []", 4],
    ["people:\n  - email: a@b.example\n    parts: [view]\n    workspaces: [shop, team chat]", 4],
    ["people:\n  - email: a@b.example\n    parts: [view]\nadmins: [x]", 1],
    ["people: &a\n  - email: b@c.example\n    parts: [view]\nask: *a", 1],
    ["- email: a@b.example", 1],
  ])("HOLDER-LIST-2: %j is refused with its line", (list, line) => {
    const read = () => readHolderList(list, "people.yaml");
    expect(refusal(read).code).toBe("BAD_PEOPLE");
    expect(read).toThrow(new RegExp(`^people\\.yaml:${line}: `));
  });
});

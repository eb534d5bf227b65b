// Votes
// Whose vote counts for a demand that names people, where other engines send votes of their users.

import { describe, expect, test } from "vitest";
import { isMet, refusalOf, type Voted } from "../../../machines/evidence/votes.ts";

const ADA = "ada@corp.example~abcdefghijkl";
const BEN = "hub/ben@corp.example~bcdefghijklm";
const asked: Voted = {
  askedAt: 1,
  demands: [{ rule: "r_1", approvals: 1, approvers: [{ name: ADA }, { name: BEN }] }],
  requestedBy: ["local:dan"],
};
const isCounted = (by: string): boolean => {
  const vote = { by, at: 2 };
  const isRefused = refusalOf(asked, vote, false) !== undefined;
  expect(isMet(asked, vote)).toBe(!isRefused);
  return !isRefused;
};

describe("VOTES-1: a person whom a demand names", () => {
  test.each([`http:${ADA}`, "http:a.lovelace~abcdefghijkl", `http:${BEN}`, "http:hub/benjamin~bcdefghijklm"])(
    "VOTES-1: votes as %s",
    (by) => {
      expect(isCounted(by)).toBe(true);
    },
  );

  test.each([
    "http:peer/mallory~abcdefghijkl",
    `http:peer/${ADA}`,
    `http:hub/${ADA}`,
    "http:ben@corp.example~bcdefghijklm",
    "http:peer/ben@corp.example~bcdefghijklm",
    `http:peer/${BEN}`,
  ])("VOTES-1: is not whoever another engine calls %s", (by) => {
    expect(isCounted(by)).toBe(false);
  });
});

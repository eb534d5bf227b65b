// Verdict
// Which answers a gate obeys: of all that say "allow" only the one for the very input that was asked about.

import fc from "fast-check";
import { expect, it } from "vitest";
import { verdictOf } from "../../../adapters/gate/waiting.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { nearHashes } from "../../support/engine/near-hashes.ts";

const { hash: HASH } = toolInput({ command: "make deploy" });
const allow = (inputHash: string | undefined) =>
  ({ state: "approved", decision: "allow", ...(inputHash !== undefined && { inputHash }) }) as const;

it("GATE-WAITING-5, I-39: no part of the hash, and no other spelling of it, allows anything", () => {
  expect(verdictOf(allow(HASH), HASH)).toEqual({ type: "allow" });
  for (const near of [...nearHashes(HASH), undefined]) {
    expect(verdictOf(allow(near), HASH), `answered for ${near}`).toBeUndefined();
    if (near !== undefined) expect(verdictOf(allow(HASH), near), `asked about ${near}`).toBeUndefined();
  }
});

it("GATE-WAITING-5: a denial needs no hash, and is passed on as it was said", () => {
  const said = fc.record({ message: fc.string(), interrupt: fc.boolean() }, { requiredKeys: [] });
  fc.assert(
    fc.property(said, fc.constantFrom(HASH, "", ...nearHashes(HASH)), (words, inputHash) => {
      const { message = "Denied in Signalbox.", interrupt = false } = words;
      const denied = { state: "denied", decision: "deny", ...words } as const;
      expect(verdictOf(denied, inputHash)).toEqual({ type: "deny", message, interrupt });
      expect(verdictOf({ ...denied, inputHash: "another" }, inputHash)).toEqual({
        type: "deny",
        message,
        interrupt,
      });
    }),
  );
});

it("GATE-WAITING-5: an edited input is passed on, also one that is nothing", () => {
  for (const updatedInput of [{ command: "make -n" }, {}, null])
    expect(verdictOf({ ...allow(HASH), updatedInput }, HASH)).toEqual({ type: "allow", updatedInput });
});

it("GATE-WAITING-5: without a decision nothing is obeyed, whatever the state says", () => {
  for (const state of ["approved", "denied", "pending", "expired", "withdrawn", "allow"])
    expect(verdictOf({ state, inputHash: HASH }, HASH)).toBeUndefined();
});

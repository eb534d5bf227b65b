// Proven
// Compares the calls that an engine holds after playing a recording with what the recording proves.
//
//   Owns:          the comparison.
//   Does not own:  playing (play), the proofs (oracle).

import { expect } from "vitest";
import { type Kind, type Proof, prove } from "./oracle.ts";
import type { PlayedCall } from "../sessions/play.ts";
import type { Recording } from "../sessions/recording.ts";

const told = ({ sessionId, toolUseId, execution, cause, causedBy }: Proof) => ({
  call: `${sessionId} ${toolUseId}`,
  execution,
  ...(cause !== undefined && { cause }),
  ...(causedBy !== undefined && { causedBy }),
});

/** Each call became what it is proven to be, and there is no other. */
export function expectProven(calls: readonly PlayedCall[], recording: Recording, kind: Kind): void {
  const proofs = prove(recording, kind);
  const found = new Map(calls.map((call) => [`${call.sessionId} ${call.toolUseId ?? ""}`, call]));
  const became = proofs.map((proof) => {
    const call = found.get(`${proof.sessionId} ${proof.toolUseId}`);
    return {
      call: `${proof.sessionId} ${proof.toolUseId}`,
      execution: call?.execution,
      ...(proof.cause !== undefined && { cause: call?.cause }),
      ...(proof.causedBy !== undefined && { causedBy: call?.causedBy }),
    };
  });
  expect(became).toEqual(proofs.map(told));
  expect(calls).toHaveLength(proofs.length);
  for (const { context } of calls) expect(context.match).toMatchObject({ how: "id", ambiguous: false });
}

// Four requests
// What is said of one call over HTTP: started, asked, approved, finished.
//
//   Owns:          the bodies, the same for every contender.
//   Does not own:  where they are sent (load, peers/contenders).

import { createHash } from "node:crypto";

export type StepName = "started" | "asked" | "approved" | "finished";

export interface RequestStep {
  readonly step: StepName;
  readonly body: string;
}

/** About what a Bash call says: 200 bytes, its keys in canonical order. */
const INPUT = {
  command: 'grep -rn "needle" packages/app/src packages/lib/src --include=*.ts | head -50',
  description: "Look for the places that still use the old name",
  timeout: 120_000,
};
const INPUT_HASH = createHash("sha256").update(JSON.stringify(INPUT)).digest("hex");

/** @param id the call's. @returns the steps in order, with their bodies. */
export function stepsOf(session: string, id: string): readonly RequestStep[] {
  const envelope = (type: string, data: object): string =>
    JSON.stringify({
      specversion: "1.0",
      id: `${id}-${type}`,
      source: "bench",
      type,
      subject: `bench/${session}`,
      data: { tool: "Bash", toolUseId: id, ...data },
    });
  return [
    { step: "started", body: envelope("tool.started", { input: INPUT }) },
    { step: "asked", body: envelope("approval.requested", { approvalId: id, input: INPUT }) },
    { step: "approved", body: JSON.stringify({ decision: "approve", inputHash: INPUT_HASH }) },
    { step: "finished", body: envelope("tool.finished", { output: "app/src/main.ts:12: needle" }) },
  ];
}

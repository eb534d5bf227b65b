// Published
// Journal entries published by somebody other than the engine, as in a journal that others may write to.
//
//   Owns:          putting them on a rig's disk.
//   Does not own:  their content, their effects.

import type { WorkspaceId } from "../../../machines/index.ts";
import { type SourceMessage, writeMessage } from "../../../runtime/message.ts";
import type { Rig } from "../engine/rig.ts";

export interface Publication {
  readonly workspace?: string;
  readonly type?: string;
  readonly body: string;
  readonly bytes?: number;
}

/** Appends entries after the present ones; nobody waits for them. @returns how often each was read. */
export function publish({ disk, clock }: Rig, publications: readonly Publication[]): readonly number[] {
  const reads = publications.map(() => 0);
  publications.forEach(({ workspace, type, body, bytes }, n) => {
    disk.entries.push({
      position: disk.tail + 1,
      at: clock.now(),
      get body() {
        reads[n] = (reads[n] ?? 0) + 1;
        return body;
      },
      bytes: bytes ?? Buffer.byteLength(body),
      from: { ...(workspace !== undefined && { workspace }), ...(type !== undefined && { type }) },
    });
  });
  disk.appended.ring();
  return reads;
}

let told = 0;

/** A source's message in its published form. */
export function publication(
  workspace: string,
  session: string,
  type: string,
  data: unknown,
  bytes?: number,
): Publication {
  told += 1;
  const message = { door: "in", session, source: "gateway", id: `p${told}`, type, data } as const;
  const body = writeMessage({ ...message, workspace: workspace as WorkspaceId } as SourceMessage);
  return { workspace, type, body, ...(bytes !== undefined && { bytes }) };
}

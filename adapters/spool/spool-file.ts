// Spool file
// The file of one hook's message: a first line of Signalbox's, then the payload as the client wrote it.
//
//   Owns:          the file's format; recognising other files.
//   Does not own:  writing the file (adapters/install, adapters/gate), what the payload means.
//
// SPOOL-FILE-1. The first line of a spool file is `1 PID WORKSPACE`, with `-` for no workspace. A hook that only reports adds
//     `client=NAME` for a client other than the default one (CLIENTS-2), and `gated=all` or `gated=permission`, which says
//     about which calls the client must ask a gate: all, or only those about which it would ask a person. A gate that answered
//     without the engine adds the approval's id, the answer, and other parameters of its request (`via=sdk&session=run-1`).

import { defined } from "../../machines/defined.ts";
import { VIAS, type Via } from "../../runtime/door/gate-terms.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";

export interface Spooled {
  readonly body: Uint8Array;
  /** The id of the client's process; 0 if the hook did not know it. */
  readonly pid: number;
  readonly workspace?: string;
  /** The name of the client that ran the hook (CLIENTS-2). */
  readonly client?: string;
  readonly gated?: "all" | "permission";
  /** The gate's answer; set if a gate that answered without the engine wrote the file. */
  readonly answered?: {
    readonly approvalId: string;
    readonly answered: "ask" | "deny";
    readonly via?: Via;
    readonly unplaced?: { readonly session: string; readonly toolUseId?: string };
  };
}

const FIRST_LINE =
  /^1 (\d+) (\S+)(?:(?: client=(\S+))?(?: gated=(all|permission))?| (\S+) (ask|deny)(?: (\S+))?)$/;
const LINE_MAX = 2_048;

/** @throws RefusedError NOT_SPOOLED */
export function readSpooled(bytes: Uint8Array): Spooled {
  const end = bytes.indexOf(0x0a);
  if (end < 0 || end > LINE_MAX) throw notSpooled();
  const found = FIRST_LINE.exec(Buffer.from(bytes.subarray(0, end)).toString("utf8"));
  if (!found) throw notSpooled();
  const [, pid, workspace = "-", observed, gated, approvalId, answered, more = ""] = found;
  const said = new URLSearchParams(more);
  const client = observed ?? said.get("client");
  return {
    body: bytes.subarray(end + 1),
    pid: Number(pid),
    ...(workspace !== "-" && { workspace }),
    ...(client !== null && { client }),
    ...((gated === "all" || gated === "permission") && { gated }),
    ...(approvalId !== undefined &&
      (answered === "ask" || answered === "deny") && { answered: { approvalId, answered, ...doorOf(said) } }),
  };
}

function doorOf(said: URLSearchParams): Pick<NonNullable<Spooled["answered"]>, "via" | "unplaced"> {
  const via = VIAS.find((each) => each === said.get("via"));
  const [session, toolUseId] = [said.get("session"), said.get("call")];
  const unplaced = session === null ? undefined : { session, ...(toolUseId !== null && { toolUseId }) };
  return defined({ via, unplaced });
}

const notSpooled = (): RefusedError =>
  new RefusedError(
    "NOT_SPOOLED",
    "A file of the spool lacks the first line that a hook writes.",
    "Install the hooks again: `npx signalbox install`.",
  );

// Tiny
// A second client, as small as one can be: it plans calls, and tells of those that a person denied.
//
//   Owns:          its profile.
//   Does not own:  what the runtime makes of it.

import type { SourceInput } from "../../../machines/index.ts";
import type { ClientProfile } from "../../../runtime/client-profile.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";

interface TinyHook {
  readonly what: string;
  readonly run?: string;
  readonly call?: string;
}

function readTiny(payload: unknown): TinyHook {
  if (typeof payload === "object" && payload !== null && "what" in payload) return payload as TinyHook;
  throw new RefusedError("WRONG_SHAPE", "what is missing.", "Send the payload as Tiny wrote it.", "what");
}

function inputsOf(data: unknown): readonly SourceInput[] {
  const { what, call: toolUseId } = readTiny((data as { hook: unknown }).hook);
  if (toolUseId === undefined) return [{ type: "unknown", name: what }];
  const call = { toolUseId, tool: "Make" };
  if (what === "plan") return [{ type: "tool.announced", call, messageId: "m1" }];
  return [{ type: "tool.denied", call, verdict: "user" }];
}

export const tiny: ClientProfile = {
  name: "tiny",
  cascade: "none",
  translators: { "tiny.hook": inputsOf },
  hook: {
    type: "tiny.hook",
    eventField: "what",
    sessionField: "run",
    read: (payload) => {
      const { run: sessionId } = readTiny(payload);
      return sessionId === undefined ? {} : { sessionId };
    },
  },
};

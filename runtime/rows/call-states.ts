// Call states
// The states of a call's execution, for whoever lists, counts or names them.
//
//   Owns:          the one list of them.
//   Does not own:  what leads to which (machines/tool-call): the machine's definition has the same ones.

/** A call in one of these may still end. */
const OPEN_STATES = ["created", "queued", "processing"] as const;
/** A call in one of these is over. */
export const ENDED_STATES = ["completed", "failed", "denied", "missing-post"] as const;
/** How a denial ends a call: not run, or begun before and without a result. */
export const endsByDenial = (state: string): boolean => state === "denied" || state === "missing-post";
export const CALL_STATES = [...OPEN_STATES, ...ENDED_STATES] as const;

// Call states
// The states of a call's execution.
//
//   Owns:          the one list of these states.
//   Does not own:  the transitions (machines/tool-call). The machine's definition has the same states.

const OPEN_STATES = ["created", "queued", "processing"] as const;
export const ENDED_STATES = ["completed", "failed", "denied", "missing-post"] as const;
/** Whether a denied call ends in this state: it did not run, or it began before the denial and has no result. */
export const endsByDenial = (state: string): boolean => state === "denied" || state === "missing-post";
export const CALL_STATES = [...OPEN_STATES, ...ENDED_STATES] as const;

// Call states
// The states of a call, that is of the region `execution` of the call's machine.
//
//   Owns:          the list of the states of a call.
//   Does not own:  the transitions between the states (machines/tool-call, which has the same states).

const OPEN_STATES = ["created", "queued", "processing"] as const;
export const ENDED_STATES = ["completed", "failed", "denied", "missing-post"] as const;
/** True for a state in which a denied call ends: the call did not run, or began before the denial and has no result. */
export const endsByDenial = (state: string): boolean => state === "denied" || state === "missing-post";
export const CALL_STATES = [...OPEN_STATES, ...ENDED_STATES] as const;

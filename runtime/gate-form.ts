// Gate form
// How a client asks at a gate whether a call may be made, and reads the answer.
//
//   Owns:          the shape of it, what a gate ends with.
//   Does not own:  what stands in one (the client's adapter), the waiting (adapters/gate).
//   Decided in:    docs/decisions/0067-a-gate-of-each-client.md.

/** What a gate ends with. */
export type Verdict =
  | { readonly type: "allow"; readonly updatedInput?: unknown }
  | { readonly type: "deny"; readonly message: string; readonly interrupt: boolean }
  | { readonly type: "ask" | "deny-closed"; readonly why: string };

/** A hook that waits, as its client told it. */
export interface WaitingHook {
  /** Of the input as it was told. */
  readonly inputHash: string;
  /** @returns the text for standard output; empty where the client is to go on as without a hook. */
  readonly printed: (verdict: Verdict) => string;
}

/** A call that another door of the client asks about. */
export interface AskedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly toolUseId?: string;
  readonly agentId?: string;
  readonly session?: string;
  /** Aborted when the asker has left. */
  readonly gone?: AbortSignal;
}

/** It neither throws nor waits for ever: whatever is no answer denies. */
export type AskAboutCall = (call: AskedCall) => Promise<Verdict>;

export interface GateForm {
  /** @throws Error, in words, for a payload without what an approval needs: nothing is asked or allowed then. */
  readonly read: (body: Uint8Array) => WaitingHook;
  /** The payload of a hook that would ask about this call. */
  readonly payloadOf: (call: AskedCall, cwd: string | undefined) => object;
}

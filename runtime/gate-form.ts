// Gate form
// How a client asks a gate about a call, and reads the answer.
//
//   Owns:          the shape of this form, the results of a gate.
//   Does not own:  the form of any one client (its adapter), waiting for the answer (adapters/gate).
//   Decided in:    docs/decisions/0067-a-gate-of-each-client.md.

/** The result of a gate. */
export type Verdict =
  | { readonly type: "allow"; readonly updatedInput?: unknown }
  | { readonly type: "deny"; readonly message: string; readonly interrupt: boolean }
  | { readonly type: "ask" | "deny-closed"; readonly why: string };

/** A waiting hook, as its client ran it. */
export interface WaitingHook {
  /** The hash of the input that the client gave. */
  readonly inputHash: string;
  /** @returns the text for standard output; empty if the client is to continue as without a hook. */
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

/** Neither throws nor waits for ever. If no answer comes, the verdict is to deny. */
export type AskAboutCall = (call: AskedCall) => Promise<Verdict>;

export interface GateForm {
  /** @throws Error, in words, if the payload lacks something that an approval needs. Then nothing is asked or allowed. */
  readonly read: (body: Uint8Array) => WaitingHook;
  /** The payload of a hook that would ask about this call. */
  readonly payloadOf: (call: AskedCall, cwd: string | undefined) => object;
}

// Gate form
// The form in which a client asks a gate about a call, and in which the client reads the gate's answer.
//
//   Owns:          the type that describes a client's gate form, the possible results of a gate.
//   Does not own:  the form of each client (the client's adapter), waiting for the answer (adapters/gate).
//   Decided in:    docs/decisions/0067-a-gate-of-each-client.md.

export type Verdict =
  | { readonly type: "allow"; readonly updatedInput?: unknown }
  | { readonly type: "deny"; readonly message: string; readonly interrupt: boolean }
  | { readonly type: "ask" | "deny-closed"; readonly why: string };

/** A waiting hook, as its client ran it. */
export interface WaitingHook {
  /** The hash of the input that the client gave. */
  readonly inputHash: string;
  /** @returns the text for the hook's standard output; empty if the client must continue as if there were no hook. */
  readonly printed: (verdict: Verdict) => string;
}

/** A call about which a client asks in another way than by a hook, such as through the Agent SDK. */
export interface AskedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly toolUseId?: string;
  readonly agentId?: string;
  readonly session?: string;
  /** Aborted when the asker has left. */
  readonly gone?: AbortSignal;
}

/** Asks about a call. Never throws, and never waits for ever: if no answer comes, the verdict is to deny. */
export type AskAboutCall = (call: AskedCall) => Promise<Verdict>;

export interface GateForm {
  /**
   * Reads a hook's payload.
   * @throws Error, whose text says what the payload lacks for an approval: no approval is then requested, and nothing is allowed.
   */
  readonly read: (body: Uint8Array) => WaitingHook;
  /** Returns the payload that a hook would send to ask about this call. */
  readonly payloadOf: (call: AskedCall, cwd: string | undefined) => object;
}

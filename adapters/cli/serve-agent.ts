// Serve agent
// The function that the proxy commands call to run between an agent and its client.
//
//   Owns:          its type.
//   Does not own:  the implementation (composition/agent-side), the commands.

/** The protocol between the agent and its client. */
export type AgentProtocol = "acp" | "codex";

export interface AgentTerms {
  readonly timeoutMs: number;
  readonly workspace: string | undefined;
  readonly say: (text: string) => void;
}

/** Relays between a client, on standard input and output, and an agent. @returns the exit code, once both have ended. */
export type ServeAgent = (
  protocol: AgentProtocol,
  dir: string,
  command: readonly string[],
  terms: AgentTerms,
) => Promise<number>;

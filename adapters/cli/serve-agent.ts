// Serve agent
// What the commands have done that stand between an agent and its client.
//
//   Owns:          its shape.
//   Does not own:  doing it (composition/agent-side), the commands.

/** What an agent and its client speak. */
export type AgentProtocol = "acp" | "codex";

export interface AgentTerms {
  readonly timeoutMs: number;
  readonly workspace: string | undefined;
  readonly say: (text: string) => void;
}

/** Stands between a client, on standard input and output, and an agent. @returns the exit code, once both are gone. */
export type ServeAgent = (
  protocol: AgentProtocol,
  dir: string,
  command: readonly string[],
  terms: AgentTerms,
) => Promise<number>;

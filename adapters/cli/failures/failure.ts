// Failure
// The error that ends a command. Its message says what happened, and what to do next.
//
//   Owns:          the exit codes 1 (the command failed) and 2 (the command line is wrong).
//   Does not own:  the messages with which the engine refuses a request (client.ts passes them on).

export class Failure extends Error {
  readonly next: string;
  readonly exitCode: 1 | 2;

  /** @param exitCode 2 if the command line itself is wrong. */
  constructor(message: string, next = "", exitCode: 1 | 2 = 1, options?: ErrorOptions) {
    super(message, options);
    this.name = "Failure";
    this.next = next;
    this.exitCode = exitCode;
  }
}

export const misused = (message: string, next: string): Failure => new Failure(message, next, 2);

export interface Reason {
  readonly reason: string;
  readonly next: string;
}

/** What happened and what to do next, as the error says. */
export function reasonOf(error: unknown): Reason {
  if (!(error instanceof Error)) return { reason: String(error), next: "" };
  return { reason: error.message, next: "next" in error && typeof error.next === "string" ? error.next : "" };
}

export const reasonText = ({ reason, next }: Reason): string => [reason, next].filter(Boolean).join("\n");

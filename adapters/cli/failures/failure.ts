// Failure
// The error that ends a command with a message: what happened, and what to do next.
//
//   Owns:          the exit codes 1 and 2.
//   Does not own:  the messages of the engine's own refusals (client.ts passes them on).

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

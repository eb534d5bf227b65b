// Contract case
// One claim of a contract, with the program that tries it: no test runner is needed to run it, and any can.
//
//   Owns:          making what a case needs anew for it, and closing that whatever happened.
//   Does not own:  the cases (*.contract.ts), running them (a test runner of whoever asks).
//
// CONTRACT-CASE-1. What was made for a case is ended, whether its claim holds or not. Of two failures the claim's is told.
// CONTRACT-CASE-2. An implementation that breaks a claim fails a case with that claim in its title.
//
// Decision: docs/decisions/0091-contracts-are-lists-of-cases.md

/** A claim and its trial. Its title begins with the ids of what it shows; docs/promises.md says where each is defined. */
export interface ContractCase {
  readonly title: string;
  /** Rejects with an AssertionError where the claim does not hold. A case needs no other to have run before. */
  readonly run: () => Promise<void>;
}

/** A case before anything is made for it. */
export interface Claim<T> {
  readonly title: string;
  readonly holds: (made: T) => Promise<void>;
}

/** What writes down the claims of one contract. */
export const claimsAbout =
  <T>() =>
  (title: string, holds: (made: T) => Promise<void>): Claim<T> => ({ title, holds });

/** How what a case is about comes and goes. */
interface Life<T> {
  readonly make: () => Promise<T>;
  readonly begin: (made: T) => Promise<unknown>;
  readonly end: (made: T) => Promise<unknown>;
}

/** @returns the claims as cases, in order. */
export const casesOf = <T>(
  claims: readonly Claim<T>[],
  { make, begin, end }: Life<T>,
): readonly ContractCase[] =>
  claims.map(({ title, holds }) => ({
    title,
    run: async () => {
      const made = await make();
      try {
        await begin(made);
        await holds(made);
      } catch (error) {
        await end(made).catch(() => undefined);
        throw error;
      }
      await end(made);
    },
  }));

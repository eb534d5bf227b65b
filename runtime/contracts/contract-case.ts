// Contract case
// One claim of a contract, with the code that tests it, which any test runner can run.
//
//   Owns:          making the objects of each case, and closing them whatever happened.
//   Does not own:  the cases themselves (*.contract.ts), running the cases (the caller's test runner).
//
// CONTRACT-CASE-1. The objects of a case are closed whether its claim holds or not. If both the claim and the closing fail,
//     the claim's error is thrown.
// CONTRACT-CASE-2. An implementation that breaks a claim fails a case with that claim in its title.
//
// Decision: docs/decisions/0091-contracts-are-lists-of-cases.md

/** A claim and its test. Its title begins with the ids of the claims; docs/promises.md says where each is defined. */
export interface ContractCase {
  readonly title: string;
  /** Rejects with an AssertionError if the claim does not hold. A case does not depend on other cases. */
  readonly run: () => Promise<void>;
}

/** A case without its objects. */
export interface Claim<T> {
  readonly title: string;
  readonly holds: (made: T) => Promise<void>;
}

/** Returns the function that declares the claims of one contract. */
export const claimsAbout =
  <T>() =>
  (title: string, holds: (made: T) => Promise<void>): Claim<T> => ({ title, holds });

interface Life<T> {
  readonly make: () => Promise<T>;
  readonly begin: (made: T) => Promise<unknown>;
  readonly end: (made: T) => Promise<unknown>;
}

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

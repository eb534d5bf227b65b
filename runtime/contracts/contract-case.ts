// Contract case
// A case: one claim of a contract, and the code that tests the claim. Any test runner can run a case.
//
//   Owns:          making the objects that a case tests, and closing these objects whatever happened.
//   Does not own:  the cases themselves (*.contract.ts), running the cases (the caller's test runner).
//
// CONTRACT-CASE-1. The objects that a case tests are closed whether or not the case's claim is true. If both the claim and the
//     closing fail, the claim's error is thrown.
// CONTRACT-CASE-2. An implementation that breaks a claim fails a case with that claim in its title.
//
// Decision: docs/decisions/0091-contracts-are-lists-of-cases.md

/**
 * A test of one or more claims. The title begins with the ids of the claims; docs/reference/promises.md says where each claim
 * is defined.
 */
export interface ContractCase {
  readonly title: string;
  /** Rejects with an AssertionError if the claim does not hold. A case does not depend on other cases. */
  readonly run: () => Promise<void>;
}

/** A claim's title, and the function that tests the claim on the object that it gets. */
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

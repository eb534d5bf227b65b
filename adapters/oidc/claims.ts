// Claims
// Reads from the answers of an identity provider which claims about a user can be trusted.
//
//   Owns:          which claims are read, and when each claim counts.
//   Does not own:  checking that the claims come from the provider (provider), whom the claims let in (holder-list).
//
// OIDC-CLAIMS-1. An e-mail address counts only if the claim `email_verified` in the same answer is `true`. Only addresses in
//     ASCII count, so that no letter can be mistaken for a similar one of another script.
// OIDC-CLAIMS-2. A name that users can choose themselves never looks like an e-mail address.

import { z } from "zod";
import { defined } from "../../machines/defined.ts";
import type { Identity } from "../../runtime/line/identity.ts";

const EMAIL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]{0,186}[A-Za-z0-9])?$/;
const GROUPS_MAX = 2_000;
const CALLED_MAX = 40;
const SECOND_MS = 1_000;

const claims = z.object({
  email: z.string().optional().catch(undefined),
  email_verified: z.literal(true).optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
  session_expiry: z.number().optional().catch(undefined),
});
const groups = z.union([z.array(z.string()).max(GROUPS_MAX), z.string().transform((one) => [one])]);

/** @returns the address in lower case; undefined if it is missing or not verified (OIDC-CLAIMS-1). */
export function emailIn(said: object): string | undefined {
  const { email = "", email_verified: isVerified } = claims.parse(said);
  // The address is checked before it is put in lower case: `toLowerCase` turns some letters of other scripts into ASCII (U+212A
  // into `k`).
  return isVerified === true && EMAIL.test(email) ? email.toLowerCase() : undefined;
}

/**
 * @param said the provider's answers; for each claim, the first answer that has it counts.
 * @param groupsClaim the claim with the groups.
 */
export function identityOf(
  who: Pick<Identity, "issuer" | "subject">,
  said: readonly object[],
  groupsClaim: string,
): Identity {
  const read = said.map((each) => claims.parse(each));
  const first = <T>(of: (one: z.output<typeof claims>) => T | undefined): T | undefined =>
    read.map(of).find((value) => value !== undefined);
  const called = first(({ preferred_username: short, name }) => short ?? name);
  const endsAt = first(({ session_expiry: ends }) => ends);
  const inGroups = said.map((each) => groups.safeParse(Reflect.get(each, groupsClaim)));
  return {
    ...who,
    groups: inGroups.find(({ success }) => success)?.data ?? [],
    ...defined({
      email: said.map(emailIn).find((email) => email !== undefined),
      called: called === undefined ? undefined : plainly(called),
      endsAt: endsAt === undefined ? undefined : endsAt * SECOND_MS,
    }),
  };
}

/** Changes a name that users choose themselves, so that it cannot look like an e-mail address (OIDC-CLAIMS-2). */
function plainly(called: string): string | undefined {
  const [before = ""] = called.split("@");
  return (
    before
      .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
      .replaceAll(/^[-._]+|[-._]+$/g, "")
      .slice(0, CALLED_MAX) || undefined
  );
}

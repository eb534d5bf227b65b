// Claims
// Reads from an identity provider's answers the claims about a user that can be trusted.
//
//   Owns:          which claims are read, and when each counts.
//   Does not own:  checking that the claims are the provider's (provider), whom they let in (holder-list).
//
// OIDC-CLAIMS-1. An e-mail address counts only if the claim beside it, in the same answer, is `true` for verified. Only plain
//     addresses count: no letters that look like others.
// OIDC-CLAIMS-2. A name that users choose themselves never looks like an address.

import { z } from "zod";
import { defined } from "../../machines/defined.ts";
import type { Identity } from "../../runtime/line/identity.ts";

const EMAIL = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9]([a-z0-9.-]{0,186}[a-z0-9])?$/;
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
  const plain = email.toLowerCase();
  return isVerified === true && EMAIL.test(plain) ? plain : undefined;
}

/** @param said the provider's answers; the first one that has a claim counts. @param groupsClaim the claim with the groups. */
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

/** A name that users chose themselves, changed so that it cannot look like an address (OIDC-CLAIMS-2). */
function plainly(called: string): string | undefined {
  const [before = ""] = called.split("@");
  return (
    before
      .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
      .replaceAll(/^[-._]+|[-._]+$/g, "")
      .slice(0, CALLED_MAX) || undefined
  );
}

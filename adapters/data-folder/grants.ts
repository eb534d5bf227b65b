// Grants
// The limited access of a token: a grant file next to the token's file says what the token may do, and a prefix of the token's
// text says that there must be a grant.
//
//   Owns:          the grant file and reading it; the order in which grant file and prefix are changed.
//   Does not own:  the tokens (tokens), what each part allows (http).
//   Decided in:    docs/decisions/0089-a-token-has-parts.md.
//
// GRANTS-1. If a token's text has the prefix, the token gives no access without a readable grant. If there is a grant, it limits
//     the token even if the text has no prefix.
// GRANTS-2. To limit a token, its grant is written first, then the prefix of its text. To end the limit, the prefix is removed
//     first, then the grant. So if the process is killed between the two steps, the token has its old or its new access, never
//     more.

import { z } from "zod";
import { jsonIn } from "../../machines/json.ts";
import { defined, isId } from "../../machines/index.ts";
import {
  type Access,
  bareToken,
  EVERYTHING,
  isSameAccess,
  LIMITED,
  NOTHING,
  PARTS,
} from "../../runtime/access-token.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { readOwn, removeOwn, writeOwn } from "./own-file.ts";

const GRANT = z.strictObject({
  parts: z.array(z.enum(PARTS)),
  workspaces: z.array(z.string().refine(isId)).min(1).exactOptional(),
  vouches: z.literal(true).exactOptional(),
});

const grantOf = (path: string): string => `${path}.access`;

/** @returns the access of the token with this text; undefined if the token has all access. @throws the system's error. */
export async function readGrant(path: string, text: string): Promise<Access | undefined> {
  const grant = await readOwn(grantOf(path)).catch((error: unknown) => {
    if (error instanceof RefusedError) return "";
    throw error;
  });
  if (grant !== undefined) return accessIn(grant);
  return text.startsWith(LIMITED) ? NOTHING : undefined;
}

/** Limits a token, or ends its limit. @param text the text that the token's file has now. */
export async function writeGrant(path: string, text: string, access: Access): Promise<void> {
  const bare = bareToken(text);
  if (isSameAccess(access, EVERYTHING)) {
    if (bare !== text) await writeOwn(path, `${bare}\n`);
    return removeGrant(path);
  }
  await writeOwn(grantOf(path), `${grantText(access)}\n`);
  if (bare === text) await writeOwn(path, `${LIMITED}${bare}\n`);
}

export const removeGrant = (path: string): Promise<void> => removeOwn(grantOf(path));

/** A grant as text; equal grants have equal texts. */
export function grantText({ parts, workspaces, vouches }: Access): string {
  const grant: z.infer<typeof GRANT> = {
    parts: PARTS.filter((part) => parts.has(part)),
    ...(workspaces && { workspaces: [...workspaces].sort() }),
    ...defined({ vouches }),
  };
  return JSON.stringify(grant);
}

/** @returns the access that a grant's text gives; no access if the text is not a grant. */
export function accessIn(text: string): Access {
  const found = GRANT.safeParse(jsonIn(text)).data;
  if (!found) return NOTHING;
  const { parts, workspaces, vouches } = found;
  return {
    parts: new Set(parts),
    ...(workspaces && { workspaces: new Set(workspaces) }),
    ...defined({ vouches }),
  };
}

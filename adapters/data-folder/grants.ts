// Grants
// The limited access of a token: a grant file beside the token, and a prefix of the token's text.
//
//   Owns:          the grant file, reading it, the order in which grant file and prefix are changed.
//   Does not own:  the tokens (tokens), what each part allows (http).
//   Decided in:    docs/decisions/0089-a-token-has-parts.md.
//
// GRANTS-1. A token whose text has the prefix gives no access without a readable grant. A grant also counts without the prefix.
// GRANTS-2. To limit a token, its grant is written first, then the prefix of its text. To end the limit, the prefix is removed
//     first, then the grant. So a process that is killed in between leaves the token its old access or its new one, never more.

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

/** @param path the path of the token. */
const grantOf = (path: string): string => `${path}.access`;

/** @returns the access of the token with this text; undefined for all. @throws the system's error. */
export async function readGrant(path: string, text: string): Promise<Access | undefined> {
  const grant = await readOwn(grantOf(path)).catch((error: unknown) => {
    if (error instanceof RefusedError) return "";
    throw error;
  });
  if (grant !== undefined) return accessIn(grant);
  return text.startsWith(LIMITED) ? NOTHING : undefined;
}

/** Limits the token, or ends its limit. @param text the text of its file so far. */
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

/** A grant as a text, with its parts in a fixed order, so that equal grants have equal texts. */
export function grantText({ parts, workspaces, vouches }: Access): string {
  const grant: z.infer<typeof GRANT> = {
    parts: PARTS.filter((part) => parts.has(part)),
    ...(workspaces && { workspaces: [...workspaces].sort() }),
    ...defined({ vouches }),
  };
  return JSON.stringify(grant);
}

/** @returns no access for a text that is not a grant. */
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

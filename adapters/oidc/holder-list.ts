// Holder list
// The file that lists which users of an identity provider may come in.
//
//   Owns:          the file's form, which entry fits a user, the name under which the user's answers are recorded.
//   Does not own:  reading and watching the file (composition), what each access right allows (http).
//   Decided in:    docs/decisions/0090-sign-in-by-an-identity-provider.md.
//
// HOLDER-LIST-1. A user for whom no entry fits may not come in. If several entries fit, only the first one counts.
// HOLDER-LIST-2. If the file has an unknown field or a wrong value, the whole file is refused.
// HOLDER-LIST-3. A user's name ends with a mark that is made from issuer and subject. The mark stays the same if the user's
//     address or display name changes. If the user's entry has the field `as`, that field is the whole name, without a mark: it
//     may be the name of the user's token, so that both ways to sign in give the same name.

import { hash } from "node:crypto";
import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { defined, isId } from "../../machines/index.ts";
import { type Access, PARTS } from "../../runtime/access-token.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { Identity } from "../../runtime/line/identity.ts";

interface Admitted {
  /** The name that follows `http:` in a holder's name. */
  readonly name: string;
  readonly access: Access;
}

export interface HolderList {
  personOf(identity: Identity): Admitted | undefined;
  /** Whom a user who is not on the list should ask for access; undefined if the list names nobody. */
  readonly ask: string | undefined;
  readonly groups: { readonly claim: string; readonly scope: string | undefined };
}

const GROUPS_CLAIM = "groups";
const MARK_LENGTH = 12;

const text = z.string().min(1).max(500);
const entry = z
  .strictObject({
    email: text.toLowerCase().optional(),
    domain: text.toLowerCase().optional(),
    group: text.optional(),
    subject: text.optional(),
    as: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/)
      .optional(),
    parts: z.array(z.enum(PARTS)).min(1),
    workspaces: z
      .array(z.string().refine(isId, "an id of a workspace has letters, digits, _ and -"))
      .min(1)
      .optional(),
  })
  .refine(({ email, domain, group, subject }) => whichOf({ email, domain, group, subject }).length === 1, {
    message: "say one of email, domain, group and subject",
  })
  .refine(({ as, email, subject }) => as === undefined || (email ?? subject) !== undefined, {
    message: "`as` is for one person: name them by email or subject",
  });
const file = z.strictObject({
  ask: text.optional(),
  groups: z.strictObject({ claim: text.default(GROUPS_CLAIM), scope: text.optional() }).optional(),
  people: z.array(entry).max(10_000),
});

type Entry = z.output<typeof entry>;

const whichOf = (terms: object): readonly string[] =>
  Object.entries(terms).flatMap(([key, value]) => (value === undefined ? [] : [key]));

export const nobodyYet: HolderList = {
  personOf: () => undefined,
  ask: undefined,
  groups: { claim: GROUPS_CLAIM, scope: undefined },
};

/** @param name the file's name, for error messages. @throws RefusedError BAD_PEOPLE with the line (HOLDER-LIST-2). */
export function readHolderList(written: string, name: string): HolderList {
  const lines = new LineCounter();
  const document = parseDocument(written, { lineCounter: lines, uniqueKeys: true });
  const lineOf = (path: readonly PropertyKey[]): number => {
    const node: unknown = path.length === 0 ? undefined : document.getIn(path, true);
    const range: unknown =
      typeof node === "object" && node !== null && "range" in node ? node.range : undefined;
    if (Array.isArray(range) && typeof range[0] === "number") return lines.linePos(range[0]).line;
    return path.length === 0 ? 1 : lineOf(path.slice(0, -1));
  };
  const [broken] = document.errors;
  if (broken)
    throw bad(`${name}:${lines.linePos(broken.pos[0]).line}`, "The list of people who sign in is not YAML.");
  const read = file.safeParse(valueOf(document, name));
  if (read.success) return peopleOf(read.data);
  const [issue] = read.error.issues;
  throw bad(
    `${name}:${lineOf(issue?.path ?? [])}`,
    `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}.`,
  );
}

function valueOf(document: ReturnType<typeof parseDocument>, name: string): unknown {
  try {
    // YAML aliases are not allowed: aliases that refer to one another could turn a short text into a huge value.
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw bad(`${name}:1`, "The list has a YAML alias: write out what it stands for.");
  }
}

function peopleOf({ ask, groups, people }: z.output<typeof file>): HolderList {
  return {
    ask,
    groups: { claim: groups?.claim ?? GROUPS_CLAIM, scope: groups?.scope },
    personOf(identity) {
      const found = people.find((each) => fits(each, identity));
      return found && { name: nameOf(identity, found), access: accessOf(found) };
    },
  };
}

function fits({ email, domain, group, subject }: Entry, identity: Identity): boolean {
  if (email !== undefined) return identity.email === email;
  if (domain !== undefined) return identity.email?.slice(identity.email.lastIndexOf("@") + 1) === domain;
  if (group !== undefined) return identity.groups.includes(group);
  return identity.subject === subject;
}

const accessOf = ({ parts, workspaces }: Entry): Access => ({
  parts: new Set(parts),
  ...defined({ workspaces: workspaces && new Set(workspaces) }),
});

/** A user's name (HOLDER-LIST-3), such as `ada@example.com~1x2k93kf0a2b`. */
const nameOf = ({ issuer, subject, email, called }: Identity, { as }: Entry): string =>
  as ?? `${email ?? called ?? "somebody"}~${markOf(issuer, subject)}`;

function markOf(issuer: string, subject: string): string {
  const digits = hash("sha256", JSON.stringify([issuer, subject]), "hex");
  return BigInt(`0x${digits}`).toString(36).padStart(MARK_LENGTH, "0").slice(-MARK_LENGTH);
}

const bad = (place: string, what: string): RefusedError =>
  new RefusedError(
    "BAD_PEOPLE",
    `${place}: ${what}`,
    "docs/how-to/sign-in.md has the form of the file. A file with an error lets nobody in.",
  );

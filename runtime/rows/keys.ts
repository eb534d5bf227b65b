// Keys
// Builds the key of every row of the store.
//
//   Owns:          the layout of keys in the store.
//   Does not own:  the values of rows (codec, changes, views).
//   Decided in:    docs/decisions/0011-printable-keys.md.
//
// ROWS-KEYS-1. Keys have the same order as their parts, because every number is written with 16 digits.
// ROWS-KEYS-2. A key can be split into its parts in one way only: ids match `isId`, times and counts are numbers, and other text
//     is hashed.
// ROWS-KEYS-3. The keys of a session's rows begin with its address, which begins with the workspace. An owner row says in
//     which workspace or session an id is used. In its key, the id comes before the workspace. So an id in a known workspace
//     is found by reading one row, and an id in any workspace by reading a short range of rows. If the workspace came first,
//     an id without a workspace would have to be looked up in each workspace.

import type { Address, ChildKind, SessionId, WorkspaceId } from "../../machines/index.ts";

const number = (value: number): string => String(value).padStart(16, "0");

/** The part of a rule's keys that identifies the rule. @param n the rule's number among the rules that its entry made. */
export const rulePlace = (position: number, n: number): string =>
  n === 0 ? number(position) : `${number(position)}-${String(n).padStart(3, "0")}`;

/** The first key after all keys that begin with `prefix`. */
export const after = (prefix: string): string =>
  `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`;

const ACTORS = "actor/";

/** Actors whose id is unique in a workspace. */
export type Owned = "request" | "approval";

/** The place of an actor in a list: the rest of the actor's key, after the list's name. */
export const placeInList = (at: number, address: Address): string => `${number(at)}/${address}`;

export const keys = {
  meta: "meta",
  actor: (address: Address) => `${ACTORS}${address}`,
  actors: ACTORS,
  children: (session: Address, kind: ChildKind) => `${ACTORS}${session}/${kind}/`,
  books: (session: Address) => `book/${session}/`,
  allBooks: "book/",
  ledgers: "ledger/",
  /** The runtime's own record of a session: version and rejections. It remains after the session's removal. */
  ledger: (session: Address) => `ledger/${session}`,
  allSeen: "seen/",
  seen: (session: Address, digest: string) => `seen/${session}/${digest}`,
  seenOf: (session: Address) => `seen/${session}/`,
  /** Messages of a session that wait for an earlier sequence number: the summary, a row for each source, the messages. */
  holdback: (session: Address) => `holdback/${session}`,
  line: (session: Address, source: string) => `holdback/${session}/${source}`,
  linesOf: (session: Address) => `holdback/${session}/`,
  held: (session: Address, source: string, sequence: number, position: number) =>
    `held/${session}/${source}/${number(sequence)}/${number(position)}`,
  /** The key under which builds before release 0.1.0 stored a waiting message. */
  heldBefore: (session: Address, source: string, sequence: number) =>
    `held/${session}/${source}/${number(sequence)}`,
  allHeld: "held/",
  published: "published",
  posted: "posted",
  /** The row with the position at which the engine started, and how many processes crashed there; a clean stop removes it. */
  starts: "starts",
  /**
   * The row with the first entry whose result in this store differs from the owner's. No engine opens such a store again
   * (agreement).
   */
  differs: "differs",
  /** The row with the entry whose turn is running, if that turn may crash the engine. */
  trying: "trying",
  quota: (workspace: string) => `quota/${workspace}`,
  quotas: "quota/",
  /** The rules in force in a workspace, in the order in which they were made. `ended`: the rules that ended. */
  rule: (workspace: string, place: string) => `rule/${workspace}/${place}`,
  rulesOf: (workspace: string) => `rule/${workspace}/`,
  allRules: "rule/",
  ended: (workspace: string, place: string) => `ruled/${workspace}/${place}`,
  endedOf: (workspace: string) => `ruled/${workspace}/`,
  allEnded: "ruled/",
  ruleHome: (place: string) => `rulehome/${place}`,
  policy: "policy",
  unruled: (session: Address, id: string) => `unruled/${session}/${id}`,
  allUnruled: "unruled/",
  ruleEnd: (at: number, workspace: string, place: string) => `ruleend/${number(at)}/${workspace}/${place}`,
  ruleEnds: "ruleend/",
  /** The proofs of entries, keyed by the first position that can be in the row (proof). */
  proof: (position: number) => `proof/${number(position)}`,
  proofs: "proof/",
  /** The row with the build of the engine that runs now. `buildFrom`: the row with the build that ran from an entry on. */
  build: "build",
  buildFrom: (position: number) => `build/${number(position)}`,
  builds: "build/",
  mark: (position: number) => `mark/${number(position)}`,
  marks: "mark/",
  change: (n: number) => `change/${number(n)}`,
  changes: "change/",
  audit: (n: number) => `audit/${number(n)}`,
  audits: "audit/",
  /** The copy of an approval that was removed, keyed by the time at which the approval was requested. */
  pastApproval: (askedAt: number, workspace: string, session: string, id: string) =>
    `past/${number(askedAt)}/${workspace}/${session}/${id}`,
  pastApprovals: "past/",
  pastApprovalsFrom: (askedAt: number) => `past/${number(askedAt)}`,
  dead: (n: number) => `dead/${number(n)}`,
  deads: "dead/",
  /**
   * The whole entry that was set aside, by the number of its dead letter, until the entry is retried or the dead letter is
   * removed.
   */
  buried: (n: number) => `buried/${number(n)}`,
  setAside: "buried/",
  reply: (digest: string) => `reply/${digest}`,
  replied: (at: number, digest: string) => `replied/${number(at)}/${digest}`,
  replies: "replied/",
  tomb: (at: number, session: Address, id: string) => `tomb/${number(at)}/${session}/${id}`,
  tombs: "tomb/",
  /**
   * The row of a removed session, by the time of its removal, written when its tombstone is removed: says when to remove its
   * ledger.
   */
  last: (at: number, session: Address) => `last/${number(at)}/${session}`,
  lasts: "last/",
  /**
   * The row that shows that all actors have their deadlines: builds before release 0.1.0 did not set some of them (unended).
   */
  unended: "unended",
  timer: (at: number, address: Address, timer: string) => `timer/${number(at)}/${address}/${timer}`,
  timers: "timer/",
  timersUntil: (at: number) => `timer/${number(at + 1)}`,
  alarm: (address: Address, timer: string) => `alarm/${address}/${timer}`,
  // Owner rows tell which session an id belongs to (ROWS-KEYS-3).
  owner: (kind: Owned, id: string, workspace: WorkspaceId) => `owner/${kind}/${id}/${workspace}`,
  owners: (kind: Owned, id: string) => `owner/${kind}/${id}/`,
  callOwner: (id: string, session: Address) => `owner/call/${id}/${session}`,
  callOwners: (id: string) => `owner/call/${id}/`,
  callOwnersIn: (id: string, workspace: WorkspaceId) => `owner/call/${id}/${workspace}/`,
  sessionOwner: (id: SessionId, workspace: WorkspaceId) => `owner/session/${id}/${workspace}`,
  sessionOwners: (id: SessionId) => `owner/session/${id}/`,
  listed: (list: readonly string[], at: number, address: Address) =>
    `list/${list.join("/")}/${placeInList(at, address)}`,
  list: (list: readonly string[]) => `list/${list.join("/")}/`,
  listFrom: (list: readonly string[], at: number) => `list/${list.join("/")}/${number(at)}`,
  callListed: (session: Address, request: string, n: number, id: string) =>
    `calls/${session}/${request}/${number(n)}/${id}`,
  asked: (session: Address, request: string, id: string) => `asked/${session}/${request}/${id}`,
  askedOfRequest: (session: Address, request: string) => `asked/${session}/${request}/`,
  callsIn: (workspace: string) => `calls/${workspace}/`,
  callsOf: (session: Address) => `calls/${session}/`,
  callsOfRequest: (session: Address, request: string) => `calls/${session}/${request}/`,
} as const;

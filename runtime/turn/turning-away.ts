// Turning away
// Refuses messages beyond the quota of their workspace. A refused message is not applied, and a dead letter counts it.
//
//   Owns:          the rows of the quota's buckets, which entries are refused, the dead letters that count refused entries.
//   Does not own:  the arithmetic of a quota (quota), refusing a message at the door, before it is journalled (allowance).
//   Decided in:    docs/decisions/0107-what-passes-a-quota-can-act.md.
//
// TURNING-AWAY-1. A refusal depends only on the rows, the journal's clock and the entry. So the same journal refuses the same
//     entries. A refused entry changes nothing but the count of refused entries, and is parsed only if its NATS subject names
//     a type of message that may pass (TURNING-AWAY-3).
// TURNING-AWAY-2. Only an entry that somebody published over NATS, past every door, is refused here. An entry that a door
//     acknowledged is never refused because of the quota, but uses up quota, as do the inputs that were lifted out of it.
// TURNING-AWAY-3. A message that answers a pending approval or cancels an open request uses up quota, but is never refused,
//     because it can prevent an action. Any other answer or cancellation would change nothing, and is refused like any message.
// TURNING-AWAY-4. A workspace gets one dead letter for everything that was refused in one second, with the number of messages
//     and bytes. The first turn of a later second writes it. If messages of more than 100 workspaces are refused, the
//     workspaces after the 100th share one dead letter.

import type { Letter } from "./set-aside/letter.ts";
import type { TurnResult } from "./turn-result.ts";
import { childAddress, isId, sessionAddress } from "../../machines/index.ts";
import { isFields } from "../../machines/json.ts";
import type { ActorRow } from "../rows/actors/actor-rows.ts";
import { type Account, isFull, NOBODY, withMore } from "../rows/keeping.ts";
import { keys } from "../rows/keys.ts";
import { type Message, messageIn, type OwnMessage } from "../message.ts";
import { meta, setMeta } from "../rows/meta.ts";
import { firstKeys, type Layer, type Readable } from "../rows/overlay.ts";
import type { JournalEntry, Published } from "../ports.ts";
import {
  capacityOf,
  holds,
  isUnlimited,
  leftAt,
  quotaText,
  sum,
  type TurnedAway,
  without,
} from "../quota.ts";
import { regionOf } from "../rows/views.ts";

export const OVER_QUOTA = "OVER_QUOTA";

/** The name under which refusals of all workspaces beyond the first hundred are counted. No id has this form. */
const ALL_OTHERS = "..";
const ACCOUNTS_TOLD = 100;

const secondOf = (at: number): number => Math.floor(at / 1000);

/** The approval or request that a message answers or cancels, and in which states of it no quota refuses the message. */
interface Target {
  readonly kind: "approval" | "request";
  /** The field of the message's data that names the target. */
  readonly field: string;
  readonly region?: string;
  readonly open: ReadonlySet<string>;
}

/** The types of messages that a quota may not refuse, with what each acts on, and in which states of that target this holds. */
const TARGETS: Readonly<Record<string, Target>> = {
  "approval.answered": { kind: "approval", field: "approvalId", open: new Set(["pending"]) },
  "request.cancelled": {
    ...{ kind: "request", field: "requestId", region: "lifecycle" },
    open: new Set(["created", "queued", "processing", "waiting"]),
  },
};

/** True for a message that no quota refuses, given the rows as they are before it (TURNING-AWAY-3). */
export function passes(message: Message, rows: Pick<Readable, "get">): boolean {
  if (message.door !== "in") return true;
  const { workspace, session, type, data } = message;
  const target = Object.hasOwn(TARGETS, type) ? TARGETS[type] : undefined;
  const id = target && isFields(data) ? data[target.field] : undefined;
  if (!target || typeof id !== "string" || !isId(id)) return false;
  const address = childAddress(sessionAddress(workspace, session), target.kind, id);
  // The cast is safe: the rows of actors are under these keys.
  const row = rows.get(keys.actor(address)) as ActorRow | undefined;
  return row !== undefined && target.open.has(regionOf(row.snapshot.value, target.region));
}

/** @returns the result for an entry beyond its workspace's quota; undefined for an entry within it. */
export function turnedAway(layer: Layer, entry: JournalEntry): TurnResult | undefined {
  const { from, position, at } = entry;
  const { quota } = meta(layer).configuration;
  if (!from || isUnlimited(quota)) return undefined;
  const { workspace = NOBODY } = from;
  const load = { messages: 1, bytes: entry.bytes ?? Buffer.byteLength(entry.body) };
  const account = accountOf(layer, workspace);
  const fits = !isFull(quota, account) && holds(quota, leftAt(quota, account, at), load);
  if (fits || mayPass(layer, from, entry)) {
    enter(layer, workspace, { at, bytes: load.bytes, blobs: 0 });
    return undefined;
  }
  const away = { workspace, ...load };
  note(layer, at, away);
  const reason = `The workspace ${workspace} is beyond its quota: ${quotaText(quota)}.`;
  return { position, at, outcome: "dead", code: OVER_QUOTA, reason, changes: [], answers: [], away };
}

/**
 * Counts an entry against its quota again if its turn was rolled back after a defect, because the rollback also undid the count.
 */
export function chargeAgain(layer: Layer, { at, from, bytes, body }: JournalEntry): void {
  if (!from || isUnlimited(meta(layer).configuration.quota)) return;
  enter(layer, from.workspace ?? NOBODY, { at, bytes: bytes ?? Buffer.byteLength(body), blobs: 0 });
}

/** Counts an entry that is never refused against its workspace's quota (TURNING-AWAY-2). */
export function charge(layer: Layer, { at, from, bytes, body }: JournalEntry, message: Message): void {
  const { quota } = meta(layer).configuration;
  if (from || isUnlimited(quota) || (message.door === "own" && !isAPersons(message.said))) return;
  const lifted = message.door === "in" ? (message.lifted ?? []) : [];
  const blobs = lifted.reduce((total, each) => total + each.bytes, 0);
  enter(layer, message.workspace, { at, bytes: bytes ?? Buffer.byteLength(body), blobs });
}

const isAPersons = ({ type }: OwnMessage["said"]): boolean => /^(?:decision$|assigned$|rules?\.)/.test(type);

function enter(
  layer: Layer,
  workspace: string,
  more: { readonly at: number; readonly bytes: number; readonly blobs: number },
): void {
  const { quota } = meta(layer).configuration;
  const account = accountOf(layer, workspace);
  const load = { messages: 1, bytes: more.bytes + more.blobs };
  const bucket = without(quota, leftAt(quota, account, more.at), load, more.at);
  const kept = withMore(quota, account?.kept, more);
  layer.set(keys.quota(workspace), { ...bucket, ...(kept && { kept }) } satisfies Account);
}

/** The cast is safe: only this file and keeping.ts write these rows. */
const accountOf = (layer: Layer, workspace: string): Account | undefined =>
  layer.get(keys.quota(workspace)) as Account | undefined;

/**
 * QUOTA-3. Removes accounts whose quota is unused, after reading at most three times `rowsMax` rows.
 * @returns how many rows were removed.
 */
export function dropFullBuckets(layer: Layer, at: number, rowsMax: number): number {
  const { quota } = meta(layer).configuration;
  const full = capacityOf(quota);
  let taken = 0;
  for (const key of firstKeys(layer, keys.quotas, 3 * rowsMax)) {
    if (taken >= rowsMax) break;
    const account = layer.get(key) as Account | undefined;
    const left = leftAt(quota, account, at);
    if (account?.kept || left.messages < full.messages || left.bytes < full.bytes) continue;
    layer.delete(key);
    taken += 1;
  }
  return taken;
}

/**
 * True if no quota refuses the entry. Only an entry whose NATS subject names a type of `TARGETS` is parsed. The subject alone
 * proves nothing, because its publisher chose it, so the message itself is checked.
 */
function mayPass(layer: Layer, { type = "" }: Published, entry: JournalEntry): boolean {
  const message = Object.hasOwn(TARGETS, type) ? messageIn(entry.body) : undefined;
  return message?.door === "in" && passes(message, layer);
}

function note(layer: Layer, at: number, away: TurnedAway): void {
  const second = secondOf(at);
  // Refused messages are counted for each second. The counts of earlier seconds are already reported and removed.
  const of = meta(layer).overQuota?.of ?? [];
  const has = (workspace: string): boolean => of.some((each) => each.workspace === workspace);
  const workspace = has(away.workspace) || of.length < ACCOUNTS_TOLD ? away.workspace : ALL_OTHERS;
  const added = { ...away, workspace };
  const next = has(workspace)
    ? of.map((each) => (each.workspace === workspace ? { workspace, ...sum(each, added) } : each))
    : [...of, added];
  setMeta(layer, { overQuota: { second, of: next } });
}

/**
 * The dead letters about messages that were refused in an earlier second; none if no message was refused, or if that second is
 * not over.
 */
export function untoldOfQuota(layer: Layer, { at }: Pick<JournalEntry, "at">): readonly Letter[] {
  const { overQuota, configuration } = meta(layer);
  if (!overQuota || overQuota.second === secondOf(at)) return [];
  setMeta(layer, { overQuota: undefined });
  const when = new Date(overQuota.second * 1000).toISOString();
  return overQuota.of.map(({ workspace, messages, bytes }) => ({
    code: OVER_QUOTA,
    reason: `In the second from ${when}, the engine did not apply ${messages} messages (${bytes} bytes in all) ${whose(workspace)}, because they exceeded the quota: ${quotaText(configuration.quota)}. Publish them again, more slowly, under the same ids; if you set a Nats-Msg-Id, give each message a new one.`,
    ...(workspace !== NOBODY && workspace !== ALL_OTHERS && { workspace }),
    bytes,
    unrecorded: messages,
    body: "",
  }));
}

function whose(account: string): string {
  if (account === NOBODY) return "that name no workspace";
  return account === ALL_OTHERS ? "of other workspaces" : `of the workspace ${account}`;
}

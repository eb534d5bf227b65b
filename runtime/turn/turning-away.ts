// Turning away
// Refuses messages beyond the quota of their workspace: they stay unread in the journal, and a dead letter counts them.
//
//   Owns:          the rows of the quota's buckets, which entries are refused, the letters that count them.
//   Does not own:  the arithmetic of a quota (quota), refusing a message before the journal (allowance).
//
// TURNING-AWAY-1. A refusal depends only on the rows, the journal's clock and the length of the entry. So the same journal
//     refuses the same entries. A refused entry is not parsed, and changes nothing but the count of refused ones.
// TURNING-AWAY-2. An entry that a door has acknowledged is never refused here. Such an entry uses up quota, and so do the
//     inputs that were lifted out of it.
// TURNING-AWAY-3. An answer to an approval and the cancelling of a request are never refused, because they can prevent an
//     action. These messages use up quota, too.
// TURNING-AWAY-4. A workspace gets one letter for everything that was refused in one second, with the number of messages and
//     bytes. The first turn of a later second writes the letter. Beyond 100 workspaces, the others share one letter.

import type { Letter } from "./set-aside/letter.ts";
import type { TurnResult } from "./turn-result.ts";
import { type Account, isFull, NOBODY, withMore } from "../rows/keeping.ts";
import { keys } from "../rows/keys.ts";
import { type Message, messageIn, type OwnMessage } from "../message.ts";
import { meta, setMeta } from "../rows/meta.ts";
import { firstKeys, type Layer } from "../rows/overlay.ts";
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

export const OVER_QUOTA = "OVER_QUOTA";

/** Stands for all workspaces beyond the first hundred. No id has this form. */
const ALL_OTHERS = "..";
const ACCOUNTS_TOLD = 100;

const secondOf = (at: number): number => Math.floor(at / 1000);

const PASSING: ReadonlySet<string> = new Set(["approval.answered", "request.cancelled"]);

/** TURNING-AWAY-3: true for a message that is never refused. */
export const passes = (message: Message): boolean =>
  message.door === "in" ? PASSING.has(message.type) : true;

/** @returns the result for an entry beyond its workspace's quota; undefined for an entry within it. */
export function turnedAway(layer: Layer, entry: JournalEntry): TurnResult | undefined {
  const { from, position, at } = entry;
  const { quota } = meta(layer).configuration;
  if (!from || isUnlimited(quota)) return undefined;
  const { workspace = NOBODY } = from;
  const load = { messages: 1, bytes: entry.bytes ?? Buffer.byteLength(entry.body) };
  const account = accountOf(layer, workspace);
  const fits = !isFull(quota, account) && holds(quota, leftAt(quota, account, at), load);
  if (fits || mayPass(from, entry)) {
    enter(layer, workspace, { at, bytes: load.bytes, blobs: 0 });
    return undefined;
  }
  const away = { workspace, ...load };
  note(layer, at, away);
  const reason = `The workspace ${workspace} is beyond its quota: ${quotaText(quota)}.`;
  return { position, at, outcome: "dead", code: OVER_QUOTA, reason, changes: [], answers: [], away };
}

/** Counts an entry again whose turn was rolled back after a defect, because the rollback undid its count. */
export function chargeAgain(layer: Layer, { at, from, bytes, body }: JournalEntry): void {
  if (!from || isUnlimited(meta(layer).configuration.quota)) return;
  enter(layer, from.workspace ?? NOBODY, { at, bytes: bytes ?? Buffer.byteLength(body), blobs: 0 });
}

/** Counts an entry that is never refused (TURNING-AWAY-2). */
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
 * Removes the rows of workspaces that have nothing stored and whose bucket is full again (QUOTA-3). Reads three times
 * `rowsMax` rows.
 * @returns how many it removed.
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

/** True if the body, too, is a message that is never refused. The subject alone does not prove that. */
function mayPass({ type }: Published, entry: JournalEntry): boolean {
  if (type === undefined || !PASSING.has(type)) return false;
  const message = messageIn(entry.body);
  return message?.door === "in" && passes(message);
}

function note(layer: Layer, at: number, away: TurnedAway): void {
  const second = secondOf(at);
  // Refused messages are counted by the second. What an earlier second counted is reported and gone by now.
  const of = meta(layer).overQuota?.of ?? [];
  const has = (workspace: string): boolean => of.some((each) => each.workspace === workspace);
  const workspace = has(away.workspace) || of.length < ACCOUNTS_TOLD ? away.workspace : ALL_OTHERS;
  const added = { ...away, workspace };
  const next = has(workspace)
    ? of.map((each) => (each.workspace === workspace ? { workspace, ...sum(each, added) } : each))
    : [...of, added];
  setMeta(layer, { overQuota: { second, of: next } });
}

/** The letters about refused messages of an earlier second; none if none were refused, or if the second is not over. */
export function untoldOfQuota(layer: Layer, { at }: Pick<JournalEntry, "at">): readonly Letter[] {
  const { overQuota, configuration } = meta(layer);
  if (!overQuota || overQuota.second === secondOf(at)) return [];
  setMeta(layer, { overQuota: undefined });
  const when = new Date(overQuota.second * 1000).toISOString();
  return overQuota.of.map(({ workspace, messages, bytes }) => ({
    code: OVER_QUOTA,
    reason: `${messages} messages of ${bytes} bytes ${whose(workspace)} were not applied in the second ${when}, because they were beyond the quota: ${quotaText(configuration.quota)}. Publish them again, more slowly, under the same ids and other Nats-Msg-Ids.`,
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

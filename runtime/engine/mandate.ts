// Mandate
// Decides whether this engine may speak, that is, write messages into the journal and publish: the owner of the journal may, a
// spare may not.
//
//   Owns:          this start's term and role, what a spare last heard of the owner, what a spare refuses.
//   Does not own:  which terms count (cluster/term), the roles (cluster/role), asking whether the owner is running
//                  (cluster/spare).
//   Decided in:    docs/decisions/0092-a-spare-takes-over-by-a-term.md.
//
// ENGINE-MANDATE-1. Of its own accord a spare writes nothing into the journal but its own term. A spare takes the messages that
//     every engine takes (CLUSTER-SAYS-4), and refuses all others; its refusal names the owner's address.
// ENGINE-MANDATE-2. An engine writes messages and publishes only once its own term is durable in its store as the newest term. A
//     message that only an owner may send names the owner's term.
// ENGINE-MANDATE-3. An owner that reads another engine's term stops immediately. The owner sends no answer for entries that it
//     committed in the same group as that term.
// ENGINE-MANDATE-4. If the journal never had a term, and no engine stands by, the engine neither writes nor reads terms.
// ENGINE-MANDATE-5. If a spare's history differs from the owner's, the spare stores where the two histories differ, and then
//     stops.
// ENGINE-MANDATE-6. An owner gives up its journal only while a spare is present that can take the journal over.
// ENGINE-MANDATE-7. A spare that is asked about its state answers that it stands by, even before its store is open.
// ENGINE-MANDATE-8. Only an owner with a term may end this term, so that another build can apply the entries after the end
//     (cluster/seam).

import { defined } from "../../machines/index.ts";
import { after, type Role, type RoleNews } from "../cluster/role.ts";
import { Agreement } from "../agreement/agreement.ts";
import { historyDiffers } from "../agreement/differing.ts";
import { Fresh } from "../cluster/fresh.ts";
import { Spares } from "../cluster/spares.ts";
import { isSeam, patienceMs } from "../cluster/seam.ts";
import type {
  Asked,
  Cluster,
  Compared,
  Difference,
  OwnerHeard,
  OwnerSaid,
  Standing,
} from "../cluster/standing.ts";
import { isOfAnyDoor, isOwners } from "../cluster/says.ts";
import { numberOf, type TermBegun } from "../cluster/term.ts";
import type { FatalError, RetryableError } from "../errors/errors.ts";
import type { Message, OwnMessage } from "../message.ts";
import type { Floors } from "../outbound/outlet-publisher.ts";
import type { Clock, JournalEnd, Store } from "../ports.ts";
import { noSpare, noTerm, ownedElsewhere, ownerReplaced, standingBy } from "./owner-errors.ts";
import { keys } from "../rows/keys.ts";
import { logOf, type Meta } from "../rows/meta.ts";

interface Host {
  readonly store: Pick<Store, "get" | "range">;
  readonly clock: Pick<Clock, "now" | "after">;
  readonly journal: { end(): Promise<JournalEnd> };
  readonly waiting: { at(position: number): Promise<unknown>; tell(): void };
  /** Returns the store's meta row (runtime/rows/meta) as the last commit left it. */
  readonly meta: () => Meta;
  readonly build: string;
  readonly isReady: () => boolean;
  /** The floor of each outgoing log: the last number that the outlet has taken. */
  readonly floors: () => Floors;
  /** Puts floors in the next commit. */
  readonly keep: (floors: Floors) => void;
  /** Appends a message to the journal, even while this engine writes nothing else into it. @returns the message's position. */
  readonly append: (said: TermBegun) => Promise<number>;
}

const FLOORS = [keys.published, keys.posted] as const;

export class Mandate {
  readonly #cluster: Cluster | undefined;
  readonly #host: Host;
  #role: Role = "absent";
  #term = 0;
  #speaks = false;
  readonly #kept = new Map<string, number>();
  #owner: OwnerSaid | undefined;
  readonly agreement: Agreement;
  /** The first difference between this store's history and the owner's; undefined if none was found. */
  #differs: Difference | undefined;
  /** The spares that this engine has heard from while it was the owner. */
  readonly spares = new Spares();
  /** Makes each read wait until this store has everything that any engine has acknowledged. */
  readonly fresh: Fresh;

  constructor(cluster: Cluster | undefined, host: Host) {
    this.#cluster = cluster;
    this.#host = host;
    this.agreement = new Agreement(host);
    this.fresh = new Fresh({ ...host, mandate: this });
  }

  get role(): Role {
    return this.#role;
  }

  /** True once this engine fires deadlines, publishes and sweeps. */
  get speaks(): boolean {
    return this.#speaks;
  }

  /** @returns the position to which this engine must read to catch up. A spare knows it once an owner answers or is gone. */
  async end(tail: number, signal: AbortSignal): Promise<number> {
    const meta = this.#host.meta();
    if (isSeam(meta, meta.position)) return meta.position;
    return (await this.#cluster?.hold?.until(tail, signal)) ?? tail;
  }

  speak(): void {
    this.#speaks = true;
  }

  /** True while this engine writes nothing into the journal, and only applies what other engines write. */
  get isSilent(): boolean {
    return this.#cluster?.follows === true && this.#role !== "owner";
  }

  /**
   * True once callers may learn the entry's result, because every present or later owner certainly has the entry (WAITING-2).
   * While the owner pauses, a spare may apply entries that the owner lacks. The spare's callers learn their results once an owner
   * reports these entries as applied, or once the spare's own term is the newest.
   */
  tells(position: number): boolean {
    const { hold, start } = this.#cluster ?? {};
    const isLeading = !hold || !this.isSilent || this.#host.meta().term?.start === start;
    return isLeading || position <= hold.owned;
  }

  /** True if this engine must begin a term before it speaks. @param known the meta row that this start opened. */
  needsTerm(known: Pick<Meta, "term">): boolean {
    return this.#cluster?.follows === true || known.term !== undefined;
  }

  /** @returns the role after the news. */
  turn(news: RoleNews): Role {
    return (this.#role = after(this.#role, news));
  }

  /** What the owner answers to an engine that stands by; undefined if this engine is not the owner, or not ready. */
  said(node: string, asked: Asked): OwnerSaid | undefined {
    if (!this.#speaks || !this.#host.isReady()) return undefined;
    this.spares.hear(asked, this.#host.clock.now());
    const compared = this.agreement.answer(asked.compare);
    const { meta, floors } = this.#host;
    const { position: applied, term, changes, deads, poison, ...log } = meta();
    const [published = changes, posted = deads] = FLOORS.map((key) => floors().get(key));
    const outgoing = { log: logOf(log), published, posted };
    return { node, term: term?.n ?? 0, applied, ...defined({ poison }), ...outgoing, compared };
  }

  /** True if another engine may follow this engine's journal, or own that journal. */
  get isShared(): boolean {
    return this.#cluster?.follows === true || this.spares.isAsked || this.needsTerm(this.#host.meta());
  }

  /** How far this engine may trim the journal, at most to `position` (CLUSTER-SPARES-4). */
  trimTo(position: number): number {
    const isShared = this.#cluster?.follows === true || this.spares.isAsked;
    return isShared ? this.spares.trimTo(position, this.#host.clock.now()) : position;
  }

  /**
   * Takes an owner's answer. An answer without proof (version 0.2.0 seals nothing) shows only that an owner runs, and how far
   * it has applied the journal. A spare stores how far the owner has published, to go on from there as the next owner.
   */
  heard(owner: OwnerHeard): Compared {
    this.#owner = owner;
    this.turn("heard");
    if (owner.isProven) this.#cluster?.hold?.name(owner.poison ?? []);
    this.#cluster?.hold?.allow(owner.applied);
    this.#host.waiting.tell();
    if (!owner.isProven) return "even";
    if (!this.isSilent || !this.#host.isReady() || owner.log !== logOf(this.#host.meta())) return "even";
    this.#keepFloors(owner);
    return this.agreement.compare(owner.compared ?? []);
  }

  #keepFloors(owner: OwnerSaid): void {
    const { changes, deads } = this.#host.meta();
    const said = [Math.min(owner.published, changes), Math.min(owner.posted, deads)];
    const floors = FLOORS.map((key, at) => [key, said[at] ?? 0] as const);
    const moved = floors.filter(([key, n]) => (this.#kept.get(key) ?? 0) < n);
    for (const [key, n] of moved) this.#kept.set(key, n);
    if (moved.length > 0) this.#host.keep(new Map(moved));
  }

  /**
   * Writes into the journal that a term of this engine begins, and waits until that entry is applied. @returns true if this
   * engine's term is then the newest; false if that term does not count. @throws as an append does.
   */
  async claim(): Promise<boolean> {
    const { start = "alone", node = (): string => "" } = this.#cluster ?? {};
    const { meta, build, waiting } = this.#host;
    const term = numberOf(meta()) + 1;
    const begun = { type: "term.begun", term, start, node: node(), build, mayEnd: true } as const;
    const { poison, term: before } = meta();
    try {
      const known = defined({ poison, behind: before?.ended?.position });
      await waiting.at(await this.#host.append({ ...begun, ...known }));
    } catch (error) {
      this.turn("unheard");
      throw error;
    }
    const newest = meta().term;
    const isOurs = newest?.n === term && newest.start === start;
    if (isOurs) this.#term = term;
    this.turn(isOurs ? "won" : "lost");
    waiting.tell();
    return isOurs;
  }

  /** Begins to fire deadlines and publish without a term, because no term was ever begun (ENGINE-MANDATE-4). */
  goOn(): void {
    this.#role = "owner";
  }

  /** The term to write into an own message of this engine. */
  stamp(said: OwnMessage["said"]): Pick<OwnMessage, "term"> {
    return this.#term > 0 && isOwners(said) ? { term: this.#term } : {};
  }

  /** The error for work that only an owner may do; undefined for an owner. */
  get refusal(): RetryableError | undefined {
    return this.isSilent ? standingBy(this.#address()) : undefined;
  }

  /** Why this engine refuses a message (ENGINE-MANDATE-1); undefined if it takes the message. */
  refusalOf(message: Message): RetryableError | undefined {
    return isOfAnyDoor(message) ? undefined : this.refusal;
  }

  /**
   * ENGINE-MANDATE-6. Checks that this engine may hand over. The caller must then stop this engine in order.
   * @returns the addresses of the spares, one of which takes over. @throws RetryableError STANDING_BY; RefusedError NO_SPARE
   */
  handOver(): readonly [string, ...string[]] {
    if (this.refusal) throw this.refusal;
    const [first, ...others] = this.spares.present(this.#host.clock.now());
    if (first === undefined) throw noSpare();
    return [first, ...others];
  }

  /**
   * ENGINE-MANDATE-8. Checks that this engine may end its term. @returns the addresses of the spares.
   * @throws RetryableError STANDING_BY; RefusedError NO_TERM
   */
  toEnd(): readonly string[] {
    if (this.refusal) throw this.refusal;
    if (!this.#host.meta().term) throw noTerm();
    return this.spares.present(this.#host.clock.now());
  }

  /** How long an owner may be silent before this engine takes over, ms. */
  get patienceMs(): number {
    return patienceMs(this.#host.isReady() ? this.#host.meta() : {}, this.#host.build);
  }

  /** The error with which a start ends if another engine is the owner. */
  elsewhere(): FatalError {
    return ownedElsewhere(this.#host.meta().term?.node ?? "");
  }

  /** ENGINE-MANDATE-5. Notes in the store that the histories differ. The engine ends once this note is durable. */
  differ(difference: Difference): void {
    this.#differs = difference;
    this.turn("differed");
    this.#host.keep(new Map([[keys.differs, difference.position]]));
  }

  /** The error with which this engine must end after a commit, if any (ENGINE-MANDATE-3, ENGINE-MANDATE-5). */
  ending({ term }: Meta): FatalError | undefined {
    if (this.#differs && this.#host.store.get(keys.differs) !== undefined)
      return historyDiffers(this.#differs.position);
    if (this.#role !== "owner" || term === undefined || term.n <= this.#term) return undefined;
    this.#speaks = false;
    this.turn("replaced");
    return ownerReplaced(term);
  }

  standing(lag: number): Standing {
    const { term, stale = 0 } = this.#host.meta();
    const owner = this.isSilent || this.#role === "fenced" ? this.#address() : undefined;
    const behind = Math.max(
      lag,
      this.isSilent ? (this.#owner?.applied ?? 0) - this.#host.meta().position : 0,
    );
    const uncompared = this.isSilent ? this.agreement.behind : undefined;
    const spares = this.isSilent ? undefined : this.spares.present(this.#host.clock.now()).length;
    return {
      role: this.#role,
      term: term?.n ?? 0,
      lag: behind,
      stale,
      ...defined({ owner, uncompared, spares }),
    };
  }

  #address(): string | undefined {
    return this.#owner?.node ?? (this.#role === "absent" ? undefined : this.#host.meta().term?.node);
  }
}

// Flaky outlet
// The other side of an outlet, unreliable by a script.
//
//   Owns:          what arrives there, in which order, and what the sender is told.
//   Does not own:  what should have arrived.

import { setImmediate as nextTick } from "node:timers/promises";
import type { OutgoingChange, Outlet } from "../../../runtime/ports.ts";

/**
 * The fate of one call: `taken`; `refused`, nothing arrives; `unsaid`, it arrives and the sender is told that it did
 * not; `late`, the same, but it arrives some calls later.
 */
export type Fate = "taken" | "refused" | "unsaid" | "late";

export interface Arrival {
  readonly session: string;
  readonly version: number;
  readonly n: number;
}

export const partsOf = ({ messageId, n }: OutgoingChange): Arrival => {
  const [session = "", version = ""] = messageId.split(":");
  return { session, version: Number(version), n };
};

export class FlakyOutlet implements Outlet {
  readonly arrived: Arrival[] = [];
  /** Sessions asked for, in order. */
  readonly asked: string[] = [];
  sent = 0;
  inFlight = 0;
  mostInFlight = 0;
  /** Sessions with two changes in flight at once. */
  readonly overlapping = new Set<string>();
  readonly #flying = new Set<string>();
  readonly #late: { readonly change: Arrival; readonly due: number }[] = [];
  readonly #fate: (call: number) => Fate;
  readonly #ticks: (call: number) => number;
  /** What it refuses as long as things are as they are. */
  refuses: (part: Arrival) => Error | undefined = () => undefined;

  constructor(fate: (call: number) => Fate = () => "taken", ticks: (call: number) => number = () => 1) {
    this.#fate = fate;
    this.#ticks = ticks;
  }

  async publish(change: OutgoingChange): Promise<void> {
    const call = ++this.sent;
    const part = partsOf(change);
    if (this.#flying.has(part.session)) this.overlapping.add(part.session);
    this.#flying.add(part.session);
    this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
    for (let tick = this.#ticks(call); tick > 0; tick -= 1) await nextTick();
    const refusal = this.refuses(part);
    const fate = refusal ? "refused" : this.#fate(call);
    for (const late of this.#late.filter(({ due }) => due <= call)) {
      this.#late.splice(this.#late.indexOf(late), 1);
      this.arrived.push(late.change);
    }
    if (fate === "late") this.#late.push({ change: part, due: call + 3 });
    if (fate === "taken" || fate === "unsaid") this.arrived.push(part);
    this.inFlight -= 1;
    this.#flying.delete(part.session);
    if (refusal) throw refusal;
    if (fate !== "taken") throw new Error(fate);
  }

  async lastVersion(workspace: string, session: string): Promise<number> {
    const name = `${workspace}/${session}`;
    this.asked.push(name);
    await nextTick();
    if (this.#fate(++this.sent) === "refused") throw new Error("refused");
    const versions = this.arrived.filter((each) => each.session === name).map(({ version }) => version);
    return Math.max(0, ...versions);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** What a consumer sees that keeps the last version of each session: everything that is not older. */
export function seenBy(arrived: readonly Arrival[]): readonly Arrival[] {
  const last = new Map<string, number>();
  return arrived.filter(({ session, version }) => {
    if (version <= (last.get(session) ?? 0)) return false;
    last.set(session, version);
    return true;
  });
}

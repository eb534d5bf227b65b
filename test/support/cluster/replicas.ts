// Replicas
// Several engines on one journal in memory, as histories of what each does and when it reads: a model of a cluster.
//
//   Owns:          playing a history by the rules of runtime/cluster.
//   Does not own:  the rules, who owned each entry (owned), what must hold (the tests).
//
// A step takes a second. An entry that is deadly ends every process that applies it, and is set aside after three deaths.

import { Hold } from "../../../runtime/cluster/hold.ts";
import { after, type Role } from "../../../runtime/cluster/role.ts";
import { isStale } from "../../../runtime/cluster/says.ts";
import { Spares } from "../../../runtime/cluster/spares.ts";
import { begun, counted, type Known, namedBy, numberOf } from "../../../runtime/cluster/term.ts";

/** What a history does with one of the nodes. */
export type Step =
  /** It reads on, at most so many entries. */
  | { readonly node: number; readonly does: "read"; readonly entries: number }
  /** It hears no owner for too long; its term reaches the journal after so many steps. */
  | { readonly node: number; readonly does: "silence"; readonly late: number }
  /** It asks a node that takes itself for the owner, is answered, and reads on, at most so many entries. */
  | { readonly node: number; readonly does: "ask"; readonly of: number; readonly entries: number }
  /** What only an owner says; it reaches the journal after so many steps. */
  | { readonly node: number; readonly does: "say"; readonly late: number }
  /** It trims all that it may, a few steps later. */
  | { readonly node: number; readonly does: "trim"; readonly late: number }
  /** What anybody's door appends; `deadly` ends whatever applies it. */
  | { readonly node: number; readonly does: "decide" | "deadly" }
  /** A row of its store goes bad. */
  | { readonly node: number; readonly does: "damage" }
  /** Its process dies, and another one begins on the same store. */
  | { readonly node: number; readonly does: "die" }
  /** It loses its disk, and begins from a copy of another node's store, or from nothing. */
  | { readonly node: number; readonly does: "wipe"; readonly from: number | undefined };

export type Said =
  | {
      readonly type: "term.begun";
      readonly term: number;
      readonly start: string;
      readonly poison: readonly number[];
    }
  | { readonly type: "timer.fired"; readonly term: number; readonly start: string }
  | { readonly type: "decision"; readonly isDeadly: boolean };

/** What an entry led to on a node. */
export type Effect = "done" | "nothing" | "aside" | "bad";

/** What a node's disk holds. */
interface Disk {
  read: number;
  known: Known & { readonly poison?: readonly number[] };
  effects: readonly Effect[];
  /** How often a process died at the next entry. */
  deaths: number;
}

export interface Node extends Disk {
  readonly name: string;
  /** `absent`: it was refused, because the journal had lost what it did not know. */
  role: Role;
  start: string;
  /** The term that it owns, or owned. */
  own: number;
  readonly hold: Hold;
  readonly spares: Spares;
  /** How far it has compared what it holds. */
  held: number;
}

export interface Played {
  readonly log: readonly Said[];
  readonly nodes: readonly Node[];
  /** Each time that a node took itself for the owner: which start, and how far it had read. */
  readonly acted: readonly { readonly start: string; readonly read: number }[];
  /** Each decision to trim: how far, and how far another disk then held the same. */
  readonly trims: readonly { readonly upTo: number; readonly elsewhere: number }[];
  readonly trimmed: number;
  /** Each death at a deadly entry: whether an owner held that node back. */
  readonly deaths: readonly { readonly isHeld: boolean; readonly isNamed: boolean }[];
  /** Names of nodes that found that their history is not the owner's. */
  readonly differing: ReadonlySet<string>;
}

const NEW: Disk = { read: 0, known: {}, effects: [], deaths: 0 };
const DEATHS_MAX = 3;
const STEP_MS = 1_000;
/** A spare counts as present for two steps after it asked. */
const PRESENT = 2;

const own = (said: Said) => ({ type: said.type }) as Parameters<typeof isStale>[1]["said"];

/** How far two disks hold the same. */
function sameUpTo(one: Disk, other: Disk): number {
  const end = Math.min(one.read, other.read);
  const at = one.effects.findIndex((effect, index) => index < end && effect !== other.effects[index]);
  return at < 0 ? end : at;
}

export class Cluster implements Played {
  readonly log: Said[] = [];
  readonly nodes: Node[];
  readonly acted: { start: string; read: number }[] = [];
  readonly trims: { upTo: number; elsewhere: number }[] = [];
  readonly deaths: { isHeld: boolean; isNamed: boolean }[] = [];
  readonly differing = new Set<string>();
  trimmed = 0;
  #at = 0;
  #begun = 0;
  readonly #late: { at: number; run: () => void }[] = [];
  /** The disks that were lost, and when. */
  readonly #lost: { at: number; disk: Disk }[] = [];

  constructor(count: number) {
    this.nodes = Array.from({ length: count }, (_, n) => this.#begin(`n${n}`, NEW));
  }

  #begin(name: string, { read, known, effects, deaths }: Disk): Node {
    const isRefused = read < this.trimmed || this.differing.has(name);
    const role = isRefused ? "absent" : "standby";
    const start = `start-${(this.#begun += 1)}`;
    const disk = { read, known, effects, deaths };
    return { name, role, start, own: 0, hold: new Hold(), spares: new Spares(), held: 0, ...disk };
  }

  #again(node: Node, disk: Disk = node): Node {
    const next = this.#begin(node.name, disk);
    this.nodes[this.nodes.indexOf(node)] = next;
    return next;
  }

  /** What was on its way never arrives. */
  settle(): void {
    this.#late.length = 0;
  }

  play(step: Step): void {
    const due = this.#late.filter(({ at }) => at === this.#at);
    for (const { run } of due) run();
    const node = this.nodes[step.node % this.nodes.length];
    if (node) this.#do(node, step);
    this.#at += 1;
  }

  #do(node: Node, step: Step): void {
    switch (step.does) {
      case "read":
        return this.#readOn(node, node.read + step.entries);
      case "silence":
        return this.#takeOver(node, step.late);
      case "ask":
        this.#ask(node, step.of);
        return this.#readOn(node, node.read + step.entries);
      case "say":
        return this.#say(node, step.late);
      case "trim":
        return this.#trim(node, step.late);
      case "decide":
      case "deadly":
        this.log.push({ type: "decision", isDeadly: step.does === "deadly" });
        return;
      case "damage":
        this.#lost.push({ at: this.#at, disk: { ...node } });
        if (node.effects.length > 0) node.effects = [...node.effects.slice(0, -1), "bad"];
        return;
      case "die":
        this.#again(node);
        return;
      case "wipe": {
        this.#lost.push({ at: this.#at, disk: { ...node } });
        const from = step.from === undefined ? undefined : this.nodes[step.from % this.nodes.length];
        this.differing.delete(node.name);
        this.#again(node, from && !this.differing.has(from.name) ? from : NEW);
      }
    }
  }

  #takeOver(node: Node, late = 0): void {
    if (node.role !== "standby") return;
    const terms = this.log.slice(node.read).filter((said) => said.type === "term.begun");
    node.hold.name(
      namedBy(
        node.known,
        terms.map((said) => ({ ...said, node: "", build: "" })),
      ),
    );
    node.hold.allow(Infinity);
    node.role = after(node.role, "silence");
    const { poison = [] } = node.known;
    const [term, { start }] = [numberOf(node.known) + 1, node];
    this.#soon(late, () => void this.log.push({ type: "term.begun", term, start, poison }));
  }

  #ask(node: Node, of: number): void {
    const owners = this.nodes.filter((each) => each.role === "owner" && each !== node);
    const owner = owners[of % Math.max(1, owners.length)];
    if (node.role !== "standby" || !owner) return;
    const now = this.#at * STEP_MS;
    if (node.read <= owner.read && sameUpTo(node, owner) === node.read) node.held = node.read;
    const asked = { node: node.name, compare: [] };
    if (sameUpTo(node, owner) < Math.min(node.read, owner.read)) {
      this.differing.add(node.name);
      node.role = after(node.role, "differed");
      owner.spares.hear({ ...asked, differs: { of: "changes", n: 1, position: 1 } }, now);
      return;
    }
    owner.spares.hear({ ...asked, holds: node.held }, now);
    node.hold.name(owner.known.poison ?? []);
    node.hold.allow(owner.read);
  }

  #say(node: Node, late: number): void {
    if (node.role !== "owner") return;
    this.acted.push({ start: node.start, read: node.read });
    const said = { type: "timer.fired", term: node.own, start: node.start } as const;
    this.#soon(late, () => void this.log.push(said));
  }

  #soon(late: number, run: () => void): void {
    if (late === 0) run();
    else this.#late.push({ at: this.#at + late, run });
  }

  #trim(node: Node, late: number): void {
    if (node.role !== "owner") return;
    const upTo = node.spares.trimTo(node.read - 1, this.#at * STEP_MS);
    if (upTo <= 0) return;
    const lost = this.#lost.filter(({ at }) => this.#at - at < PRESENT).map(({ disk }) => disk);
    const others = [...this.nodes.filter((each) => each !== node), ...lost];
    const elsewhere = Math.max(0, ...others.map((each) => sameUpTo(each, node)));
    this.trims.push({ upTo, elsewhere });
    this.#soon(late, () => void (this.trimmed = Math.max(this.trimmed, upTo)));
  }

  /** Reads up to an entry, as far as the node may: a held one no further than its owner has. */
  #readOn(node: Node, upTo: number): void {
    const isOver = node.role === "absent" || node.role === "fenced";
    const end = node.role === "standby" ? (node.hold.upTo ?? 0) : Infinity;
    while (!isOver && node.read < Math.min(upTo, this.log.length, end)) {
      if (node.read < this.trimmed) node.role = "absent";
      if (node.role === "absent" || node.role === "fenced") return;
      const next = this.#apply(node, node.read + 1);
      if (next) return this.#readOn(next, upTo);
    }
  }

  /** @returns the next process, if this one died; without an owner that holds it back, it takes over again. */
  #apply(node: Node, position: number): Node | undefined {
    const said = this.log[position - 1];
    if (!said) return undefined;
    const isNamed = node.hold.isPoison(position);
    if (said.type === "decision" && said.isDeadly && !isNamed && node.deaths < DEATHS_MAX) {
      const isHeld = node.role === "standby" && node.hold.upTo !== Infinity;
      this.deaths.push({ isHeld, isNamed });
      const next = this.#again(node, { ...node, deaths: node.deaths + 1 });
      if (!isHeld) this.#takeOver(next);
      return next;
    }
    node.read = position;
    const isAside = isNamed || node.deaths >= DEATHS_MAX;
    if (isAside) node.known = { ...node.known, poison: [...(node.known.poison ?? []), position] };
    node.deaths = 0;
    node.effects = [...node.effects, isAside ? "aside" : this.#effect(node, said)];
    return undefined;
  }

  #effect(node: Node, said: Said): Effect {
    if (said.type === "term.begun") return this.#term(node, said);
    const term = said.type === "timer.fired" ? { term: said.term } : {};
    if (!isStale(node.known, { said: own(said), ...term })) return "done";
    node.known = { ...node.known, ...counted(node.known) };
    return "nothing";
  }

  #term(node: Node, said: Extract<Said, { type: "term.begun" }>): Effect {
    const next = begun(node.known, { ...said, node: "", build: "" });
    node.known = { ...node.known, ...(next ?? counted(node.known)) };
    const isMine = said.start === node.start;
    if (isMine) node.role = after(node.role, next ? "won" : "lost");
    if (isMine && next) node.own = said.term;
    if (!isMine && next && said.term > node.own) node.role = after(node.role, "replaced");
    return next ? "done" : "nothing";
  }
}

/** Plays a history; then every node that may reads to the end, without an owner. @param count how many nodes there are. */
export function play(count: number, steps: readonly Step[]): Cluster {
  const cluster = new Cluster(count);
  for (const step of steps) cluster.play(step);
  cluster.settle();
  for (let n = 0; n < count; n += 1) {
    for (let node = cluster.nodes[n]; node && node.read < cluster.log.length; node = cluster.nodes[n]) {
      if (node.role === "absent" || cluster.differing.has(node.name)) break;
      if (node.role === "fenced") cluster.play({ node: n, does: "die" });
      cluster.nodes[n]?.hold.allow(Infinity);
      cluster.play({ node: n, does: "read", entries: Infinity });
    }
  }
  return cluster;
}

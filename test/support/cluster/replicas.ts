// Replicas
// Several engines on one journal in memory, as histories of what each does and when it reads: a model of terms.
//
//   Owns:          playing a history by the rules of runtime/cluster; who owned each entry, found anew from the whole journal.
//   Does not own:  the rules, what must hold (the test).

import { after, type Role } from "../../../runtime/cluster/role.ts";
import { isStale } from "../../../runtime/cluster/says.ts";
import { begun, counted, type Known, numberOf } from "../../../runtime/cluster/term.ts";

/** What a history does with one of the nodes. */
export type Step =
  /** It reads on, at most so many entries. */
  | { readonly node: number; readonly does: "read"; readonly entries: number }
  /** It hears no owner for too long. */
  | { readonly node: number; readonly does: "silence" }
  /** What only an owner says; it reaches the journal after so many steps. */
  | { readonly node: number; readonly does: "say"; readonly late: number }
  /** What anybody's door appends. */
  | { readonly node: number; readonly does: "decide" }
  /** Its process dies, and another one begins on the same store. */
  | { readonly node: number; readonly does: "die" };

export type Said =
  | { readonly type: "term.begun"; readonly term: number; readonly start: string }
  | { readonly type: "timer.fired"; readonly term: number; readonly start: string }
  | { readonly type: "decision" };

interface Node {
  role: Role;
  start: string;
  /** The term that it owns, or owned. */
  own: number;
  read: number;
  known: Known;
  /** Positions whose entries had an effect: the rows of this store. */
  rows: number[];
}

/** What a store says of a journal, found without the rules of runtime/cluster. */
export interface Owned {
  readonly rows: readonly number[];
  readonly stale: number;
  readonly term: number;
}

export interface Played {
  readonly log: readonly Said[];
  readonly nodes: readonly Node[];
  /** Each time that a node took itself for the owner: which start, and how far it had read. */
  readonly acted: readonly { readonly start: string; readonly read: number }[];
}

const own = (said: Said) => ({ type: said.type }) as Parameters<typeof isStale>[1]["said"];

function apply(node: Node, said: Said, position: number): void {
  const { known } = node;
  if (said.type === "term.begun") {
    const next = begun(known, { ...said, node: "", build: "" });
    node.known = { ...known, ...(next ?? counted(known)) };
    if (next) node.rows.push(position);
    const isMine = said.start === node.start;
    if (isMine) node.role = after(node.role, next ? "won" : "lost");
    if (isMine && next) node.own = said.term;
    if (!isMine && next && said.term > node.own) node.role = after(node.role, "replaced");
    return;
  }
  const term = said.type === "timer.fired" ? { term: said.term } : {};
  if (isStale(known, { said: own(said), ...term })) node.known = { ...known, ...counted(known) };
  else node.rows.push(position);
}

/** @param count how many nodes there are. */
export function play(count: number, steps: readonly Step[]): Played {
  const log: Said[] = [];
  const acted: { start: string; read: number }[] = [];
  const late: { at: number; said: Said }[] = [];
  let starts = 0;
  const begin = (before?: Node): Node => ({
    role: "standby",
    start: `start-${(starts += 1)}`,
    own: 0,
    read: before?.read ?? 0,
    known: before?.known ?? {},
    rows: before?.rows ?? [],
  });
  const nodes = Array.from({ length: count }, () => begin());
  const readOn = (node: Node, upTo: number): void => {
    for (; node.read < upTo; node.read += 1) {
      const said = log[node.read];
      if (said) apply(node, said, node.read + 1);
    }
  };
  steps.forEach((step, at) => {
    log.push(...late.filter((one) => one.at === at).map(({ said }) => said));
    const node = nodes[step.node % count];
    if (!node) return;
    switch (step.does) {
      case "read":
        return readOn(node, Math.min(log.length, node.read + step.entries));
      case "silence": {
        if (node.role !== "standby") return;
        node.role = after(node.role, "silence");
        log.push({ type: "term.begun", term: numberOf(node.known) + 1, start: node.start });
        return;
      }
      case "say": {
        if (node.role !== "owner") return;
        acted.push({ start: node.start, read: node.read });
        const said = { type: "timer.fired", term: node.own, start: node.start } as const;
        if (step.late === 0) log.push(said);
        else late.push({ at: at + step.late, said });
        return;
      }
      case "decide":
        log.push({ type: "decision" });
        return;
      case "die":
        nodes[step.node % count] = begin(node);
    }
  });
  for (const node of nodes) readOn(node, log.length);
  return { log, nodes, acted };
}

/** Who owned each entry, from the whole journal at once: the first of each number, as long as the numbers follow. */
export function ownedIn(log: readonly Said[]): Owned & { readonly ownerAt: readonly (string | undefined)[] } {
  const terms: { start: string; at: number }[] = [];
  for (let n = 1; ; n += 1) {
    const from = terms.at(-1)?.at ?? 0;
    const at = log.findIndex((said, index) => index >= from && said.type === "term.begun" && said.term === n);
    const found = log[at];
    if (found?.type !== "term.begun") break;
    terms.push({ start: found.start, at: at + 1 });
  }
  const newest = (position: number) => terms.filter(({ at }) => at <= position).length;
  const ownerAt = log.map((_, index) => terms[newest(index + 1) - 1]?.start);
  const rows = log.flatMap((said, index) => {
    const position = index + 1;
    const isOf = said.type === "decision" || (said.type === "timer.fired" && said.term === newest(position));
    return isOf || terms.some(({ at }) => at === position) ? [position] : [];
  });
  return { rows, ownerAt, stale: log.length - rows.length, term: terms.length };
}

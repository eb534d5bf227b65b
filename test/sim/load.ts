// Load
// A minute of calls: they come, are applied by the owner of their part, and told to the engine with the inbox.
//
//   Owns:          the life of a call, who does what when, what was seen of it.
//   Does not own:  the order of events (agenda), an engine's time (worker), what is said of it (limits, table).
//
// Each call that has come is answered at the end, or waits.

import { Chance } from "../chaos/chance.ts";
import { Agenda } from "./agenda.ts";
import { chooses, takeOver, waits } from "./chances.ts";
import type { Given } from "./figures.ts";
import { Inbox } from "./inbox.ts";
import { partsOf, type Shape } from "./shape.ts";
import { type Gap, Worker } from "./worker.ts";

export interface Seen {
  readonly calls: { readonly come: number; readonly answered: number; readonly waiting: number };
  /** From a message's acknowledgement by the journal until it is applied and its caller told, ms. */
  readonly answers: readonly number[];
  /** How much of the time each owner worked, of 1. */
  readonly owners: readonly number[];
  /** The work of the engine with the inbox for each second, s; more than 1 is more than it can do. */
  readonly inbox: number;
  /** How far the engine with the inbox is behind at the end, ms. */
  readonly behind: number;
  readonly lists: { readonly times: readonly number[]; readonly partial: number; readonly shown: number };
}

export class Load {
  readonly #shape: Shape;
  readonly #given: Given;
  readonly #chance: Chance;
  readonly #agenda = new Agenda();
  readonly #owners: readonly Worker[];
  readonly #inbox: Inbox;
  /** The part of each person's session. */
  readonly #partOf: Uint32Array;
  readonly #answers: number[] = [];
  #come = 0;
  #answered = 0;

  constructor(shape: Shape, given: Given) {
    this.#shape = shape;
    this.#given = given;
    this.#chance = new Chance(shape.seed);
    const parts = partsOf(shape);
    this.#partOf = Uint32Array.from({ length: given.people }, () => this.#chance.between(0, parts - 1));
    this.#owners = Array.from({ length: parts }, (_, part) => new Worker(this.#gapsOf(part, parts)));
    this.#inbox = new Inbox({ agenda: this.#agenda, owners: this.#owners, given, chance: this.#chance });
  }

  run(): Seen {
    const { seconds } = this.#shape;
    const end = seconds * 1_000;
    this.#next(0, end);
    this.#inbox.begin(end);
    this.#agenda.run(end);
    return {
      calls: { come: this.#come, answered: this.#answered, waiting: this.#come - this.#answered },
      answers: this.#answers,
      owners: this.#owners.map(({ busy }) => busy / end),
      ...this.#inbox.seen(end),
    };
  }

  /** A third in an owner dies, two thirds in a NATS server; in the last third a new version goes from part to part. */
  #gapsOf(part: number, parts: number): readonly Gap[] {
    const { seconds, hasFaults, spares } = this.#shape;
    if (!hasFaults) return [];
    const [third, given] = [seconds * 333, this.#given];
    const taken = takeOver(this.#chance, given);
    const gaps: Gap[] = [];
    if (part === 0) gaps.push([third, third + (spares > 0 ? taken : given.bothKilled)]);
    // A third of the streams have their leader on that server.
    if (this.#chance.happens(1 / 3)) gaps.push([2 * third, 2 * third + chooses(this.#chance, given)]);
    const wave = 2 * third + given.election + (part / parts) * (third - given.election - given.upgrade);
    gaps.push([wave, wave + (spares > 0 ? given.upgrade : given.bothKilled)]);
    return gaps.filter(([from], n) => n === 0 || from >= (gaps[n - 1]?.[1] ?? 0));
  }

  #next(at: number, end: number): void {
    const then = at + waits(this.#chance, 1_000 / this.#given.calls);
    if (then >= end) return;
    this.#agenda.enter(then, (now) => {
      this.#come += 1;
      const part = this.#partOf[this.#chance.between(0, this.#partOf.length - 1)] ?? 0;
      this.#message(now, part, this.#chance.happens(this.#given.asked) ? ASKED : PLAIN);
      this.#next(now, end);
    });
  }

  /** @param left the messages of the call that are still to come, this one first. */
  #message(at: number, part: number, [, ...left]: readonly Message[]): void {
    const { message, commit, changes, line, answered, runs } = this.#given;
    const done = (this.#owners[part]?.give(at, message / 1_000) ?? at) + commit / 1_000;
    this.#agenda.enter(done, () => {
      this.#answers.push(done - at);
      this.#inbox.tell(done + line / 1_000, changes);
      const [next] = left;
      if (next === undefined) this.#answered += 1;
      else
        this.#agenda.enter(done + pauseOf(next, this.#chance, answered, runs), (now) =>
          this.#message(now, part, left),
        );
    });
  }
}

type Message = "started" | "asked" | "decided" | "finished";
const PLAIN: readonly Message[] = ["started", "finished"];
const ASKED: readonly Message[] = ["started", "asked", "decided", "finished"];

/** How long it takes until that message follows the one before, ms. */
function pauseOf(next: Message, chance: Chance, answered: number, runs: number): number {
  if (next === "asked") return 0;
  return waits(chance, next === "decided" ? answered : runs);
}

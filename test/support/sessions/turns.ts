// Turns
// Applies journal entries one after another to rows in memory, as the engine does, but without the engine.
//
//   Owns:          making entries of a generated session; reading rows back as the store would hold them.
//   Does not own:  what a turn does (runtime/turn).

import type { TurnResult } from "../../../runtime/turn/turn-result.ts";
import type { CascadePolicy, SessionId, SourceInput } from "../../../machines/index.ts";
import { decode, encode } from "../../../runtime/rows/codec.ts";
import { DEFAULT_CONFIGURATION } from "../../../runtime/config.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { type Message, type OwnMessage, writeMessage } from "../../../runtime/message.ts";
import { freshMeta } from "../../../runtime/rows/meta.ts";
import type { Layer } from "../../../runtime/rows/overlay.ts";
import { turn } from "../../../runtime/turn/turn.ts";
import type { Session, Step } from "./script.ts";
import { emptyLayer, SESSION, SessionRun, START, WORKSPACE } from "./session-run.ts";
import { clients } from "../../../adapters/composition/clients.ts";

/** The messages of a generated session already carry inputs. */
export const carried = ({ data }: { readonly data: unknown }): readonly SourceInput[] =>
  data as readonly SourceInput[];

const deps = {
  clients,
  translate: carried,
  digest: digestId,
  epoch: 1,
};

/** The messages of a generated session; its inputs are found by playing it. */
export function messagesOf({ policy, steps }: Session, session: SessionId = SESSION): readonly Message[] {
  const run = new SessionRun({ policy: { cascade: policy } });
  return steps.flatMap((step, index) => messageOf(run, step, index, session));
}

function messageOf(run: SessionRun, step: Step, index: number, session: SessionId): readonly Message[] {
  const input = run.inputOf(step);
  if (!input) return [];
  run.take(step);
  const common = { workspace: WORKSPACE, session };
  if ("hear" in step && step.channel !== "own")
    return [{ door: "in", ...common, id: `m${index}`, source: "test", type: step.channel, data: [input] }];
  // Inputs that no source sends are own messages.
  return [{ door: "own", ...common, said: input as OwnMessage["said"] }];
}

export class Turns {
  readonly results: TurnResult[] = [];
  #rows: Layer;
  #position = 0;

  constructor(policy: CascadePolicy) {
    this.#rows = emptyLayer();
    const configuration = { ...DEFAULT_CONFIGURATION, cascade: { default: policy } };
    this.#rows.set(keys.meta, { ...freshMeta("test"), configuration });
  }

  /** @param at the journal's stamp, ms from the start. */
  apply(message: Message, at = this.#position): TurnResult {
    const position = ++this.#position;
    const result = turn(this.#rows, { position, at: START + at, body: writeMessage(message) }, deps);
    this.results.push(result);
    return result;
  }

  /** Writes every row to text and reads it back, as passivation does. */
  passivate(): void {
    const texts = this.texts();
    this.#rows = emptyLayer();
    for (const [key, text] of texts) this.#rows.set(key, decode(key, text));
  }

  /** All rows as text, by key. */
  texts(which: (key: string) => boolean = () => true): ReadonlyMap<string, string> {
    const rows = [...this.#rows.writes()].filter(([key, value]) => value !== undefined && which(key));
    return new Map(
      rows.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [key, encode(key, value)]),
    );
  }
}

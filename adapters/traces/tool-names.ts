// Tool names
// Limits how many tools a metric tells apart, whatever names clients use.
//
//   Owns:          which names are told apart.
//   Does not own:  how a name is shortened (runtime/traces).
//
// TOOL-NAMES-1. A metric tells at most 100 tools apart; all others are `_other`. So a client that invents names makes no further
//     series.

const NAMES_MAX = 100;
const NAME = "gen_ai.tool.name";
const OTHER = "_other";

type Labels = Readonly<Record<string, string>>;

export class ToolNames {
  readonly #known = new Set<string>();

  /** @returns the labels, with a tool beyond the limit named `_other`. */
  bounded(labels: Labels): Labels {
    const name = labels[NAME];
    if (name === undefined || this.#known.has(name)) return labels;
    if (this.#known.size >= NAMES_MAX) return { ...labels, [NAME]: OTHER };
    this.#known.add(name);
    return labels;
  }
}

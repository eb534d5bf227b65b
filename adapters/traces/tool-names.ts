// Tool names
// Keeps the number of tools that a metric tells apart small, whatever clients call theirs.
//
//   Owns:          which names are told apart.
//   Does not own:  how a name is shortened (runtime/traces).
//
// TOOL-NAMES-1. A metric tells at most 100 tools apart; all others are `_other`. A client that makes up names makes no more
//     series.

const NAMES_MAX = 100;
const NAME = "gen_ai.tool.name";
const OTHER = "_other";

type Labels = Readonly<Record<string, string>>;

export class ToolNames {
  readonly #known = new Set<string>();

  /** @returns the labels, with a tool beyond the bound called `_other`. */
  bounded(labels: Labels): Labels {
    const name = labels[NAME];
    if (name === undefined || this.#known.has(name)) return labels;
    if (this.#known.size >= NAMES_MAX) return { ...labels, [NAME]: OTHER };
    this.#known.add(name);
    return labels;
  }
}

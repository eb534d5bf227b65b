// Tool names
// Limits how many tools a metric distinguishes, even if clients use any number of names.
//
//   Owns:          which tool names are distinguished.
//   Does not own:  how a name is shortened (runtime/traces).
//
// TOOL-NAMES-1. A metric distinguishes the first 100 tools; all other tools are counted as `_other`.

const NAMES_MAX = 100;
const NAME = "gen_ai.tool.name";
const OTHER = "_other";

type Labels = Readonly<Record<string, string>>;

export class ToolNames {
  readonly #known = new Set<string>();

  bounded(labels: Labels): Labels {
    const name = labels[NAME];
    if (name === undefined || this.#known.has(name)) return labels;
    if (this.#known.size >= NAMES_MAX) return { ...labels, [NAME]: OTHER };
    this.#known.add(name);
    return labels;
  }
}

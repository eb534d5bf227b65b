// Gist
// The gist of a tool input: one line by which people recognise the call where there is no room for the whole input.
//
//   Owns:          which part of a tool input is the gist.
//   Does not own:  showing the whole input (adapters).
//
// GIST-1. The gist is the field that is known for the tool; if the input lacks this field, a field that tools commonly have;
//     otherwise the first text in the input; otherwise the input as JSON.

/** The greatest length of a gist, in characters. A line much longer than any screen would be slow to draw. */
const GIST = 300;

/** By tool: the fields by which people recognise a call of this tool, tried before the fields of `USUAL`. */
const TELLING: Readonly<Record<string, readonly string[]>> = {
  Agent: ["description", "prompt"],
  Bash: ["command"],
  ExitPlanMode: ["plan"],
  Glob: ["pattern", "path"],
  Grep: ["pattern", "path"],
  NotebookEdit: ["notebook_path"],
  Skill: ["skill", "command"],
  Task: ["description", "prompt"],
  WebFetch: ["url"],
  WebSearch: ["query"],
};

/** The fields that best distinguish calls of an unknown tool, the best first. */
const USUAL = ["file_path", "command", "path", "url", "pattern", "query", "description"] as const;

export function gistOf(input: unknown, tool = ""): string {
  const whole = wholeOf(input, tool);
  return whole.length > GIST ? `${whole.slice(0, GIST)}…` : whole;
}

function wholeOf(input: unknown, tool: string): string {
  if (input === undefined) return "";
  if (typeof input !== "object" || input === null) return JSON.stringify(input);
  const telling = Object.hasOwn(TELLING, tool) ? (TELLING[tool] ?? []) : [];
  for (const name of [...telling, ...USUAL]) {
    const value: unknown = Object.hasOwn(input, name) ? Reflect.get(input, name) : undefined;
    if (typeof value === "string" && value !== "") return value;
  }
  const [first] = Object.values(input).filter((value) => typeof value === "string");
  return first ?? JSON.stringify(input);
}

// Gist
// An input in one line: what people recognise a call by when there is no room for all of it.
//
//   Owns:          which part of an input that is.
//   Does not own:  the whole input (json.tsx), which is always one step away.

/** A line much longer than any screen is slow to draw. */
const GIST = 300;

/** What each well-known tool is told by: the first text in an input is rarely the telling one. */
const TELLING: Readonly<Record<string, readonly string[]>> = {
  Agent: ["description", "prompt"],
  Bash: ["command"],
  Edit: ["file_path"],
  ExitPlanMode: ["plan"],
  Glob: ["pattern", "path"],
  Grep: ["pattern", "path"],
  MultiEdit: ["file_path"],
  NotebookEdit: ["notebook_path"],
  Read: ["file_path"],
  Skill: ["skill", "command"],
  Task: ["description", "prompt"],
  WebFetch: ["url"],
  WebSearch: ["query"],
  Write: ["file_path"],
};

/** The fields in the order in which they best tell calls of an unknown tool apart. */
const USUAL = ["file_path", "command", "path", "url", "pattern", "query", "description"] as const;

/** The field its tool is told by, else a usual one, else the first text in it, else its JSON. */
export function gistOf(input: unknown, tool = ""): string {
  const whole = wholeOf(input, tool);
  return whole.length > GIST ? `${whole.slice(0, GIST)}…` : whole;
}

function wholeOf(input: unknown, tool: string): string {
  if (typeof input !== "object" || input === null) return "";
  const telling = Object.hasOwn(TELLING, tool) ? (TELLING[tool] ?? []) : [];
  for (const name of [...telling, ...USUAL]) {
    const value: unknown = Object.hasOwn(input, name) ? Reflect.get(input, name) : undefined;
    if (typeof value === "string" && value !== "") return value;
  }
  const [first] = Object.values(input).filter((value) => typeof value === "string");
  return first ?? JSON.stringify(input);
}

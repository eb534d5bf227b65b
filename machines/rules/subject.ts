// Subject
// What a rule can look at in a tool's input: a command, a path.
//
//   Owns:          which tools have which, and which further fields change nothing about it.
//   Does not own:  patterns (command-match, path-match).
//
// SUBJECT-1. A field that is not known here may change what a call does: a pattern does not allow it.
// SUBJECT-2. No rule allows a call that names Signalbox, its port or the client's own settings.

interface Known {
  readonly field: string;
  readonly about: "command" | "path";
  readonly others: readonly string[];
}

const TOOLS: Readonly<Record<string, Known>> = {
  Bash: { field: "command", about: "command", others: ["description", "timeout", "run_in_background"] },
  Read: { field: "file_path", about: "path", others: ["offset", "limit", "pages"] },
  Write: { field: "file_path", about: "path", others: ["content"] },
  Edit: { field: "file_path", about: "path", others: ["old_string", "new_string", "replace_all"] },
  MultiEdit: { field: "file_path", about: "path", others: ["edits"] },
  NotebookRead: { field: "notebook_path", about: "path", others: ["cell_id"] },
  NotebookEdit: {
    field: "notebook_path",
    about: "path",
    others: ["new_source", "cell_id", "cell_type", "edit_mode"],
  },
  // Their own patterns may lead anywhere.
  Glob: { field: "path", about: "path", others: [] },
  Grep: { field: "path", about: "path", others: [] },
};
const SEARCHING: ReadonlySet<string> = new Set(["Glob", "Grep"]);

const known = (tool: string): Known | undefined => (Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined);

/** What patterns for this tool are about; undefined for a tool that only has exact inputs. */
export const isAbout = (tool: string): "command" | "path" | undefined => known(tool)?.about;

/** True for tools where a path says all about which files a call is about. */
export const isWholePath = (tool: string): boolean => !SEARCHING.has(tool);

export interface Subject {
  readonly about: "command" | "path";
  readonly text: string;
  /** Its input has fields that are not known here (SUBJECT-1). */
  readonly hasMore: boolean;
}

/** @param input canonical JSON text. @returns undefined if there is nothing a pattern could be about. */
export function subjectOf(tool: string, input: string): Subject | undefined {
  const how = known(tool);
  const fields = how && (JSON.parse(input) as unknown);
  if (!how || typeof fields !== "object" || fields === null || Array.isArray(fields)) return undefined;
  const { field, about, others } = how;
  const text = Object.hasOwn(fields, field) ? (fields as Record<string, unknown>)[field] : undefined;
  if (typeof text !== "string") return undefined;
  return { about, text, hasMore: Object.keys(fields).some((key) => key !== field && !others.includes(key)) };
}

const GUARDED = /signalbox|:4280\b|\.claude(?![\w-])/i;

/** SUBJECT-2. @param input canonical JSON text. @param subject what it is about. */
export function isGuarded(input: string, subject: Subject | undefined): boolean {
  const said = subject?.about === "path" ? subject.text : input;
  return GUARDED.test(said) || GUARDED.test(said.replace(/['"\\]/g, ""));
}

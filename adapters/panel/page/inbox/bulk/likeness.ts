// Likeness
// What "like this" may mean of a call: the very same, its first words, its folder.
//
//   Owns:          the choices that a card offers.
//   Does not own:  what a rule may say (the engine refuses it, with a reason).

/** A choice of inputs, as a rule has it. */
export interface Likeness {
  readonly label: string;
  readonly kind: "exact" | "prefix";
  /** Of a prefix: what it begins with; it can be corrected. */
  readonly text: string;
}

const FILES = ["file_path", "notebook_path"] as const;
const WORDS = 2;

/** The narrowest first. */
export function likenessesOf(tool: string, input: unknown): readonly Likeness[] {
  const same: Likeness = { label: "exactly this input", kind: "exact", text: "" };
  if (typeof input !== "object" || input === null) return [same];
  const command: unknown = Reflect.get(input, "command");
  if (tool === "Bash" && typeof command === "string") {
    const words = command.trim().split(/\s+/).slice(0, WORDS);
    return [same, { label: "commands that begin with", kind: "prefix", text: words.join(" ") }];
  }
  const path = FILES.map((field): unknown => Reflect.get(input, field)).find(
    (each) => typeof each === "string",
  );
  if (typeof path !== "string" || !path.startsWith("/")) return [same];
  return [same, { label: "files in the folder", kind: "prefix", text: path.slice(0, path.lastIndexOf("/")) }];
}

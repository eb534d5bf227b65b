// Gist
// An input in one line: what a person knows a call by where there is no room for all of it.
//
//   Owns:          which part of an input that is.
//   Does not own:  the whole input (json.tsx), which is always one step away.

/** The file it is about, else the first text in it, else its JSON. */
export function gistOf(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  if ("file_path" in input && typeof input.file_path === "string") return input.file_path;
  const [first] = Object.values(input).filter((value) => typeof value === "string");
  return first ?? JSON.stringify(input);
}

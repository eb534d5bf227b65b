// Gist
// An input in one line: what people recognise a call by when there is no room for all of it.
//
//   Owns:          which part of an input that is.
//   Does not own:  the whole input (json.tsx), which is always one step away.

/** A line much longer than any screen is slow to draw. */
const GIST = 300;

/** The file it is about, else the first text in it, else its JSON. */
export function gistOf(input: unknown): string {
  const whole = wholeOf(input);
  return whole.length > GIST ? `${whole.slice(0, GIST)}…` : whole;
}

function wholeOf(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  if ("file_path" in input && typeof input.file_path === "string") return input.file_path;
  if ("command" in input && typeof input.command === "string") return input.command;
  const [first] = Object.values(input).filter((value) => typeof value === "string");
  return first ?? JSON.stringify(input);
}

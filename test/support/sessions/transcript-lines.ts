// Transcript lines
// Lines of a transcript as the client writes them, for tests that write one: no more of each than tells what it is.
//
//   Owns:          the fields of a call's line and of its result's; each has an id of its own.
//   Does not own:  files.

let count = 0;

function line(type: string, sessionId: string, message: object, more: object): string {
  count += 1;
  return JSON.stringify({ type, uuid: `u-${count}`, sessionId, message, ...more });
}

/** A line that announces a call. */
export function call(id: string, session: string, more: object = {}): string {
  const content = [{ type: "tool_use", id, name: "Bash", input: { command: `echo ${id}` } }];
  return line("assistant", session, { role: "assistant", id: "m1", content }, more);
}

/** A line that says that it ended well. */
export function result(id: string, session: string, more: object = {}): string {
  const content = [{ type: "tool_result", tool_use_id: id, content: "done" }];
  return line("user", session, { role: "user", content }, more);
}

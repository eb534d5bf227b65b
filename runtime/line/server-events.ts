// Server-sent events
// Parses an event stream as the WHATWG HTML standard (section 9.2.6) prescribes.
//
//   Owns:          turning bytes into events.
//   Does not own:  connecting again after a stream has ended (adapters).
//
// SERVER-EVENTS-1. The parsed events do not depend on where the bytes of the stream are split. An event that the end of the
//     stream cuts off is dropped.
// SERVER-EVENTS-2. A line or an event with more than 8 Mi characters is an error. Below this limit the parsing time is
//     proportional to the length of the stream, however the stream is split. So no sender of a stream can fill the reader's
//     memory, or keep the reader busy.

/**
 * The most characters of an event. Real events have far fewer: they are made from messages of 256 KiB (runtime/limits), without
 * long inputs and outputs.
 */
const CHARS_MAX = 8 * 1024 * 1024;
/** How many characters of an id an error shows. */
const ID_SHOWN = 100;
const LINE_BREAK = /\r\n|\n|\r/;

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  /** The last id in the stream so far. */
  readonly id: string | undefined;
}

/** @param body a response's body. @throws Error for a line or an event that is too long. */
export async function* serverEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let id: string | undefined;
  let event = "";
  let data: string[] = [];
  let chars = 0;
  for await (const lines of linesOf(body))
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) yield { event: event || "message", data: data.join("\n"), id };
        event = "";
        data = [];
        chars = 0;
        continue;
      }
      const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === "event") event = value;
      else if (name === "data") {
        // The field name `data` counts towards the limit, too, so that an event cannot have endless empty lines.
        chars += line.length;
        if (chars > CHARS_MAX)
          throw tooLong(`The event after the id ${JSON.stringify((id ?? "").slice(0, ID_SHOWN))}`);
        data.push(value);
      } else if (name === "id" && !value.includes("\0")) id = value;
    }
}

/** @returns the lines that end in each chunk. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let chars = 0;
  let held = "";
  for await (const chunk of body) {
    const text = held + decoder.decode(chunk, { stream: true });
    // A carriage return at the end of a chunk may be the first half of a line break, so the parser waits for the next chunk.
    held = text.endsWith("\r") ? "\r" : "";
    const parts = text.slice(0, text.length - held.length).split(LINE_BREAK);
    const lines: string[] = [];
    for (const [at, part] of parts.entries()) {
      if (at > 0) {
        lines.push(begun.join(""));
        begun = [];
        chars = 0;
      }
      chars += part.length;
      if (chars > CHARS_MAX) throw tooLong("A line");
      if (part !== "") begun.push(part);
    }
    yield lines;
  }
}

const tooLong = (what: string): Error =>
  new Error(
    `${what} of the stream has more than ${CHARS_MAX} characters, so the stream is read no further. ` +
      "See whether the address is that of an engine, and whether a proxy changes its answers.",
  );

// Server-sent events
// Parses an event stream as the WHATWG HTML standard (section 9.2.6) prescribes.
//
//   Owns:          turning bytes into events.
//   Does not own:  connecting again (adapters).
//
// SERVER-EVENTS-1. The events are the same wherever the bytes are split. An event that the end of the stream cuts off is dropped.

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  /** The last id in the stream so far. */
  readonly id: string | undefined;
}

/** @param body a response's body. */
export async function* serverEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let id: string | undefined;
  let event = "";
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line === "") {
      if (data.length > 0) yield { event: event || "message", data: data.join("\n"), id };
      event = "";
      data = [];
      continue;
    }
    const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "event") event = value;
    else if (name === "data") data.push(value);
    else if (name === "id" && !value.includes("\0")) id = value;
  }
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    // A carriage return at the end may be the first half of a line break: the parser waits for the next chunk.
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

// Follow
// Reads a stream of server-sent events as it comes.
//
//   Owns:          splitting it into events; waiting for a number of them.
//   Does not own:  what they mean.

export interface Told {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly comment?: string;
}

export interface Following {
  readonly status: number;
  /** The next event or comment; undefined once the stream has ended. */
  next(): Promise<Told | undefined>;
  take(count: number): Promise<readonly Told[]>;
  cancel(): Promise<void>;
}

export async function follow(url: string, headers: Record<string, string>): Promise<Following> {
  const response = await fetch(url, { headers });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = async (): Promise<Told | undefined> => {
    while (!text.includes("\n\n")) {
      const piece = await reader?.read();
      if (!piece || piece.done) return undefined;
      text += piece.value;
    }
    const end = text.indexOf("\n\n");
    const block = text.slice(0, end);
    text = text.slice(end + 2);
    return toldOf(block);
  };
  return {
    status: response.status,
    next,
    async take(count) {
      const told: Told[] = [];
      while (told.length < count) {
        const one = await next();
        if (!one) break;
        told.push(one);
      }
      return told;
    },
    cancel: async () => reader?.cancel(),
  };
}

function toldOf(block: string): Told {
  const fields = block.split("\n").map((line) => {
    const colon = line.indexOf(": ");
    return [colon === 0 ? "comment" : line.slice(0, colon), line.slice(colon + 2)] as const;
  });
  return Object.fromEntries(fields);
}

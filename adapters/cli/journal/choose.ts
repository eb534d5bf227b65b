// Choose
// Chooses which journal an engine uses: one on a NATS server, or the built-in one.
//
//   Owns:          the order of the choices; the printed line: the chosen journal, why, and how to get the other kind.
//   Does not own:  refusing a store that has read from another journal (compose.ts), starting a NATS server.
//
// CHOOSE-1. With `--nats auto`, a folder keeps its journal. A new folder gets the NATS server that SIGNALBOX_NATS_URL names,
//     else a private one if nats-server is on the PATH, else the built-in journal. With `--adopt-journal`, a folder chooses like
//     a new one, unless it has a private server and nats-server is on the PATH: then it keeps the private server.

import { Failure, misused } from "../failures/failure.ts";
import type { JournalBinding, NatsProgram, Wiring } from "../wiring.ts";

export interface Wish {
  /** The value of the setting `nats`: `auto`, `off` or a server's address. */
  readonly nats: string;
  readonly url: string | undefined;
  /** Where each value comes from: a flag, a variable, or a line of the settings file. */
  readonly from: { readonly nats: string; readonly url: string };
  /** Whether the store may leave the journal it has read from, and read the chosen one (`--adopt-journal`). */
  readonly adopts: boolean;
  /** Whether engines share the journal. That needs NATS, so the printed line then does not offer the built-in journal. */
  readonly shares: boolean;
  readonly binding: JournalBinding | undefined;
  readonly program: NatsProgram | undefined;
  readonly shownAddress: Wiring["shownAddress"];
}

export type Choice =
  | { readonly kind: "embedded"; readonly line: string }
  | { readonly kind: "server"; readonly line: string; readonly url: string; readonly at: string }
  | { readonly kind: "private"; readonly program: NatsProgram; readonly ignores: string };

export function choose(wish: Wish): Choice {
  const { from } = wish;
  if (wish.nats === "off") return embedded(`${from.nats} off`, `To use NATS, leave out ${from.nats}.`);
  if (wish.nats !== "auto") return server(wish.nats, from.nats, wish);
  const { binding, adopts, program } = wish;
  // A folder keeps its private server even with `--adopt-journal`: the option then only means that the engine goes on with this
  // server although the server has lost messages.
  const isKept = !adopts || (binding?.kind === "private" && program !== undefined);
  return binding && isKept ? forBound(binding, wish) : forNew(wish);
}

const embedded = (why: string, other: string): Choice => ({
  kind: "embedded",
  line: `The journal is the built-in one (${why}). ${other}`,
});

function server(url: string, from: string, { shares, shownAddress }: Wish): Choice {
  const at = shownAddress(url);
  if (at === undefined) throw noAddress(from);
  const line = `The journal is the NATS server at ${at} (${from}).${shares ? "" : ` ${WITHOUT}`}`;
  return { kind: "server", line, url, at };
}

export const noAddress = (from: string): Failure =>
  misused(
    `${from} must be the address of a NATS server.`,
    "Write an address as nats://host:4222; --nats also takes auto and off.",
  );

const WITHOUT = "To do without: stop the engine, then npx signalbox up --nats off --adopt-journal";
const ADOPT = "stop the engine, then npx signalbox up --adopt-journal";

function forNew(wish: Wish): Choice {
  const { url, program } = wish;
  if (url !== undefined) return server(url, wish.from.url, wish);
  if (program) return { kind: "private", program, ignores: "" };
  return embedded(
    "SIGNALBOX_NATS_URL is not set, no nats-server is on the PATH",
    `To have NATS: install nats-server or set SIGNALBOX_NATS_URL, ${ADOPT}`,
  );
}

function forBound(binding: JournalBinding, wish: Wish): Choice {
  const { url, program } = wish;
  switch (binding.kind) {
    case "embedded":
      return embedded("this folder was begun with it", `To move it to NATS: ${ADOPT}`);
    case "private":
      if (!program) {
        throw new Failure(
          "This folder's journal is on its private NATS server, and no nats-server is on the PATH.",
          "Install it again (Debian: apt-get install nats-server), or leave that journal: npx signalbox up --nats off --adopt-journal",
        );
      }
      return {
        kind: "private",
        program,
        // If SIGNALBOX_NATS_URL is set, it is reported as ignored, but the start is not refused: a user who followed the advice
        // of `up` has set the variable to the private server's own address.
        ignores:
          url === undefined
            ? ""
            : ` ${wish.from.url} is ignored: this folder was begun with another journal.`,
      };
    case "server":
      if (url !== undefined) return server(url, wish.from.url, wish);
      throw new Failure(
        `This folder's journal is on the NATS server at ${binding.at}, and SIGNALBOX_NATS_URL is not set.`,
        "Set it, or leave that journal: npx signalbox up --nats off --adopt-journal",
      );
  }
}

export const privateLine = ({ path, version }: NatsProgram, port: number, ignores: string): string =>
  `The journal is a private NATS server at 127.0.0.1:${port} (nats-server ${version}, ${path}).${ignores} ${WITHOUT}`;

// Choose
// Chooses an engine's journal: NATS if there is one, else the built-in journal.
//
//   Owns:          the order, the line that names the journal, the reason, and how to get the other journal.
//   Does not own:  refusing a store that has read from another journal (compose.ts), starting a server.
//
// CHOOSE-1. `auto` keeps the folder's journal. A new folder gets SIGNALBOX_NATS_URL, otherwise a nats-server on the PATH,
//     otherwise the built-in journal. If the store adopts another journal, `auto` chooses as for a new folder, but keeps a
//     private server. Any value other than `auto` is used as given.

import { Failure, misused } from "../failures/failure.ts";
import type { JournalBinding, NatsProgram, Wiring } from "../wiring.ts";

export interface Wish {
  /** `auto`, `off` or an address. */
  readonly nats: string;
  /** SIGNALBOX_NATS_URL. */
  readonly url: string | undefined;
  /** Where the user set `nats`, and where `url`. */
  readonly from: { readonly nats: string; readonly url: string };
  /** Whether the store leaves the journal it has read from. */
  readonly adopts: boolean;
  /** The folder's journal; undefined for a new folder. */
  readonly binding: JournalBinding | undefined;
  readonly program: NatsProgram | undefined;
  readonly shownAddress: Wiring["shownAddress"];
}

export type Choice =
  | { readonly kind: "embedded"; readonly line: string }
  | { readonly kind: "server"; readonly line: string; readonly url: string; readonly at: string }
  | { readonly kind: "private"; readonly program: NatsProgram; readonly ignores: string };

/** @throws Failure that names the next step, if no journal fits. */
export function choose(wish: Wish): Choice {
  const { from } = wish;
  if (wish.nats === "off") return embedded(`${from.nats} off`, `To use NATS, leave out ${from.nats}.`);
  if (wish.nats !== "auto") return server(wish.nats, from.nats, wish);
  const { binding, adopts, program } = wish;
  // A private server that lost some messages still belongs to the folder.
  const isKept = !adopts || (binding?.kind === "private" && program !== undefined);
  return binding && isKept ? forBound(binding, wish) : forNew(wish);
}

const embedded = (why: string, other: string): Choice => ({
  kind: "embedded",
  line: `The journal is the built-in one (${why}). ${other}`,
});

function server(url: string, from: string, { shownAddress }: Wish): Choice {
  const at = shownAddress(url);
  if (at === undefined) throw noAddress(from);
  const line = `The journal is the NATS server at ${at} (${from}). ${WITHOUT}`;
  return { kind: "server", line, url, at };
}

export const noAddress = (from: string): Failure =>
  misused(
    `${from} is no address of a NATS server.`,
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
        // A user who followed the advice of `up` has set the variable to this very server.
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

/** @param port the private server's port. */
export const privateLine = ({ path, version }: NatsProgram, port: number, ignores: string): string =>
  `The journal is a private NATS server at 127.0.0.1:${port} (nats-server ${version}, ${path}).${ignores} ${WITHOUT}`;

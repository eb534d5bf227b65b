// Prepare
// Prepares the journal before an engine starts: chooses a journal, starts a private NATS server if needed, reports the choice.
//
//   Owns:          what the engine's process is told about the journal; stopping the private server after the engine.
//   Does not own:  which journal is chosen (choose.ts), running the server (nats-server).
//
// PREPARE-1. The engine gets the NATS server's address, which may contain a secret, in its environment, never in its arguments.

import type { Context } from "../command.ts";
import type { Folder, NatsNews } from "../wiring.ts";
import type { Told } from "../settings/origins.ts";
import { choose, privateLine } from "./choose.ts";

export interface Prepared {
  readonly line: string;
  readonly kind: "embedded" | "server" | "private";
  /** The NATS server's address, without secrets. */
  readonly at: string | undefined;
  /** The lines that say how services connect to the private server; empty with any other journal. */
  readonly services: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/** @throws Failure; RefusedError if the private server does not start. */
export async function prepareJournal(
  folder: Folder,
  { settings, said }: Told,
  adopts: boolean,
  { env, wiring, terminal }: Context,
): Promise<Prepared> {
  const { SIGNALBOX_NATS_URL: _, ...rest } = env;
  const { nats = "auto", natsUrl: url } = settings;
  const isOpen = nats === "auto";
  const choice = choose({
    nats,
    adopts,
    shares: settings.follow !== undefined,
    url,
    from: { nats: said.nats?.at ?? "--nats", url: said.natsUrl?.at ?? "SIGNALBOX_NATS_URL" },
    binding: isOpen ? await folder.binding() : undefined,
    program: isOpen ? await wiring.natsServer.find() : undefined,
    shownAddress: (url) => wiring.shownAddress(url),
  });
  const none = { services: [], stop: (): Promise<void> => Promise.resolve() };
  if (choice.kind === "embedded") return { ...choice, ...none, at: undefined, env: rest };
  if (choice.kind === "server")
    return { ...choice, ...none, env: { ...rest, SIGNALBOX_NATS_URL: choice.url } };
  const { program, ignores } = choice;
  const server = await untilSignal(() =>
    wiring.natsServer.run(program, folder.dir, (news) => terminal.err(told(news))),
  );
  return {
    kind: "private",
    line: privateLine(program, server.port, ignores),
    at: server.url,
    services: [
      "Connect services over NATS, in their shell:",
      `  export SIGNALBOX_NATS_URL=${server.url} SIGNALBOX_NATS_NKEY='${server.nkey}'`,
    ],
    env: { ...rest, SIGNALBOX_NATS_URL: server.url },
    stop: () => server.stop(),
  };
}

function told(news: NatsNews): string {
  switch (news.type) {
    case "waiting":
      return `${news.why}\n${news.next}`;
    case "down":
      return `The private NATS server stopped: ${news.why}. The server is started again in ${news.waitMs} ms; until then the engine accepts no messages.`;
    case "up":
      return "The private NATS server answers again.";
  }
}

/** Runs `start`. A signal meanwhile ends this process by `process.exit`, so that an exit handler ends the private server, too. */
async function untilSignal<T>(start: () => Promise<T>): Promise<T> {
  const end = (): void => process.exit(1);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, end);
  try {
    return await start();
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}

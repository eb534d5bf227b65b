// Hand-over
// Passes the settings from the supervisor to the engine: the engine's process gets them as flags, and turns them into the
// options with which it starts the engine.
//
//   Owns:          the engine's name for each setting, which options count for one start only.
//   Does not own:  the settings (table), choosing the journal (journal/).
//
// HAND-OVER-1. The engine's process gets each setting as a flag, so it uses exactly what the supervisor settled. It reads no
//     settings file, and from the environment only the NATS server's address, which may contain a secret.
// HAND-OVER-2. An option that counts for one start, such as another policy, is not passed again when the engine restarts after a
//     failure.

import { defined } from "../../../machines/defined.ts";
import { DEFAULT_PORT } from "../connection.ts";
import type { JournalBinding, ServeOptions } from "../wiring.ts";
import { flagOf, settingNames, type SettingName, type Settings, variableOf, wordsOf } from "./table.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The supervisor chooses the journal: the engine's process gets only the server's address. */
const JOURNAL: readonly SettingName[] = ["nats", "natsUrl"];
const ONCE: readonly SettingName[] = ["cedar"];

/** @returns the flags for the engine's process. @param isBack whether the engine was started before (HAND-OVER-2). */
export function flagsFor(settings: Settings, isBack: boolean): readonly string[] {
  return settingNames
    .filter((name) => !JOURNAL.includes(name) && !(isBack && ONCE.includes(name)))
    .flatMap((name) => {
      const value = settings[name];
      return value === undefined ? [] : wordsOf(name, value).map((word) => `${flagOf(name)}=${word}`);
    });
}

/** HAND-OVER-1: the variables of the engine's process. */
export function environmentFor(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const address = variableOf("natsUrl");
  return Object.fromEntries(Object.entries(env).filter(([name]) => name === address));
}

type Engine = Omit<
  ServeOptions,
  "dataDir" | "onWaiting" | "onMended" | "onWarning" | "onFatal" | "onHandOver" | "signal"
>;

export function engineOptions(settings: Settings, journal: JournalBinding["kind"]): Engine {
  const { port = DEFAULT_PORT, name = [], log = "warn", pastApprovals, natsUrl = "" } = settings;
  const { natsNkey: nkey, natsReplicas: replicas, partition } = settings;
  const { host, follow, peers, join, stateFiles, transcripts, fileLines, quota, cedar, checkpointFile } =
    settings;
  const { notifyCmd: notifyCommand, checkpointCmd: checkpointCommand, otlp, otlpHeaders } = settings;
  const { oidcIssuer: issuer, oidcClient: client, oidcSecretFile: secretFile, peopleFile } = settings;
  const signIn = defined({ issuer, client, secretFile, peopleFile });
  const nats = { url: natsUrl, isPrivate: journal === "private", ...defined({ nkey, replicas }) };
  return {
    ...{ port, names: name, logLevel: log },
    ...defined({
      host,
      follow,
      peers,
      join,
      stateFiles,
      transcripts,
      fileLines,
      quota,
      cedar,
      otlp,
      otlpHeaders,
    }),
    ...defined({ partition, notifyCommand, checkpointFile, checkpointCommand }),
    ...(pastApprovals !== undefined && { approvalsKeptMs: pastApprovals * DAY_MS }),
    ...(Object.keys(signIn).length > 0 && { signIn }),
    ...(journal !== "embedded" && { nats }),
  };
}

// Hand-over
// Passes the settings to the engine's process as flags, and turns these flags into the engine's options there.
//
//   Owns:          the engine's name for each setting, which options count for one start only.
//   Does not own:  what settings there are (table), choosing the journal (journal/).
//
// HAND-OVER-1. The engine's process takes its settings only from its flags and one variable: the NATS server's address, which
//     may hold a secret.
// HAND-OVER-2. An option that counts for one start only, such as a new policy, is not passed on when the engine is started again
//     after a failure.

import { defined } from "../../../machines/defined.ts";
import { DEFAULT_PORT } from "../connection.ts";
import type { JournalBinding, Serving } from "../wiring.ts";
import { flagOf, settingNames, type SettingName, type Settings, variableOf, wordsOf } from "./table.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Settings that become no flags: the supervisor has chosen the journal, and passes a server's address in the environment. */
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

export function environmentFor(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const address = variableOf("natsUrl");
  return Object.fromEntries(Object.entries(env).filter(([name]) => name === address));
}

export function engineOptions(settings: Settings, journal: JournalBinding["kind"]): Omit<Serving, "dataDir"> {
  const { port = DEFAULT_PORT, name = [], log = "warn", pastApprovals, ...others } = settings;
  const { nats: _, natsUrl = "", natsNkey: nkey, natsReplicas: replicas, ...more } = others;
  const { oidcIssuer: issuer, oidcClient: client, oidcSecretFile: secretFile, peopleFile, ...rest } = more;
  const { notifyCmd: notifyCommand, checkpointCmd: checkpointCommand, ...same } = rest;
  const signIn = defined({ issuer, client, secretFile, peopleFile });
  const nats = { url: natsUrl, isPrivate: journal === "private", ...defined({ nkey, replicas }) };
  return {
    ...{ port, names: name, logLevel: log },
    ...{ ...same, ...defined({ notifyCommand, checkpointCommand }) },
    ...(pastApprovals !== undefined && { approvalsKeptMs: pastApprovals * DAY_MS }),
    ...(Object.keys(signIn).length > 0 && { signIn }),
    ...(journal !== "embedded" && { nats }),
  };
}

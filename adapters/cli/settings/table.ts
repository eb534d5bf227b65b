// Table
// The table of settings: for each its names, its default, its meaning, and how its value is parsed.
//
//   Owns:          the settings; the schema for a file of settings.
//   Does not own:  which origin counts (origins), parsing YAML (file), which option of the engine a setting becomes (hand-over).
//   Decided in:    docs/decisions/0086-one-table-of-settings.md.
//
// SETTINGS-TABLE-1. A setting's flag, its variable, its key in the file and its line in the help all come from one entry of the
//     table.
// SETTINGS-TABLE-2. A file of settings contains no secret: where a setting is secret, the file names another file that contains
//     the secret.

import { z } from "zod";
import { partitionIn } from "../../../runtime/cluster/partition.ts";
import { AUDIENCES } from "../../../runtime/engine-settings.ts";
import { DEFAULT_PORT } from "../connection.ts";
import { QUOTA } from "./quota-text.ts";

export interface Setting {
  /** Parses a value from the file of settings; encodes a value for that file. */
  readonly schema: z.ZodType;
  /** The argument of the setting's flag; undefined for a secret, which no command line may contain. */
  readonly argument?: string;
  readonly about: string;
  /** What help and `config` print as the value if nobody sets one. */
  readonly unset: string;
  /** The end of the message "The value must be …". */
  readonly must: string;
  readonly choices?: readonly string[];
  /** Whether the value is a path: in a file of settings, a relative path begins at that file's folder. */
  readonly isPath?: boolean;
  /** The word that a user writes for no value at all: `off` or `none`. */
  readonly none?: string;
  readonly isSecret?: boolean;
}

const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const PAST_DAYS_MAX = 3_650;

/** A text without zero characters, because the operating system ends an argument or path at the first zero character. */
const text = z.string().regex(/^[^\0]+$/);
const texts = z.union([
  z.array(text),
  z.codec(text, z.array(text), {
    decode: (words) => words.split(",").map((each) => each.trim()),
    encode: (words) => words.join(","),
  }),
]);

const FILE = {
  ...{ schema: text, argument: "<file>", unset: "none" },
  ...{ must: "the path of a file", isPath: true },
} as const;
const COMMAND = { schema: text, argument: "<command>", unset: "none", must: "a command of a shell" } as const;

const SETTINGS = {
  port: {
    schema: z.int().min(0).max(65_535),
    argument: "<n>",
    about: "the port on 127.0.0.1; 0 takes any free one",
    unset: String(DEFAULT_PORT),
    must: "a whole number from 0 to 65535",
  },
  host: {
    schema: text,
    argument: "<address>",
    about: "the address to listen on; other machines can reach it only after `token add`",
    unset: "127.0.0.1",
    must: "an address of this machine",
  },
  name: {
    schema: texts,
    argument: "<host...>",
    about:
      "the name by which others reach it: a host, or a proxy's origin such as https://box.example; any other Host is refused",
    unset: "none",
    must: "one name, or a list of them",
  },
  oidcIssuer: {
    schema: z.url({ protocol: /^https?$/ }),
    argument: "<url>",
    about:
      "the identity provider that signs people in where the engine is reached by https (docs/how-to/sign-in.md)",
    unset: "none",
    must: "the address that the provider calls its issuer, such as https://id.example",
  },
  oidcClient: {
    schema: text,
    argument: "<id>",
    about: "the id by which that provider knows this engine",
    unset: "none",
    must: "the id that the provider gave",
  },
  oidcSecretFile: {
    ...FILE,
    about: "the file with the secret that the provider gave",
    unset: "oidc-secret in the data folder",
  },
  peopleFile: {
    ...FILE,
    about: "the list of people whom that provider may sign in; it counts within a second",
    unset: "people.yaml in the data folder",
  },
  nats: {
    schema: text,
    argument: "<url>",
    about:
      "the journal: auto takes SIGNALBOX_NATS_URL, else a private nats-server, else the built-in journal; off takes the built-in one",
    unset: "auto",
    must: "auto, off, or an address such as nats://host:4222",
  },
  natsUrl: {
    schema: text,
    about: "the address of the NATS server that `auto` takes; it may hold a user, a password or a token",
    unset: "none",
    must: "an address such as nats://host:4222",
    isSecret: true,
  },
  natsNkey: { ...FILE, about: "the file with the seed of the key that the NATS server wants" },
  natsReplicas: {
    schema: z.int().min(1).max(5),
    argument: "<count>",
    about: "on how many servers of a NATS cluster each message is stored; 3 survives the loss of one",
    unset: "as it is; 1 for a new journal",
    must: "a number from 1 to 5",
  },
  follow: {
    ...FILE,
    about:
      "stand by for the engine that owns the journal: a file with that engine's key (docs/how-to/scale.md)",
    unset: "stands by for none",
  },
  peers: {
    ...FILE,
    about: "other engines whose sessions this one shows and answers, too (docs/how-to/inbox.md)",
  },
  partition: {
    schema: text.refine((written) => partitionIn(written) !== undefined),
    argument: "<n/of>",
    about:
      "the share of the workspaces that this engine takes, where several share them: 3/16 is number 3 of 0 to 15 (ops/nats)",
    unset: "the journal's own, otherwise all",
    must: "a number and how many there are, such as 3/16; the first is 0/16",
  },
  join: {
    ...FILE,
    about: "a file with the address of a team's NATS server, through which its engines reach one another",
  },
  quota: {
    schema: QUOTA,
    argument: "<limits>",
    about: "how much one workspace may send a second, and have kept; or off",
    unset: "messages=2000,bytes=8mb,kept=64gb",
    must: "limits such as messages=500,bytes=8mb,kept=1gb, or off",
  },
  pastApprovals: {
    schema: z.int().min(0).max(PAST_DAYS_MAX),
    argument: "<days>",
    about: "how long approvals are kept to try rules on; 0 keeps none",
    unset: "90",
    must: `a whole number from 0 to ${PAST_DAYS_MAX}`,
  },
  cedar: {
    ...FILE,
    about: "a policy in Cedar's language, which answers beside the rules; none ends it",
    unset: "the policy of the previous start",
    must: "the path of a file, or none",
    none: "none",
  },
  notifyCmd: {
    ...COMMAND,
    about:
      "a command to run for each new approval and alarm, with their ids in SIGNALBOX_APPROVAL_ID, … (docs/how-to/away.md)",
  },
  checkpointFile: {
    ...FILE,
    about: "a file to which each checkpoint of the audit log is appended, best on another disk",
  },
  checkpointCmd: {
    ...COMMAND,
    about: "a command to run for each checkpoint of the audit log, with it in SIGNALBOX_CHECKPOINT",
  },
  stateFiles: {
    schema: text,
    argument: "<dir>",
    about: "a folder in which each request is also kept as a file, for scripts",
    unset: "none",
    must: "the path of a folder",
    isPath: true,
  },
  transcripts: {
    schema: texts,
    argument: "<dir...>",
    about: "the folders in which the transcripts that hooks name may be read; off reads none",
    unset: "the client's own",
    must: "the path of a folder, a list of them, or off",
    isPath: true,
    none: "off",
  },
  fileLines: {
    schema: z.enum(AUDIENCES),
    argument: "<whom>",
    about:
      "who sees the lines of a project's file around an edit that waits: own (this user, on this machine), all who may answer it, or off",
    unset: "own",
    must: `one of ${AUDIENCES.join(", ")}`,
    choices: AUDIENCES,
  },
  otlp: {
    schema: text,
    argument: "<url>",
    about: "send traces and metrics to this collector of OpenTelemetry, over HTTP; https beyond this machine",
    unset: "none",
    must: "an address such as http://127.0.0.1:4318",
  },
  otlpHeaders: { ...FILE, about: "a file with the headers that the collector wants, one a line" },
  log: {
    schema: z.enum(LEVELS),
    argument: "<level>",
    about: "how much the engine tells in its log",
    unset: "warn",
    must: `one of ${LEVELS.join(", ")}`,
    choices: LEVELS,
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;

/** The settings to which a flag, a variable or a file gives a value. A setting without a value is left out. */
export type Settings = { readonly [name in SettingName]?: z.output<(typeof SETTINGS)[name]["schema"]> };

export const settingNames = Object.keys(SETTINGS) as readonly SettingName[];
export const settingOf = (name: SettingName): Setting => SETTINGS[name];

const apart = (name: string, by: string): string => name.replaceAll(/[A-Z]/g, (letter) => `${by}${letter}`);

/** Makes a flag such as `--past-approvals`. */
export const flagOf = (name: SettingName): string => `--${apart(name, "-").toLowerCase()}`;

/** Makes a variable such as `SIGNALBOX_PAST_APPROVALS`. */
export const variableOf = (name: SettingName): string => `SIGNALBOX_${apart(name, "_").toUpperCase()}`;

/** The key in a file of settings; for a secret, it ends in `File` (SETTINGS-TABLE-2). */
export const keyOf = (name: SettingName): string => (settingOf(name).isSecret ? `${name}File` : name);

export function wordsOf<N extends SettingName>(name: N, value: NonNullable<Settings[N]>): readonly string[] {
  const { schema, none } = settingOf(name);
  const written = z.encode(schema, value);
  if (!Array.isArray(written)) return [String(written)];
  return written.length === 0 && none !== undefined ? [none] : written.map(String);
}

export function settingsSchema(): object {
  const shape = settingNames.map((name) => {
    const { schema, about, unset, isSecret } = settingOf(name);
    const own = isSecret
      ? text.describe(`A file that holds ${about}.`)
      : schema.describe(`${about} (${unset})`);
    return [keyOf(name), own.optional()] as const;
  });
  return z.toJSONSchema(z.strictObject(Object.fromEntries(shape)), { io: "input" });
}

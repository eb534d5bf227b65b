// Samples
// What somebody may write for each setting, at each origin, and what `config` shows of it: the model of the settings.
//
//   Owns:          values, made by hand beside the table; a start that has them as flags, variables and a file.
//   Does not own:  which origin counts (the test's own model).

import { join, resolve } from "node:path";
import { Command } from "commander";
import fc from "fast-check";
import type { Surroundings } from "../../../adapters/cli/settings/file.ts";
import { withSettings } from "../../../adapters/cli/settings/origins.ts";
import type { Flags } from "../../../adapters/cli/settings/origins.ts";
import {
  flagOf,
  keyOf,
  settingNames,
  type SettingName,
  settingOf,
  variableOf,
} from "../../../adapters/cli/settings/table.ts";
import { shownAddress } from "../../../adapters/nats/address.ts";

/** The folder of the file; nothing is on a disk. */
export const DIR = resolve("/data");
export const FILE = join(DIR, "signalbox.config.yaml");
export const SECRET = "s3cr3t-t0ken";

/** A value as somebody writes it, and as it is shown. @param base where its paths begin. */
export interface Sample {
  readonly written: string | number | readonly string[];
  readonly shown: (base: string) => string;
}

const plain = (written: string | number): Sample => ({ written, shown: () => String(written) });
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const path = word.map((name): Sample => ({ written: `./${name}`, shown: (base) => resolve(base, name) }));
const url = fc
  .tuple(word, fc.integer({ min: 1, max: 65_535 }))
  .map(([host, port]) => `nats://${host}:${port}`);

/** What each can be: written here by hand, so that the table is compared with something else. */
export const SAMPLES: Readonly<Record<SettingName, fc.Arbitrary<Sample>>> = {
  port: fc.integer({ min: 0, max: 65_535 }).map(plain),
  host: word.map(plain),
  name: fc
    .array(word, { minLength: 1, maxLength: 3 })
    .map((written) => ({ written, shown: () => written.join(", ") })),
  oidcIssuer: word.map((host) => plain(`https://${host}.example`)),
  oidcClient: word.map(plain),
  oidcSecretFile: path,
  peopleFile: path,
  nats: fc.oneof(fc.constantFrom("auto", "off"), url).map(plain),
  natsUrl: url.map((address) => ({
    written: address.replace("nats://", `nats://${SECRET}@`),
    shown: () => "set",
  })),
  natsNkey: path,
  natsReplicas: fc.integer({ min: 1, max: 5 }).map(plain),
  follow: path,
  peers: path,
  partition: fc
    .integer({ min: 1, max: 99 })
    .chain((of) => fc.integer({ min: 0, max: of - 1 }).map((n) => plain(`${n}/${of}`))),
  join: path,
  quota: fc.oneof(
    fc.integer({ min: 1, max: 9_999 }).map((n) => plain(`messages=${n}`)),
    fc.constant<Sample>({ written: "off", shown: () => "messages=off,bytes=off,kept=off" }),
  ),
  pastApprovals: fc.integer({ min: 0, max: 3_650 }).map(plain),
  cedar: fc.oneof(path, fc.constant(plain("none"))),
  notifyCmd: fc.stringMatching(/^[a-z][ -~]{0,20}$/).map(plain),
  checkpointFile: path,
  checkpointCmd: fc.stringMatching(/^[a-z][ -~]{0,20}$/).map(plain),
  stateFiles: path,
  transcripts: fc.oneof(
    fc.array(word, { minLength: 1, maxLength: 3 }).map((names): Sample => ({
      written: names.map((name) => `./${name}`),
      shown: (base) => names.map((name) => resolve(base, name)).join(", "),
    })),
    fc.constant(plain("off")),
  ),
  fileLines: fc.constantFrom("off", "own", "all").map(plain),
  otlp: word.map((host) => plain(`https://${host}:4318`)),
  otlpHeaders: path,
  log: fc.constantFrom("trace", "debug", "info", "warn", "error", "fatal", "silent").map(plain),
};

/** Which samples stand at which origin. */
type Origins = { readonly [origin in "flag" | "environment" | "file"]?: Sample | undefined };
export type Everywhere = Readonly<Record<SettingName, Origins>>;

const originsOf = (name: SettingName): fc.Arbitrary<Origins> => {
  const some = fc.option(SAMPLES[name], { nil: undefined });
  const flag = settingOf(name).argument === undefined ? fc.constant(undefined) : some;
  return fc.record({ flag, environment: some, file: some });
};
export const everywhere = fc.record(
  Object.fromEntries(settingNames.map((name) => [name, originsOf(name)])),
) as fc.Arbitrary<Everywhere>;

/** As a variable has it. */
export const listed = (written: Sample["written"]): string =>
  typeof written === "object" ? written.join(",") : String(written);

/** A start with all of that, as a shell, the environment and a file have it. */
export function startOf(all: Everywhere): {
  readonly flags: Flags;
  readonly surroundings: Surroundings;
  lines: readonly SettingName[];
} {
  const command = withSettings(new Command());
  const args = settingNames.flatMap((name) => {
    const written = all[name].flag?.written;
    if (written === undefined) return [];
    return (typeof written === "object" ? written : [written]).map((each) => `${flagOf(name)}=${each}`);
  });
  const env = Object.fromEntries(
    settingNames.flatMap((name) => {
      const written = all[name].environment?.written;
      return written === undefined ? [] : [[variableOf(name), listed(written)]];
    }),
  );
  const files = new Map<string, string>();
  const lines = settingNames.filter((name) => all[name].file !== undefined);
  const text = lines.map((name) => {
    const written = all[name].file?.written;
    if (settingOf(name).isSecret !== true) return `${keyOf(name)}: ${JSON.stringify(written)}`;
    files.set(join(DIR, `${name}.txt`), `${String(written)}\n`);
    return `${keyOf(name)}: ${name}.txt`;
  });
  if (lines.length > 0) files.set(FILE, text.join("\n"));
  const wiring = { shownAddress, readOwn: (file: string) => Promise.resolve(files.get(file)) };
  command.parse(args, { from: "user" });
  return { flags: command.opts(), surroundings: { env, wiring }, lines };
}

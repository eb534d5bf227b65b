// Provider side
// The identity provider of an engine: its secret, the list of users who may sign in, and noticing changes of the list.
//
//   Owns:          where the secret and the list are, reading their files, the trouble while the list is wrong.
//   Does not own:  the protocol and the list's form (oidc), the browsers (http).
//   Decided in:    docs/decisions/0090-sign-in-by-an-identity-provider.md.
//
// PROVIDER-SIDE-1. The files with the secret and with the list of users must belong to this user. If other users can read such a
//     file, the engine takes that right away before it reads the file.
// PROVIDER-SIDE-2. A changed list takes effect within a second: users who are no longer on it are signed out. A malformed list
//     changes nothing in a running engine; at a start it admits nobody. A missing list counts as empty.

import { basename } from "node:path";
import type { SignInSettings } from "../../../runtime/engine-settings.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { Trouble } from "../../../runtime/errors/trouble.ts";
import type { SignIn } from "../../http/index.ts";
import type { Clock } from "../../../runtime/ports.ts";
import { type DataFolder, readOwn, readSecret } from "../../data-folder/index.ts";
import { nobodyYet, openProvider, type HolderList, readHolderList } from "../../oidc/index.ts";
import { watch } from "./token-watch.ts";

interface Surroundings {
  readonly folder: Pick<DataFolder, "oidcSecret" | "people"> | undefined;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** Called with a line for the log when the list of users has an error. */
  readonly onList: (what: string) => void;
}

export interface ProviderSide {
  readonly signIn: SignIn;
  readonly troubles: () => readonly Trouble[];
  /** Watches the list of users. @param changed called when the list has changed. @returns a function that ends this. */
  readonly watch: (changed: () => void) => () => Promise<void>;
}

/** @throws RefusedError NO_CLIENT, NO_CLIENT_SECRET, NO_PEOPLE_FILE, BAD_ISSUER, and as `readOwn` does for the secret. */
export async function providerSideOf(
  { issuer, client, secretFile, peopleFile }: SignInSettings,
  { folder, clock, onError, onList }: Surroundings,
): Promise<ProviderSide> {
  if (issuer === undefined || client === undefined) throw notWhole();
  const [secretAt, listAt] = [secretFile ?? folder?.oidcSecret, peopleFile ?? folder?.people];
  if (listAt === undefined) throw noList();
  const secret = secretAt === undefined ? undefined : await readSecret(secretAt);
  if (secret === undefined) throw noSecret(secretAt);
  let [people, text]: [HolderList, string | undefined] = [nobodyYet, undefined];
  let since: number | undefined;
  /** @returns whether the list has changed. */
  const take = (found: string): boolean => {
    if (found === text) return false;
    text = found;
    try {
      people = found === "" ? nobodyYet : readHolderList(found, basename(listAt));
      since = undefined;
      return true;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      since ??= clock.now();
      onList(error.message);
      return false;
    }
  };
  const read = async (): Promise<string> => (await readOwn(listAt, true)) ?? "";
  await read().then(take, onError);
  const provider = openProvider({ issuer, client, secret, clock, groups: () => people.groups });
  return {
    signIn: {
      host: provider.host,
      begin: (redirect) => provider.begin(redirect),
      finish: (answer, attempt) => provider.finish(answer, attempt),
      personOf: (identity) => people.personOf(identity),
      get ask() {
        return people.ask;
      },
    },
    troubles: () => (since === undefined ? [] : [listTrouble(since)]),
    watch: (changed) =>
      watch({ read, clock, onError }, (found) => {
        if (take(found)) changed();
      }),
  };
}

const listTrouble = (since: number): Trouble => ({
  code: "PEOPLE_UNREADABLE",
  message:
    "The list of people who may sign in has a fault, so the engine still uses the list as it was before.",
  next: "The engine's log names the line. docs/how-to/sign-in.md has the form of the list.",
  since,
  isEssential: false,
});

const notWhole = (): RefusedError =>
  new RefusedError(
    "NO_CLIENT",
    "Signing in by a provider needs the provider's address and the id that the provider gave this engine.",
    "Give both options: --oidc-issuer URL --oidc-client ID.",
  );

const noList = (): RefusedError =>
  new RefusedError(
    "NO_PEOPLE_FILE",
    "There is no list of the people who may sign in by the provider: no setting names one, and there is no data folder.",
    "Name the list with --people-file, or use a data folder that has the list people.yaml.",
  );

const noSecret = (path: string | undefined): RefusedError =>
  new RefusedError(
    "NO_CLIENT_SECRET",
    path === undefined
      ? "No option names the file with the client's secret."
      : `There is no client's secret in ${path}.`,
    "Put only the secret that the provider gave you into a file, and name the file with --oidc-secret-file.",
  );

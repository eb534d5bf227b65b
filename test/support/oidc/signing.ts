// Signing
// An engine that is reached by https, with a real identity provider beside it.
//
//   Owns:          putting them together; the list of people, which a test may change.
//   Does not own:  what is asked and expected.

import { openProvider, type HolderList, readHolderList } from "../../../adapters/oidc/index.ts";
import type { SignIn } from "../../../adapters/http/access/provider-routes.ts";
import { ManualClock } from "../engine/manual-clock.ts";
import { serve, type Served, type ServeOptions } from "../http/served.ts";
import { tlsProxy, type TlsProxy } from "../http/tls-proxy.ts";
import { type Account, CLIENT, type Issuer, SECRET, startIssuer } from "./issuer.ts";
import { Outside } from "./outside.ts";

export interface Signing {
  readonly served: Served;
  readonly issuer: Issuer;
  readonly proxy: TlsProxy;
  /** As a browser's address bar shows the engine. */
  readonly origin: string;
  /** Words for the log. */
  readonly logged: string[];
  /** Another list from now on. */
  list(text: string): void;
  browser(): Outside;
  stop(): Promise<void>;
}

/** When the engine's clock stands still. */
export const T0 = 1_800_000_000_000;

interface Options extends Pick<ServeOptions, "place"> {
  readonly accounts: Readonly<Record<string, Account>>;
  readonly people: string;
  readonly host?: string;
  readonly patienceMs?: number;
  /** An engine that knows nothing of the provider. */
  readonly isWithout?: boolean;
}

export async function startSigning({
  accounts,
  people,
  place,
  host = "box.example",
  patienceMs = 5_000,
  isWithout = false,
}: Options): Promise<Signing> {
  const proxy = await tlsProxy(host);
  const origin = `https://${host}:${proxy.port}`;
  const issuer = await startIssuer([`${origin}/sign-in/back`], accounts);
  let listed: HolderList = readHolderList(people, "people.yaml");
  const logged: string[] = [];
  const clock = new ManualClock(T0);
  const options = { issuer: issuer.url, client: CLIENT, secret: SECRET, patienceMs, clock };
  const provider = openProvider({ ...options, groups: () => listed.groups });
  const served = await serve({
    clock,
    place: {
      names: [origin],
      ...(isWithout ? {} : { signIn: signInBy(provider, () => listed) }),
      onSignInFailed: (detail) => void logged.push(detail),
      ...place,
    },
  });
  proxy.to(served.http.port);
  return {
    ...{ served, issuer, proxy, origin, logged },
    list(text) {
      listed = readHolderList(text, "people.yaml");
      served.http.review();
    },
    browser: () => new Outside(proxy, origin),
    async stop() {
      await served.stop();
      await proxy.stop();
      await issuer.stop();
    },
  };
}

const signInBy = (provider: ReturnType<typeof openProvider>, listed: () => HolderList): SignIn => ({
  host: provider.host,
  begin: (redirect) => provider.begin(redirect),
  finish: (answer, attempt) => provider.finish(answer, attempt),
  personOf: (identity) => listed().personOf(identity),
  get ask() {
    return listed().ask;
  },
});

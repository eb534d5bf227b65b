// Keys
// The nkeys of the nats package, with the types that it leaves out.

import { nkeys } from "nats";

interface KeyPair {
  getPublicKey(): string;
  getSeed(): Uint8Array;
}

export const keys = nkeys as {
  readonly createUser: () => KeyPair;
  readonly createAccount: () => KeyPair;
  readonly fromSeed: (seed: Uint8Array) => KeyPair;
};

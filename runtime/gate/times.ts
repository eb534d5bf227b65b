// Times
// How long each step around the gate may take, for the engine and for its askers, and why.
//
//   Owns:          the time limits of the gate and its askers, in ms.
//   Does not own:  waiting (wait-for), what happens when a time limit is over (gate, leases, adapters).
//
// TIMES-1. An asker that still runs asks again before its lease ends.
// TIMES-2. If an engine and an asker wait for the same thing, the engine stops waiting first, so that the asker still gets a
//     reply.

/** How long an asker still counts as waiting after what it did last, ms. */
export interface Terms {
  readonly asked: number;
  readonly waited: number;
  readonly hungUp: number;
}

export const LEASE_MS = {
  /** How long an asker of a client, such as a hook, counts as waiting. */
  client: {
    asked: 3_000, // How long an acknowledged asker may take until it begins to wait.
    waited: 10_000, // How long an asker that got "not yet" may take to ask again: its process may be halted for a while.
    hungUp: 750, // How long an asker whose connection broke may take to ask again: a living asker is faster.
  },
  /**
   * How long services count as waiting. A service asks again and again, with pauses, and only its requests show that it still
   * waits.
   */
  service: { asked: 15_000, waited: 15_000, hungUp: 15_000 },
  restart: 15_000, // How long the engine, after its start, waits for the askers of pending approvals to ask again.
  read: 50, // How long the engine, after a standstill, may take to read what arrived meanwhile.
} as const;

/** How long the engine waits, ms. */
export const GATE_MS = {
  most: 86_400_000, // A day: how long an approval waits at most, and how old an answer may be when it is reported.
  service: 600_000, // How long a service waits for an answer if its request names no time.
  answer: 25_000, // How long one HTTP request waits for an answer at most: proxies and clients allow more.
  hook: 1_500, // How long the engine may take to answer a hook: with the settings of the README, the client waits 2 s.
  earlier: 500, // How long a request for approval waits until hook messages that were sent before it are taken in.
  told: 250, // How long the gate waits for the hooks' reports about a call, to learn the call's session.
  left: 2_000, // How long the gate, at the engine's start, waits until the messages that hooks left in files are taken in.
  look: 250, // How often the engine looks which client processes run.
  slack: 2_000, // How much later than its hook a process may seem to start: the system gives its start in whole seconds.
} as const;

/** How long an asker waits for the engine, ms. */
export const ASKER_MS = {
  spare: 5_000, // The gate answers this long before the client's time-out for the gate.
  acknowledged: 2_000, // If no engine acknowledges the approval within this time, the hook answers by itself.
  poll: 20_000, // How long the engine keeps one request for an answer waiting before it says "not yet".
  silent: 10_000, // How much longer than `poll` the asker waits before it takes the engine to be standing still.
  earlier: 1_000, // The engine stops waiting this long before the asker does, and so answers first.
  again: [50, 100, 200, 400], // Pauses before an asker asks again, all below LEASE_MS.client.hungUp.
  look: 500, // How often a hook looks whether its client still runs.
  leave: 500, // How long a hook may take to tell the engine that the hook ends; the closed connection tells the engine the same.
  passedOn: 50, // How long a hook that is about to end may take to report that it passed the answer on.
  taken: 2_000, // How long the report that an answer was passed on may take, if the process goes on running.
  tell: 5_000, // How long one try may take to report an answer that was given without the engine.
  tellAgain: [500, 1_000, 2_000, 5_000, 15_000, 30_000], // Pauses between tries to report an answer that the gate gave by itself.
  tellFor: 3_600_000, // How long the gate tries to report its own answer; after that, the approval ends by its deadline.
} as const;

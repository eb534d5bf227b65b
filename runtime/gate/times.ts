// Times
// How long each step around the gate may take, for the engine and for its askers, and why.
//
//   Owns:          the times, in ms.
//   Does not own:  waiting (wait-for), what happens when one of these times is over.
//
// TIMES-1. A living asker asks again before its lease ends.
// TIMES-2. Of an engine and an asker that wait for the same thing, the engine stops first, so the asker still gets an answer.

/** How long an asker counts as waiting, by what it did last, ms. */
export interface Terms {
  readonly asked: number;
  readonly waited: number;
  readonly hungUp: number;
}

export const LEASE_MS = {
  /** Hooks and the client's other doors. */
  client: {
    asked: 3_000, // How long an acknowledged asker may take until it begins to wait.
    waited: 10_000, // How long an asker that got "not yet" may take to ask again: its process may be halted for a while.
    hungUp: 750, // How long an asker whose connection broke may take to ask again: one that still lives is faster.
  },
  /** Services ask again and again, with pauses. Only their asks show that they are there. */
  service: { asked: 15_000, waited: 15_000, hungUp: 15_000 },
  restart: 15_000, // How long after its start the engine waits for askers: they come back as soon as it runs.
  read: 50, // How long after a standstill the engine reads what arrived meanwhile.
} as const;

/** How long the engine waits, ms. */
export const GATE_MS = {
  most: 86_400_000, // A day: the longest that an approval waits, and the oldest answer that may still be reported.
  service: 600_000, // How long a service waits for an answer if it does not say.
  answer: 25_000, // One request for an answer waits at most this long: proxies and clients allow more.
  hook: 1_500, // How long a hook's answer may take: with the settings of the README, the client waits 2 s.
  earlier: 500, // How long an approval waits for earlier hook messages.
  told: 250, // How long the journal takes to put on disk what hooks said of a call.
  left: 2_000, // How long after its start the engine reads what hooks left behind, before anybody decides.
  look: 250, // How often the engine looks which client processes run.
  slack: 2_000, // How far two clocks may differ: the system tells when a process started in whole seconds.
} as const;

/** How long hooks and other doors wait for the engine, ms. */
export const ASKER_MS = {
  spare: 5_000, // The gate answers this long before the time-out that the client has for it.
  acknowledged: 2_000, // If no engine acknowledges the approval within this time, the hook answers by itself.
  poll: 20_000, // How long the engine keeps one request for an answer waiting before it says "not yet".
  silent: 10_000, // How much longer than `poll` the asker waits before it takes the engine to be standing still.
  earlier: 1_000, // The engine stops waiting this long before the asker does, and so answers first.
  again: [50, 100, 200, 400], // Pauses before an asker asks again, all below LEASE_MS.client.hungUp.
  look: 500, // How often a hook looks whether its client still runs.
  leave: 500, // How long a hook may take to tell the engine that it leaves; its closed connection shows the same.
  passedOn: 50, // How long a hook that is about to end may take to report that it passed the answer on.
  taken: 2_000, // How long the report that an answer was passed on may take, if the process goes on running.
  tell: 5_000, // How long one try may take to report an answer that was given without the engine.
  tellAgain: [500, 1_000, 2_000, 5_000, 15_000, 30_000], // Pauses between the tries to report such an answer.
  tellFor: 3_600_000, // After this long the gate stops trying to report its own answer; the approval ends by its deadline.
} as const;

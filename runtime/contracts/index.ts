// Contracts
// `signalbox/contracts`: the requirements of each store, journal and outlet, as cases for any test runner.
//
//   Owns:          the public names of `signalbox/contracts`.
//   Does not own:  the cases (*.contract.ts), the ports (ports.ts).

export type { ContractCase } from "./contract-case.ts";
export { journalContract } from "./journal.contract.ts";
export type { JournalContract, JournalDisk, SteppedClock } from "./open-journal.ts";
export { type OutletContract, outletContract } from "./outlet.contract.ts";
export type { StoreContract, StoreDisk } from "./open-store.ts";
export { storeContract } from "./store.contract.ts";
export type {
  Appending,
  Cursor,
  Fill,
  Journal,
  JournalEntry,
  Missing,
  Notice,
  OutgoingChange,
  OutgoingLetter,
  Outlet,
  Range,
  Store,
  Write,
} from "../ports.ts";
export { FatalError, JournalRegressed, RefusedError, RetryableError } from "../errors/errors.ts";

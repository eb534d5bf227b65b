// Permission
// Whether a person is behind what a client says of who allowed or refused a call.
//
//   Owns:          reading a permission's source and reason; which of two words about one call is kept.
//   Does not own:  where the words come from (adapters), what follows from them (alarm, routing/permits).
//
// PERMISSION-1. A rule is no person: what the client's rules, modes or classifiers allowed was asked of nobody,
//     whosever settings they stand in.
// PERMISSION-2. A bare word never names its reason. It does not prove that a person was asked about this very call: the
//     rule that a person once made is called the same. `user_permanent` alone does not even prove that one allowed it.
// PERMISSION-3. A short message never replaces a full one that decides the same: the order of messages makes no
//     difference.

export interface Permission {
  readonly decision: "accept" | "reject";
  /** The source in the client's words: `hook`, `config`, `user_permanent`, `user_temporary`, `user_reject`, … */
  readonly source: string;
  /** Why, where the client says so: what kind of rule, or what made it ask. */
  readonly reason?: string;
  /** Its source never says why. */
  readonly bare?: true;
}

/** Reasons that are given instead of a person's. */
const NOBODYS: ReadonlySet<string> = new Set(["rule", "subcommandResults", "mode", "classifier", "hook"]);

/** A person, as far as the word goes. */
export const isPersons = ({ source, reason }: Pick<Permission, "source" | "reason">): boolean =>
  source.startsWith("user") && (reason === undefined || !NOBODYS.has(reason));

/** A person allowed this call, or is very likely to have done so. */
export const isPersonsYes = (permission: Permission): boolean =>
  permission.decision === "accept" &&
  isPersons(permission) &&
  !(permission.bare && permission.source === "user_permanent");

/** The client is known to have asked a person about this very call. */
export const hasAskedAPerson = (permission: Permission): boolean => isPersons(permission) && !permission.bare;

/** Chooses between what was known and what is told now. */
export const kept = <T extends Permission>(known: T | undefined, heard: T): T =>
  known && !known.bare && heard.bare && known.decision === heard.decision ? known : heard;

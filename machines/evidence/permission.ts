// Permission
// Decides whether a person is behind a client's report on who allowed or refused a call.
//
//   Owns:          reading the source and the reason in a report; which of two reports about one call is kept.
//   Does not own:  the wording of the reports (adapters), the effects of a report (alarm, routing/permits).
//
// PERMISSION-1. A rule is not a person. If the client's rules, modes or classifiers allowed a call, nobody was asked about it,
//     whoever made these settings.
// PERMISSION-2. A bare report is one whose source never gives a reason. It does not prove that a person was asked about this
//     very call: a rule that a person once made is reported by the same name. `user_permanent` does not even prove that a
//     person allowed the call.
// PERMISSION-3. A bare report never replaces a full one with the same decision, so their order makes no difference.

export interface Permission {
  readonly decision: "accept" | "reject";
  /** The source in the client's words: `hook`, `config`, `user_permanent`, `user_temporary`, `user_reject`, … */
  readonly source: string;
  /** The reason, if the client gives one: the kind of rule, or why the client asked. */
  readonly reason?: string;
  /** True if its source never gives a reason, so a rule may be behind a reported user. */
  readonly bare?: true;
}

const NOBODYS: ReadonlySet<string> = new Set(["rule", "subcommandResults", "mode", "classifier", "hook"]);

/** True if the report names a person. */
export const isPersons = ({ source, reason }: Pick<Permission, "source" | "reason">): boolean =>
  source.startsWith("user") && (reason === undefined || !NOBODYS.has(reason));

/** True if a person allowed this call, at least very likely. */
export const isPersonsYes = (permission: Permission): boolean =>
  permission.decision === "accept" &&
  isPersons(permission) &&
  !(permission.bare && permission.source === "user_permanent");

/** True if the client certainly asked a person about this very call. */
export const hasAskedAPerson = (permission: Permission): boolean => isPersons(permission) && !permission.bare;

/** Chooses between an earlier report and a new one. */
export const kept = <T extends Permission>(known: T | undefined, heard: T): T =>
  known && !known.bare && heard.bare && known.decision === heard.decision ? known : heard;

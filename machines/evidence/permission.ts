// Permission
// Decides whether a person is behind a client's report on who allowed or refused a call.
//
//   Owns:          reading the source and the reason in a report; which of two reports about one call is kept.
//   Does not own:  the wording of the reports (adapters), the effects of a report (alarm, routing/approvals/permits).
//
// PERMISSION-1. A rule is not a person: if a report says that the client's rules, modes or classifiers allowed a call, nobody
//     was asked about the call.
// PERMISSION-2. A report is bare if its source never gives a reason. A bare report that names a user does not prove that a person
//     was asked about this very call: the client uses the same name for a rule that a person once made. A bare `user_permanent`
//     does not even prove that a person allowed the call.
// PERMISSION-3. A bare report (its source never gives a reason) never replaces a full report with the same decision. So it makes
//     no difference which of two reports comes first.

export interface Permission {
  readonly decision: "accept" | "reject";
  /** The source in the client's words: `hook`, `config`, `user_permanent`, `user_temporary`, `user_reject`, … */
  readonly source: string;
  /** The reason, if the client gives one: the kind of rule, or why the client asked. */
  readonly reason?: string;
  /** True if the source of the report never gives a reason, so that `user` may also mean a rule. */
  readonly bare?: true;
}

const NOBODYS: ReadonlySet<string> = new Set(["rule", "subcommandResults", "mode", "classifier", "hook"]);

export const isPersons = ({ source, reason }: Pick<Permission, "source" | "reason">): boolean =>
  source.startsWith("user") && (reason === undefined || !NOBODYS.has(reason));

export const isPersonsYes = (permission: Permission): boolean =>
  permission.decision === "accept" &&
  isPersons(permission) &&
  !(permission.bare && permission.source === "user_permanent");

export const hasAskedAPerson = (permission: Permission): boolean => isPersons(permission) && !permission.bare;

export const kept = <T extends Permission>(known: T | undefined, heard: T): T =>
  known && !known.bare && heard.bare && known.decision === heard.decision ? known : heard;

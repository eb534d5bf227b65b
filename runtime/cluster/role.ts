// Role
// The role of an engine among those that share its journal, and what moves it from one role to the next.
//
//   Owns:          the table of roles.
//   Does not own:  what a role may do (engine/mandate), noticing the news that change a role (spare), which terms count (term).
//
// CLUSTER-ROLE-1. Only a candidate becomes the owner, and only once it has read its own term as the newest.
// CLUSTER-ROLE-2. Only a spare that has caught up becomes a candidate.
// CLUSTER-ROLE-3. An owner that reads a newer term never speaks again: its process ends, and the next process begins anew.
// CLUSTER-ROLE-4. A spare whose history differs from the owner's never becomes a candidate again.

export type Role = "absent" | "catching-up" | "standby" | "candidate" | "owner" | "fenced";

/**
 * News for an engine. `opened`: it begins to read. `caught-up`: it has applied what the journal held. `heard`: an owner has
 * answered. `silence`: no owner has answered for too long. `won`: its term counts. `lost`: another engine's term came first.
 * `replaced`: it read a newer term. `unheard`: its term could not be appended. `differed`: its history is not the owner's.
 */
export type RoleNews =
  "opened" | "caught-up" | "heard" | "silence" | "won" | "lost" | "unheard" | "replaced" | "differed";

const TABLE: { readonly [role in Role]: { readonly [news in RoleNews]?: Role } } = {
  absent: { opened: "catching-up" },
  "catching-up": { "caught-up": "standby", differed: "fenced" },
  standby: { silence: "candidate", differed: "fenced" },
  candidate: { won: "owner", lost: "standby", unheard: "standby", differed: "fenced" },
  owner: { replaced: "fenced" },
  fenced: {},
};

/** @returns the role after the news; the same role if the news change nothing for it. */
export const after = (role: Role, news: RoleNews): Role => TABLE[role][news] ?? role;

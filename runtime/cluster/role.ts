// Role
// The role of an engine among the engines that share its journal, and what changes an engine's role.
//
//   Owns:          the table of roles: which event leads from which role to which.
//   Does not own:  what an engine in each role may do (engine/mandate), noticing the events that change a role (spare), which
//                  terms count (term).
//
// CLUSTER-ROLE-1. Only a candidate becomes the owner, and only once the candidate has read in the journal that its own term is
//     the newest.
// CLUSTER-ROLE-2. Only a spare that has caught up becomes a candidate.
// CLUSTER-ROLE-3. An owner that reads a newer term writes and publishes nothing more: its process ends, and the next process
//     begins with a new role.
// CLUSTER-ROLE-4. A spare whose history differs from the owner's never becomes a candidate again.

export type Role = "absent" | "catching-up" | "standby" | "candidate" | "owner" | "fenced";

/**
 * News for an engine. `opened`: the engine begins to read the journal. `caught-up`: it has applied what the journal held.
 * `heard`: an owner has answered. `silence`: no owner has answered for too long. `won`: its term counts. `lost`: another engine's
 * term came first. `replaced`: it read a newer term. `unheard`: its term could not be appended. `differed`: its history is not
 * the owner's.
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

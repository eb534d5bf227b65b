// Roles: every piece of news in every role.

import fc from "fast-check";
import { expect, test } from "vitest";
import { after, type Role, type RoleNews } from "../../../runtime/cluster/role.ts";

const news = fc.constantFrom<RoleNews>(
  ...(["opened", "caught-up", "heard", "silence", "won", "lost", "unheard", "replaced", "differed"] as const),
);

const rolesIn = (all: readonly RoleNews[]): readonly Role[] => {
  const roles: Role[] = ["absent"];
  for (const one of all) roles.push(after(roles.at(-1) ?? "absent", one));
  return roles;
};

test("CLUSTER-ROLE-2: whatever comes, a candidate has stood by before, and an owner was a candidate", () => {
  fc.assert(
    fc.property(fc.array(news, { maxLength: 30 }), (all) => {
      const roles = rolesIn(all);
      roles.forEach((role, at) => {
        const before = roles[at - 1];
        if (role === "candidate" && before !== role) expect(before).toBe("standby");
        if (role === "owner" && before !== role) expect([before, all[at - 1]]).toEqual(["candidate", "won"]);
      });
    }),
  );
});

test("CLUSTER-ROLE-3: an owner that was replaced stays silent, whatever comes", () => {
  fc.assert(
    fc.property(fc.array(news, { maxLength: 30 }), (all) => {
      const roles = rolesIn(["opened", "caught-up", "silence", "won", "replaced", ...all]);
      expect(new Set(roles.slice(5))).toEqual(new Set(["fenced"]));
    }),
  );
});

test("CLUSTER-ROLE-4: a spare whose history differs takes nothing over, whatever comes", () => {
  const spares = fc.constantFrom<readonly RoleNews[]>(["opened"], ["opened", "caught-up"]);
  fc.assert(
    fc.property(spares, fc.array(news, { maxLength: 30 }), (before, all) => {
      const roles = rolesIn([...before, "differed", ...all]);
      expect(new Set(roles.slice(before.length + 1))).toEqual(new Set(["fenced"]));
    }),
  );
});

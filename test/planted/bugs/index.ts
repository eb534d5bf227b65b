// Bugs
// Every bug there is to plant.

import type { Bug } from "../bug.ts";
import { ANSWERS } from "./answers.ts";
import { APPROVALS } from "./approvals.ts";
import { AUDIT } from "./audit.ts";
import { CHAOS } from "./chaos.ts";
import { CLUSTER } from "./cluster.ts";
import { DOORS } from "./doors.ts";
import { DURABILITY } from "./durability.ts";
import { EDGES } from "./edges.ts";
import { ENDS } from "./ends.ts";
import { ENVIRONMENT } from "./environment.ts";
import { INSTALL } from "./install.ts";
import { LINE } from "./line.ts";
import { READING } from "./reading.ts";
import { ORDERS } from "./orders.ts";
import { REDO } from "./redo.ts";
import { REUSE } from "./reuse.ts";
import { PANEL } from "./panel.ts";
import { ROWS } from "./rows.ts";
import { SERVERS_BELIEVED } from "./servers.ts";
import { RULES_THAT_ALLOW } from "./rules.ts";
import { TIME } from "./time.ts";
import { TRACES } from "./traces.ts";

export const BUGS: readonly Bug[] = [
  ...DURABILITY,
  ...REDO,
  ...INSTALL,
  ...LINE,
  ...REUSE,
  ...ENVIRONMENT,
  ...PANEL,
  ...ROWS,
  ...TIME,
  ...APPROVALS,
  ...ORDERS,
  ...ENDS,
  ...DOORS,
  ...SERVERS_BELIEVED,
  ...CLUSTER,
  ...CHAOS,
  ...RULES_THAT_ALLOW,
  ...EDGES,
  ...ANSWERS,
  ...READING,
  ...AUDIT,
  ...TRACES,
];

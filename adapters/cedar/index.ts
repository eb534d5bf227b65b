// Cedar: evaluates a policy in the Cedar language for a call (seed 001).

export { openCedar } from "./cedar.ts";

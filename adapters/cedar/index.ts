// Cedar: evaluates a policy in the Cedar language for a call.

export { openCedar } from "./cedar.ts";

// Cedar: has a policy in the language of Cedar say what it says of a call (seed 001).

export { openCedar } from "./cedar.ts";

// Gate program
// Where the program of the hook that waits is: beside this file, and beside the one file that the command line is
// bundled into.
//
//   Owns:          its path.
//   Does not own:  what it does (gate-main), who copies it (composition/hooks-side).

import { fileURLToPath } from "node:url";

export const GATE_PROGRAM = fileURLToPath(new URL("./gate-hook.cjs", import.meta.url));

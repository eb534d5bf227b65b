// Gate program
// The path of the program of the hook that waits. It is the same from this file and from the bundled command line.
//
//   Owns:          its path.
//   Does not own:  what the program does (gate-main), copying it (composition/hooks-side).

import { fileURLToPath } from "node:url";

export const GATE_PROGRAM = fileURLToPath(new URL("./gate-hook.cjs", import.meta.url));

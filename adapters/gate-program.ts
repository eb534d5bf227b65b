// Gate program
// The path of the program of the hook that waits. The path is the same from this file and from the bundled command line.
//
//   Owns:          the program's path.
//   Does not own:  what the program does (gate-main), copying the program (composition/hooks-side).

import { fileURLToPath } from "node:url";

export const GATE_PROGRAM = fileURLToPath(new URL("./gate-hook.cjs", import.meta.url));

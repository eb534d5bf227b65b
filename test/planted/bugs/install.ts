// Install
// Bugs in what install leaves behind, and in what it says.

import type { Bug } from "../bug.ts";

const EXACT = "test/adapters/install/exact.test.ts";
const BY_COMMAND = "test/adapters/cli/client/install.test.ts";
const BY_CLIENT = "test/adapters/cli/client/install.client.test.ts";

export const INSTALL: readonly Bug[] = [
  {
    name: "an empty file of settings comes back as an object",
    harm: "What was there before is not there after an uninstall.",
    edits: [
      {
        file: "adapters/install/json-text.ts",
        find: 'return isOurs ? splice(text, from - 1, to + 1, "")',
        put: 'return isOurs ? splice(text, from, to, "")',
      },
    ],
    witness: { file: EXACT, claim: "SETTINGS-2" },
    second: { file: BY_COMMAND, claim: "HOOKS-TEXT-1" },
  },
  {
    name: "an option that is left out is taken as it is",
    harm: "Who forgets one reads a word of Node's, or finds files in a folder named undefined.",
    edits: [
      {
        file: "runtime/errors/given-options.ts",
        find: "if (value === undefined && !isNeeded) return;",
        put: "if (value === undefined) return;",
      },
    ],
    witness: { file: "test/system/package/doors.test.ts", claim: "GIVEN-OPTIONS-1" },
    second: { file: "test/adapters/request-files/options.test.ts", claim: "GIVEN-OPTIONS-1" },
  },
  {
    name: "a mode is changed without a word",
    harm: "Whoever may have read a key is never thought of.",
    edits: [
      {
        file: "adapters/data-folder/own-file.ts",
        find: "        tellSecretClosed(path, mode);\n",
        put: "",
      },
    ],
    witness: { file: "test/adapters/data-folder/own.test.ts", claim: "CLOSED-1" },
    second: { file: BY_COMMAND, claim: "CLOSED-1" },
  },
  {
    name: "hooks for a version that was named are advised for another",
    harm: "Who does as it says puts in hooks that an older client takes for no settings at all: no gate asks.",
    edits: [
      {
        file: "adapters/install/settings.ts",
        find: "      ...defined({ namedClient }),\n",
        put: "",
      },
    ],
    witness: { file: "test/adapters/install/settings.test.ts", claim: "SETTINGS-3" },
    second: { file: BY_CLIENT, claim: "HOOKS-TEXT-2" },
  },
  {
    name: "a gate whose program is gone says nothing",
    harm: "A client before 2.1.295 goes on by its own rules: what should have waited runs.",
    edits: [
      {
        file: "adapters/install/settings.ts",
        find: "${terms} || exit 2 ${mark}",
        put: "${terms} ${mark}",
      },
    ],
    witness: { file: "test/adapters/install/settings.test.ts", claim: "SETTINGS-4" },
    second: { file: BY_COMMAND, claim: "CLIENT-INSTALL-1" },
  },
  {
    name: "a client that does not answer is said to be missing",
    harm: "A person looks for a program that is there, and not for what ails it.",
    edits: [
      {
        file: "adapters/system/found-client.ts",
        find: "  } catch {\n    return { silent: path };",
        put: '  } catch {\n    return "none";',
      },
      {
        file: "adapters/system/found-client.ts",
        find: "version === undefined ? { silent: path } : { version }",
        put: 'version === undefined ? "none" : { version }',
      },
    ],
    witness: { file: "test/adapters/system/found-client.test.ts", claim: "FOUND-CLIENT-2" },
    second: { file: BY_CLIENT, claim: "FOUND-CLIENT-2" },
  },
];

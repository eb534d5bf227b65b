// Line
// Bugs in who is believed to be the engine, and who to be its user.

import type { Bug } from "../bug.ts";

export const LINE: readonly Bug[] = [
  {
    name: "a relay is taken for the engine",
    harm: "A program on the engine's port passes the input on, and reads it.",
    edits: [
      {
        file: "adapters/line/over-tcp.ts",
        find: "if (endpoint === dialled || (!isHere && name === host)) return undefined;",
        put: "if (endpoint !== dialled || (!isHere && name === host)) return undefined;",
      },
    ],
    witness: { file: "test/adapters/line/over-tcp.test.ts", claim: "OVER-TCP-2" },
    second: { file: "test/adapters/line/over-tcp.test.ts", claim: "OVER-TCP-4" },
  },
  {
    name: "a person's token is sent over plain HTTP",
    harm: "Another account's program on the engine's port gets it, and answers approvals with it.",
    edits: [
      {
        file: "adapters/line/over-tcp.ts",
        find: "headers: { Host: host }, ...signalOf(request) },",
        put: 'headers: { Host: host, ...("token" in shared && { Authorization: `Bearer ${shared.token}` }) }, ...signalOf(request) },',
      },
    ],
    witness: { file: "test/adapters/line/with-token.test.ts", claim: "WITH-TOKEN-1" },
    second: { file: "test/adapters/gate/doors.test.ts", claim: "OVER-TCP-4" },
  },
  {
    name: "a nonce made for one person proves another",
    harm: "Whoever has any token acts as somebody else.",
    edits: [
      {
        file: "adapters/http/access/handshakes.ts",
        find: "if (!isProof(proof, requestProof(greeted.keys, asked))) throw notProven();",
        put: "if (!isProof(proof, requestProof(greeted.keys, asked)) && greeted.holder.name === '') throw notProven();",
      },
    ],
    witness: { file: "test/adapters/line/over-tcp.test.ts", claim: "HANDSHAKES-1" },
    second: { file: "test/adapters/http/access/handshakes.test.ts", claim: "HANDSHAKE-2" },
  },
  {
    name: "a greeting needs no proof",
    harm: "Whoever has the port is the engine, and lets calls run.",
    edits: [
      {
        file: "adapters/line/over-tcp.ts",
        find: "if (!isNonce(greeting.nonce) || !isProof(String(proof), greetingProof(keys, callerNonce, greeting)))",
        put: "if (!isNonce(greeting.nonce))",
      },
    ],
    witness: { file: "test/adapters/line/over-tcp.test.ts", claim: "OVER-TCP-1" },
    second: { file: "test/adapters/gate/doors.test.ts", claim: "OVER-TCP-4" },
  },
  {
    name: "an answer counts without its proof",
    harm: "An answer that was changed on the way lets a call run.",
    edits: [
      {
        file: "adapters/line/over-tcp.ts",
        find: 'if (!isShown(bodyHashOf(whole))) throw notProven("its answer has no proof");',
        put: "",
      },
    ],
    witness: { file: "test/adapters/line/over-tcp.test.ts", claim: "OVER-TCP-3" },
    second: { file: "test/adapters/gate/doors.test.ts", claim: "OVER-TCP-3" },
  },
  {
    name: "a nonce counts more than once",
    harm: "A recorded request is sent again, and counts.",
    edits: [
      {
        file: "adapters/http/access/handshakes.ts",
        find: "    this.#greeted.delete(socket);\n",
        put: "",
      },
    ],
    witness: { file: "test/adapters/http/access/handshakes.test.ts", claim: "HANDSHAKES-1" },
    second: { file: "test/adapters/http/access/handshakes.test.ts", claim: "HANDSHAKE-2" },
  },
  {
    name: "a socket counts in a folder that others can enter",
    harm: "Another account puts its own socket there, and answers for the engine.",
    edits: [
      {
        file: "adapters/data-folder/socket.ts",
        find: "    await checkPrivate(folder.dir);\n    const path = (await",
        put: "    const path = (await",
      },
      { file: "adapters/composition/engine-of.ts", find: "    await checkPrivate(folder.dir);\n", put: "" },
    ],
    witness: { file: "test/adapters/data-folder/socket.test.ts", claim: "SOCKET-1" },
    second: { file: "test/adapters/gate/doors.test.ts", claim: "ENGINE-OF-1" },
  },
  {
    name: "a cookie outlives its engine",
    harm: "A program that had the port signs in with it at the next start.",
    edits: [
      {
        file: "adapters/http/access/browsers.ts",
        find: "export class Browsers {",
        put: "const KEPT = new Map<string, Browser>();\n\nexport class Browsers {",
      },
      {
        file: "adapters/http/access/browsers.ts",
        find: "readonly #all = new Map<string, Browser>();",
        put: "readonly #all = KEPT;",
      },
      {
        file: "adapters/http/access/browsers.ts",
        find: "    for (const key of [...this.#all.keys()]) this.#end(key);\n",
        put: "",
      },
    ],
    witness: { file: "test/adapters/http/access/page.test.ts", claim: "SESSION-COOKIE-3" },
    second: { file: "test/adapters/http/access/browsers.test.ts", claim: "BROWSERS-4" },
  },
  {
    name: "the panel is opened where another program may have been",
    harm: "A worker that it left in the browser reads the link, and answers approvals.",
    edits: [
      {
        file: "adapters/http/access/sign-in-links.ts",
        find: "const here = listening.hasPanelNames ? `http://${holder.panel}:${listening.port}` : listening.origin;",
        put: "const here = listening.origin;",
      },
      {
        file: "adapters/http/places.ts",
        find: 'browsers: isSecure || !isLoopback ? "code or token" : "nothing",',
        put: 'browsers: isSecure || !isLoopback ? "code or token" : "code or token",',
      },
    ],
    witness: { file: "test/adapters/panel/access/impostor.test.ts", claim: "PANEL-NAME-1" },
    second: { file: "test/adapters/http/access/panel-name.test.ts", claim: "PANEL-NAME-1" },
  },
  {
    name: "the panel's cookie counts at 127.0.0.1",
    harm: "Each program on this machine that the browser is led to is sent it, and answers approvals.",
    edits: [
      {
        file: "adapters/http/access/entrance.ts",
        find: 'if (place.browsers === "nothing") throw unauthenticated();',
        put: "",
      },
    ],
    witness: { file: "test/adapters/http/access/panel-name.test.ts", claim: "PANEL-NAME-2" },
    second: { file: "test/adapters/http/access/page.test.ts", claim: "SESSION-COOKIE-1" },
  },
  {
    name: "one person's panel lets another in",
    harm: "Whoever has a token leads the user's browser to another port of that name, and gets the user's cookie.",
    edits: [
      {
        file: "adapters/http/access/entrance.ts",
        find: 'const isTheirs = browsers !== "code" || new URL(origin).hostname === holder?.panel;',
        put: 'const isTheirs = browsers !== "code" || origin !== "";',
      },
    ],
    witness: { file: "test/adapters/http/access/panel-name.test.ts", claim: "PANEL-NAME-3" },
    second: { file: "test/adapters/cli/sign-in.test.ts", claim: "CLI-SIGN-IN-1" },
  },
  {
    name: "the engine leaves its port on [::1] to others",
    harm: "Browsers try that address first: another program gets the link.",
    edits: [{ file: "adapters/http/listening.ts", find: "  [V4, V6],\n", put: "" }],
    witness: { file: "test/adapters/http/access/panel-name.test.ts", claim: "LISTENING-1" },
    second: { file: "test/adapters/http/access/ipv6.test.ts", claim: "LISTENING-1" },
  },
  {
    name: "an answer about another approval counts",
    harm: "A call runs by the answer that another one was given.",
    edits: [{ file: "adapters/gate/line.ts", find: "approvalId === id &&", put: "" }],
    witness: { file: "test/adapters/gate/waiting.test.ts", claim: "GATE-LINE-1" },
    second: { file: "test/adapters/gate/doors.test.ts", claim: "GATE-WAITING-2" },
  },
  {
    name: "a service takes an answer about another input",
    harm: "A service's call runs by the answer that another one was given.",
    edits: [
      {
        file: "adapters/nats/client/asked.ts",
        find: ' && (answer.decision !== "allow" || answer.inputHash === inputHash)',
        put: "",
      },
      { file: "adapters/nats/client/asked.ts", find: "{ inputHash }: Said", put: "_: Said" },
    ],
    witness: { file: "test/adapters/nats/client/asked.test.ts", claim: "CLIENT-ASKED-2" },
    second: { file: "test/adapters/nats/client/asked.test.ts", claim: "I-39" },
  },
];

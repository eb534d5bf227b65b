// Accounts
// Writes the NATS accounts of a cluster, which say who may do what: one account for each partition, and one for services.
//
//   Owns:          the text of partitions.conf, which has the accounts.
//   Does not own:  the number of partitions (layout), running the NATS server.
//   Decided in:    docs/decisions/0102-a-partition-is-an-account.md.

const SUBJECTS = ["in", "ask", "decide"] as const;

export function accountsText(partitions: number): string {
  const all = Array.from({ length: partitions }, (_, n) => n);
  return `# Who may do what on the NATS server of a cluster of Signalbox engines, each with the workspaces of one partition.
#
# The server hashes the name of a workspace to one of ${partitions} partitions. Services speak to SIGNALBOX as if it had one engine; it
# passes each message on to the account of the partition, from P0 on. Never change the number of partitions while there is data:
# workspaces would move to engines without their history.

accounts {
  # The door. It has no streams and no engine. Its own user reaches every workspace.
  SIGNALBOX {
    users = [
      { user: door, password: $DOOR_PASSWORD }
    ]
    mappings = {
${lines(SUBJECTS, (each) => `      ${mapping(each, partitions)}`)}
    }
    imports = [
${lines(all, (n) => lines([...SUBJECTS, "query"], (each) => `      ${fromPartition(n, each)}`))}
    ]
    exports = [
${lines(SUBJECTS, (each) => `      { service: "signalbox.v1.${each}.>", threshold: "30s" }`)}
    ]
  }

  # The engines, those of one partition in each account, and nobody else: whoever is in here may purge the journal.
${lines(all, partition)}

${chat(all)}
}
`;
}

const lines = <T>(all: readonly T[], line: (each: T) => string): string => all.map(line).join("\n");

const mapping = (subject: string, partitions: number): string =>
  `"signalbox.v1.${subject}.*.>": "signalbox.v1.p.{{partition(${partitions},1)}}.${subject}.{{wildcard(1)}}.>"`;

const fromPartition = (n: number, subject: string): string =>
  `{ service: { account: P${n}, subject: "signalbox.v1.${subject}.>" }, to: "signalbox.v1.p.${n}.${subject}.>" }`;

const partition = (n: number): string => `  P${n} {
    jetstream: enabled
    users = [
      { user: p${n}, password: $P${n}_PASSWORD }
    ]
    exports = [
${lines([...SUBJECTS, "query"], (each) => `      { service: "signalbox.v1.${each}.>", threshold: "30s", accounts: [SIGNALBOX] }`)}
      { stream: "signalbox.v1.state.>" }
    ]
  }`;

function chat(all: readonly number[]): string {
  const changes = lines(
    all,
    (n) => `      { stream: { account: P${n}, subject: "signalbox.v1.state.chat.>" } }`,
  );
  return `  # ---- The workspace chat. For another one copy from here to the end of it, with other names. ----

  # A gateway: speaks in the workspace, and follows what becomes of it. It hears the changes from each partition, since a stream
  # is not passed on twice; only the partition of the workspace has any.
  CHAT_BOT {
    users = [
      { user: chat-bot, password: $BOT_PASSWORD, permissions: {
          publish: ["signalbox.v1.in.chat.>", "signalbox.v1.ask.chat.>"]
          subscribe: ["_INBOX.>", "signalbox.v1.state.chat.>"] } }
    ]
    imports = [
      { service: { account: SIGNALBOX, subject: "signalbox.v1.in.chat.>" } }
      { service: { account: SIGNALBOX, subject: "signalbox.v1.ask.chat.>" } }
${changes}
    ]
    limits: { max_connections: 100, max_subscriptions: 10000 }
  }

  # An approver: reads, and answers under its own name, which is the last token.
  CHAT_ALICE {
    users = [
      { user: alice, password: $ALICE_PASSWORD, permissions: {
          publish: ["signalbox.v1.ask.chat.>", "signalbox.v1.decide.chat.alice"]
          subscribe: ["_INBOX.>", "signalbox.v1.state.chat.>"] } }
    ]
    imports = [
      { service: { account: SIGNALBOX, subject: "signalbox.v1.ask.chat.>" } }
      { service: { account: SIGNALBOX, subject: "signalbox.v1.decide.chat.alice" } }
${changes}
    ]
    limits: { max_connections: 100, max_subscriptions: 10000 }
  }

  # ---- The end of the workspace chat. ----`;
}

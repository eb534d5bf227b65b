// Long
// The tests of whole systems: the built program, a browser, processes that are killed or stand still, the cost of long histories.
//
// `npm run test:long` runs them; `npm test` runs the others, which stay within one process and the servers it starts.

/** From the project's root, as globs. */
export const LONG: readonly string[] = [
  // The built program, as its users run it.
  "test/cli.*.test.ts",
  "test/{api,callback,compose,examples,library,readme,soak,state-files.folder}.test.ts",
  // The panel in a browser.
  "test/panel/*.test.ts",
  // Processes and servers that are killed, stand still, or lose their files.
  "test/{crash,lmdb.crash,lmdb.lost,poison.process}.test.ts",
  "test/lmdb/compact.test.ts",
  "test/request-files.crash.test.ts",
  "test/nats/{client.stalled,crash,cuts,engines,fence,fence.attacks,full,load,outlet.trouble,recordings,stalled}.test.ts",
  // What an event costs behind ten thousand others.
  "test/counted.test.ts",
  // 10,000 durable updates by two processes.
  "test/request-files.crowd.test.ts",
];

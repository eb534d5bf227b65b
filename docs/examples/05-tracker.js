// Tracker
// A made-up executor that keeps its requests in files, without an engine: any process of the machine may read and move them.
//
//   node docs/examples/05-tracker.js FOLDER "what is the time?"

import { RequestTracker } from "signalbox/request-tracker";

const [, , folder, ...prompts] = process.argv;
if (!folder) {
  console.error("Give it a folder to keep requests in, then what is asked.");
  process.exit(2);
}
const tracker = new RequestTracker({
  stateBaseDir: folder,
  onRecovered({ timedOut, removed, restored, redated }) {
    for (const { requestId, prompt } of timedOut) console.log(`${requestId} (${prompt}) was left hanging`);
    for (const { requestId } of restored) console.log(`${requestId} stands as before its last write`);
    for (const { requestId } of redated) console.log(`${requestId} has times far from this clock`);
    if (removed.length > 0) console.log(`${removed.length} old ones are gone`);
  },
});
await tracker.start();

async function execute(prompt) {
  const { requestId } = await tracker.createRequest({ chatId: "demo", workspace: "examples", prompt });
  await tracker.updateState(requestId, { state: "processing" });
  const output = prompt.includes("time") ? new Date().toISOString() : undefined;
  await tracker.updateState(
    requestId,
    output === undefined
      ? { state: "failed", exitCode: 1, error: "I only know the time." }
      : { state: "completed", exitCode: 0, output },
  );
}

await Promise.all(prompts.map(execute));
for (const { state, prompt, output, error } of await tracker.listRequests("examples")) {
  console.log(`${prompt}: ${state} (${output ?? error})`);
}
await tracker.stop();

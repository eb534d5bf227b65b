// Steps
// `node:http` around a contender that is a library: POST /<call>/<step> with the step's body.
//
//   Owns:          reading the body, the answer once the step is done.
//   Does not own:  the step.

import { createServer } from "node:http";

/** @param take resolves once the step is durable. */
export function serveSteps(take) {
  const server = createServer((asked, answer) => {
    const chunks = [];
    asked.on("data", (chunk) => chunks.push(chunk));
    asked.on("end", async () => {
      try {
        const [, id, step] = asked.url.split("/");
        await take(id, step, JSON.parse(Buffer.concat(chunks).toString()));
        answer.end("{}");
      } catch (error) {
        answer.writeHead(500).end(String(error));
      }
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => console.log(`listens at http://127.0.0.1:${server.address().port}`));
}

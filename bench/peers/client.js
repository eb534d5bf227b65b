// Client
// Sessions that make one call after the other, and send each of its requests once the one before was answered.
//
//   Owns:          the connections, the rate.
//   Does not own:  the bodies (calls.js), who answers.

import { Agent, request } from "node:http";
import { stepsOf } from "./calls.js";

let runs = 0;

/** @returns calls a second. @throws when a request is not answered with 200. */
export async function callsPerSecond({ url, headers = {}, pathOf }, sessions, calls) {
  const agent = new Agent({ keepAlive: true, maxSockets: sessions });
  runs += 1;
  const play = async (session) => {
    for (let n = 0; n < calls; n += 1) {
      const id = `call-${runs}-${session}-${n}`;
      for (const { step, body } of stepsOf(`session-${runs}-${session}`, id))
        await post(new URL(pathOf(step, id), url), body, headers, agent);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: sessions }, (_, session) => play(session)));
  const tookMs = performance.now() - start;
  agent.destroy();
  return (sessions * calls * 1000) / tookMs;
}

function post(url, body, headers, agent) {
  return new Promise((resolve, reject) => {
    const length = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    const sent = request(url, { method: "POST", agent, headers: { ...headers, ...length } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      response.on("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url.pathname} was answered with ${response.statusCode}: ${text}`));
      });
    });
    sent.on("error", (error) => {
      // The server had let go of a connection that was idle; it has seen nothing of this request.
      if (sent.reusedSocket && error.code === "ECONNRESET")
        post(url, body, headers, agent).then(resolve, reject);
      else reject(new Error(`${url.href} failed`, { cause: error }));
    });
    sent.end(body);
  });
}

// Restate service
// A call as a virtual object: each step checks the one before, and keeps its own and its body.

import { createServer } from "node:http2";
import { createEndpointHandler, object, TerminalError } from "@restatedev/restate-sdk";

// The SDK needs this of Node 22; the engine is measured on the Node it is started with.
Promise.withResolvers ??= () => {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};

const after = (before, state) => async (ctx, body) => {
  const found = await ctx.get("state");
  if (found !== before) throw new TerminalError(`The call is ${found}, not ${before}.`);
  ctx.set("state", state);
  ctx.set(state, body);
  return {};
};

const call = object({
  name: "call",
  handlers: {
    started: after(null, "started"),
    asked: after("started", "asked"),
    approved: after("asked", "approved"),
    finished: after("approved", "finished"),
  },
});

const server = createServer(createEndpointHandler({ services: [call] }));
server.listen(0, "127.0.0.1", () => console.log(`listens at http://127.0.0.1:${server.address().port}`));

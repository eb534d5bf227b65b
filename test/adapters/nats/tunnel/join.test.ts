// Join
// A machine, and a team's server that refuses its user for a while.

import { afterEach, expect, it } from "vitest";
import { Join } from "../../../../adapters/nats/tunnel/join.ts";
import { systemClock } from "../../../../adapters/system/index.ts";
import { type ConfiguredServer, configuredServer } from "../../../support/nats/configured.ts";

const user = (password: string): string => `authorization { user: hub, password: ${password} }`;

let server: ConfiguredServer;
let join: Join;
afterEach(async () => {
  await join.stop();
  await server.dispose();
});

it("TUNNEL-JOIN-1, TUNNEL-JOIN-2: a machine whose password was refused for some seconds joins again, and meanwhile its trouble says why", async () => {
  server = await configuredServer(user("right"));
  join = new Join(server.url.replace("//", "//hub:right@"), systemClock());
  await join.start(4280);
  expect(join.troubles()).toEqual([]);
  await server.configure(user("other"));
  await expect
    .poll(() => join.troubles(), { timeout: 20_000 })
    .toEqual([
      expect.objectContaining({
        code: "NOT_JOINED",
        message: expect.stringContaining("NATS_NOT_AUTHORISED") as string,
        next: expect.stringContaining("Check the user, password") as string,
      }),
    ]);
  expect(JSON.stringify(join.troubles())).not.toMatch(/right|127/);
  expect(() => join.dial("ann-laptop")).toThrow("This engine is not connected");
  await server.configure(user("right"));
  await expect.poll(() => join.troubles(), { timeout: 30_000 }).toEqual([]);
  await expect(join.dial("ann-laptop")).rejects.toThrow("The machine ann-laptop is not connected");
}, 60_000);

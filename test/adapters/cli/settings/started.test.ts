// Started
// The note of what an engine was started with.

import { describe, expect, test } from "vitest";
import { fromEnvironment, settled } from "../../../../adapters/cli/settings/origins.ts";
import { noteStarted, startedWith, type StartedSlot } from "../../../../adapters/cli/settings/shown.ts";
import { shownAddress } from "../../../../adapters/nats/address.ts";
import { SECRET } from "../../../support/settings/samples.ts";

const URL_ = "http://127.0.0.1:4280";

function slotWith(text: string | undefined): StartedSlot & { readonly text: () => string | undefined } {
  let kept = text;
  return {
    read: () => Promise.resolve(kept),
    write: (written) => Promise.resolve(void (kept = written)),
    text: () => kept,
  };
}

describe("the note of a start", () => {
  test("SETTINGS-SHOWN-2: it is read of the same engine alone, and holds no secret", async () => {
    const slot = slotWith(undefined);
    const env = { SIGNALBOX_NATS_URL: `nats://${SECRET}@h:1`, SIGNALBOX_NATS: `nats://${SECRET}@h:2` };
    await noteStarted(slot, URL_, settled([fromEnvironment(env)], shownAddress), { shownAddress });
    expect(await startedWith(slot, URL_)).toMatchObject({ port: "4280", natsUrl: "set", nats: "nats://h:2" });
    expect(await startedWith(slot, "http://127.0.0.1:4281")).toBeUndefined();
    expect(slot.text()).not.toContain(SECRET);
  });

  test.each([undefined, "", "{", "null", "[]", '{"url":1}', `{"url":"${URL_}","settings":{"port":1}}`])(
    "SETTINGS-SHOWN-2: of %j nothing is told",
    async (text) => {
      expect(await startedWith(slotWith(text), URL_)).toBeUndefined();
    },
  );

  test("SETTINGS-SHOWN-2: an engine runs, and `config` answers, where the note cannot be written or read", async () => {
    const broken = {
      read: () => Promise.reject(new Error("no")),
      write: () => Promise.reject(new Error("no")),
    };
    await noteStarted(broken, URL_, settled([], shownAddress), { shownAddress });
    expect(await startedWith(broken, URL_)).toBeUndefined();
  });
});

// The stream over several engines
// A reader of the third engine's stream, who is cut off and comes back.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EVERYTHING } from "../../../runtime/access-token.ts";
import { at, textAt } from "../../support/engine/json.ts";
import { follow, type Told } from "../../support/http/follow.ts";
import { asks, type Team, team } from "../../support/peers/team.ts";

type Name = "shop" | "web" | "hub";

let all: Team;
beforeEach(async () => {
  all = await team();
});
afterEach(() => all.stop());

const changeOf = ({ data = "null" }: Told): unknown => JSON.parse(data);

/** Reads the third engine's stream from an id on, up to the event that fits. */
async function read(id: string | undefined, isLast: (told: Told) => boolean): Promise<readonly Told[]> {
  const stream = await follow(`${all.hub.url}/v1/stream`, {
    Authorization: `Bearer ${all.token("hub", "ann")}`,
    ...(id !== undefined && { "Last-Event-ID": id }),
  });
  const told: Told[] = [];
  for (let one = await stream.next(); one; one = await stream.next()) {
    if (one.event !== undefined) told.push(one);
    if (isLast(one)) break;
  }
  await stream.cancel();
  return told;
}

/** The id of a reader who begins, and was told to read the lists of all engines. */
const begin = async (): Promise<string> =>
  lastId(await read(undefined, ({ event, id = "" }) => event === "resync" && /(~\w+\.\d+){2}$/.test(id)));

/** Fits the event with which each of these sessions has an approval that waits. */
function waitingOf(...sessions: readonly string[]): (told: Told) => boolean {
  const missing = new Set(sessions);
  return (told) => {
    const change = changeOf(told);
    if (textAt(change, "entity") === "approval") missing.delete(textAt(change, "sessionId") ?? "");
    return missing.size === 0;
  };
}

const lastId = (told: readonly Told[]): string => told.at(-1)?.id ?? "";
const eventsOf = (told: readonly Told[]): readonly (string | undefined)[] => told.map(({ event }) => event);

/** The numbers of an engine's changes, as the third engine's stream told them. */
const numbersOf = (told: readonly Told[], engine: Name): readonly unknown[] =>
  told
    .filter(({ event }) => event === "change")
    .map(changeOf)
    .filter((change) => (textAt(change, "engine") ?? "hub") === engine)
    .map((change) => at(change, "n"));

/** The numbers of all changes of an engine. */
const allOf = (engine: Name): readonly number[] =>
  Array.from({ length: Number(at(all[engine].queries.stats(), "changes")) }, (_, n) => n + 1);

describe("the stream over several engines", () => {
  it("PEERS-READER-1, FOLLOWERS-6, FOLLOWERS-7: goes on at each engine where the reader was, also after a restart of the engine with the inbox", async () => {
    const begun = await begin();
    for (const name of ["shop", "web", "hub"] as const) await asks(all[name], name, `${name}1`);
    const first = await read(begun, waitingOf("shop1", "web1", "hub1"));
    // Two of the things that were sent last have not come.
    const got = first.slice(0, -2);
    await asks(all.shop, "shop", "shop2");
    await asks(all.hub, "hub", "hub2");
    const second = await read(lastId(got), waitingOf("shop2", "hub2"));
    await all.restart(async () => {
      await asks(all.web, "web", "web3");
      await asks(all.shop, "shop", "shop3");
    });
    const third = await read(lastId(second), waitingOf("web3", "shop3"));
    await asks(all.hub, "hub", "end");
    await asks(all.web, "web", "end-web");
    await asks(all.shop, "shop", "end-shop");
    const told = [
      ...got,
      ...second,
      ...third,
      ...(await read(lastId(third), waitingOf("end", "end-web", "end-shop"))),
    ];
    for (const name of ["shop", "web", "hub"] as const)
      expect(numbersOf(told, name)).toEqual(allOf(name).slice(0, numbersOf(told, name).length));
    expect(eventsOf(told).filter((event) => event === "resync")).toEqual([]);
  });

  it("PEERS-READER-1: a user of some workspaces gets the changes of these alone, also those that came meanwhile", async () => {
    await all.stop();
    all = await team({ ...EVERYTHING, workspaces: new Set(["shop"]) });
    await asks(all.shop, "shop", "s1");
    const begun = await begin();
    await all.restart(async () => {
      await asks(all.shop, "secret", "x1");
      await asks(all.web, "secret", "x2");
      await asks(all.web, "shop", "w1");
      await asks(all.shop, "secret", "x3");
    });
    const told = await read(begun, waitingOf("w1"));
    await asks(all.shop, "secret", "x4");
    await asks(all.shop, "shop", "s2");
    const rest = [...told, ...(await read(lastId(told), waitingOf("s2")))];
    const workspaces = new Set(
      rest.filter(({ event }) => event === "change").map((one) => textAt(changeOf(one), "workspace")),
    );
    expect([...workspaces]).toEqual(["shop"]);
    expect(eventsOf(rest)).not.toContain("resync");
    expect(new Set(numbersOf(rest, "shop")).size).toBe(numbersOf(rest, "shop").length);
  });

  it("PEERS-READER-3: an id that is none is answered with resync, and the stream goes on", async () => {
    const known = await begin();
    for (const id of ["x", "~".repeat(5_000), "a-1~zz.1~", known.replace(/~\w/, "~z")]) {
      const [ready, resync] = await read(id, ({ event }) => event === "resync");
      expect((resync ?? ready)?.id).toBe(known);
    }
    expect(eventsOf(await read(`${known}~~~`, ({ event }) => event === "ready"))).toEqual(["ready"]);
  });
});

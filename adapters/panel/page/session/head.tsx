// Head
// The heading of a session: its title, its state, where it runs, what it has cost, and what its agent does without asking.
//
//   Owns:          the words of the heading.
//   Does not own:  what happens in the session at present (now/), what an agent does without asking (the client's adapter).

import type { OpenEnds as Told } from "../../../../runtime/clients.ts";
import type { ToldCost } from "../../../../runtime/reading/conversation.ts";
import type { SessionView } from "../../../../runtime/rows/views.ts";
import { titleLine } from "../../../../runtime/text/title-line.ts";
import { useAsked } from "../engine/asked.ts";
import { ask } from "../engine/api.ts";
import { sessionOf } from "../engine/engine.ts";
import { atEngine } from "../engine/at-peer.tsx";
import { Line } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";
import { labelOf } from "../parts/words.ts";
import { hrefOf } from "../route.ts";
import { Cost } from "./cost.tsx";

interface Props {
  readonly workspace: string;
  readonly id: string;
  readonly session: SessionView | undefined;
  readonly cost: ToldCost | undefined;
}

export function Head({ workspace, id, session, cost }: Props) {
  const { cwd, branch, model, client } = session ?? {};
  // Which engine has the session is read separately, because the changes that `session` is made of do not say it.
  const engine = useAsked([workspace, id], () => sessionOf(workspace, id))?.engine;
  const where = [cwd, branch, model, client, `${workspace}/${id}`, atEngine(engine)].filter(Boolean);
  return (
    <header class="session-head">
      <h1 id="session-title">
        <Line text={titleLine(session?.title ?? id)} />
      </h1>
      <a
        href={hrefOf({ view: "machine", workspace, session: id, kind: "session", id })}
        class={`chip ${session?.state ?? ""}`}
        title={`${session?.state ?? "unknown"}: its machine`}
      >
        {session ? labelOf(session.state) : "Unknown"}
      </a>
      <p class="quiet">
        <Line text={where.join(" · ")} />
        {session && (
          <>
            {" · last active "}
            <Since at={session.lastEvent.at} /> ago
          </>
        )}
        <Cost cost={cost} />
      </p>
    </header>
  );
}

/** What agents do without asking, in sentences; read once: it changes only with a new engine, to which a person signs in anew. */
let asked: Promise<readonly Told[]> | undefined;

function openEnds(): Promise<readonly Told[]> {
  asked ??= ask<{ agents: readonly Told[] }>("/v1/agents").then(({ agents }) => agents);
  return asked.catch(() => {
    asked = undefined;
    return [];
  });
}

/** What the session's agent does without asking anybody. @param source the source of the session's messages. */
export function OpenEnds({ source }: { readonly source: string | undefined }) {
  const all = useAsked([source], openEnds) ?? [];
  const open = all.find((each) => each.source === source)?.open ?? [];
  return open.length === 0 ? null : <p class="quiet open-ends">{open.join(" ")}</p>;
}

// Empty
// What an empty inbox shows: what to do first, or that everything is answered.
//
//   Owns:          the wording for an empty inbox.
//   Does not own:  playing the sample session (the engine).

import { useState } from "preact/hooks";
import { ApiError, send } from "../engine/api.ts";
import { me, useMay } from "../engine/me.ts";
import { Failure } from "../parts/failure.tsx";

export function Empty() {
  const [failure, fail] = useState<ApiError>();
  const mayPlay = useMay("emit") && me.get()?.workspaces === undefined;
  const play = (): void => {
    send("/v1/sample", {}).catch((error: unknown) => {
      if (error instanceof ApiError) fail(error);
    });
  };
  return (
    <section class="empty">
      <h1>Nothing waits for you</h1>
      <p>
        Connect Claude Code: <code>npx signalbox install</code>
        <br />
        For another agent add <code>--agent codex</code>, <code>copilot</code> or <code>opencode</code>
      </p>
      <p>
        Or send events of your own: <code>npx signalbox emit --help</code>
      </p>
      <p>When an agent asks for approval, it appears here.</p>
      {mayPlay && (
        <>
          <button type="button" class="approve" onClick={play}>
            Play a sample session
          </button>
          {failure && <Failure>{failure.words}</Failure>}
          <p class="quiet">Ten tool calls run through the real engine. Five of them need your approval.</p>
        </>
      )}
    </section>
  );
}

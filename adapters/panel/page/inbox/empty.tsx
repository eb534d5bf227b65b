// Empty
// An inbox with nothing in it: what to do first, or that all is well.
//
//   Owns:          the words.
//   Does not own:  the sample session (sample/).

import { startSample } from "../sample/sample.ts";

export function Empty() {
  return (
    <section class="empty">
      <h1>Nothing waits for you</h1>
      <p>Connect Claude Code: run npx signalbox install.</p>
      <p>
        Or send events of your own: <code>npx signalbox emit request.created --help</code>
      </p>
      <p>When an agent asks for approval, it appears here.</p>
      <button type="button" class="approve" onClick={() => void startSample()}>
        Play a sample session
      </button>
      <p class="quiet">Ten tool calls run through the real engine. Five of them need your approval.</p>
    </section>
  );
}

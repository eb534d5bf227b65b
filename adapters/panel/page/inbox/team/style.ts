// Style
// The style of the parts of a team, which several parts that are loaded on demand share.
//
//   Owns:          that it is loaded once.
//   Does not own:  the rules in it (team.css).

import { styled } from "../../look/style.ts";

export const teamStyle = styled("team");

// Effort
// How much is measured: enough to see that it works, or enough to rely on.

export type Effort = "quick" | "whole";

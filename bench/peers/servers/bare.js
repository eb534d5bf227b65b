// Bare server
// Answers each body that is JSON.

import { serveSteps } from "./steps.js";

serveSteps(async () => undefined);

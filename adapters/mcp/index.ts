// MCP: a server with one tool, over standard input and output.

export { serveTool, type Tool } from "./server.ts";

// Pi's example `protected-paths`: it refuses writes and edits of three fixed names, never asks, and has no policy to be told.

const TOOLS = ["read", "write", "edit", "list"];

export default {
    capabilities: [...TOOLS.map((tool) => `tool.${tool}`), ...TOOLS.map((tool) => `allow.${tool}`), "policy.own", "judge"],
};

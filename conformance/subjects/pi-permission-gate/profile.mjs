// Pi's example `permission-gate`: it asks before commands of three fixed patterns, and has no policy to be told.

export default {
    capabilities: ["tool.run", "allow.run", "policy.own", "approver.socket", "cancel", "judge"],
    /** What it tells the model where it would have to ask and cannot. */
    reason(text) {
        return text.includes("no UI for confirmation") ? "no_approver" : undefined;
    },
};

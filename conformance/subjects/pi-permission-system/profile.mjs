// @gotgenes/pi-permission-system: it is told each family's policy as far as its language goes.

import { KNOWN } from "../pi/tools.mjs";
import { permission } from "./policy.mjs";

export default {
    capabilities: [
        ...KNOWN.map((tool) => `tool.${tool}`),
        ...KNOWN.map((tool) => `allow.${tool}`),
        "otherwise.deny",
        "policy.path",
        "policy.under",
        "policy.command",
        "approver.socket",
        "grants",
        "cancel",
        "judge",
        "resume",
    ],
    /** Where it looks for its configuration and puts its logs, below Pi's own folder. */
    mount: "extensions/pi-permission-system",
    /** Its configuration files. */
    configure(open) {
        return { "config.json": `${JSON.stringify({ permission: permission(open) }, null, 4)}\n` };
    },
    /** What it tells the model of a refusal that no rule is the cause of. */
    reason(text) {
        if (text.startsWith("Permission gate failed and blocked the tool call")) return "fault";
        if (text.includes("is not registered in this runtime")) return "unknown_tool";
        return undefined;
    },
};

// A gate that has no policy to be told: it is tested as it comes. Other profiles have the same members.

import { KNOWN } from "./tools.mjs";

export default {
    /** What the suite may expect (PROTOCOL.md, section 7). */
    capabilities: [
        ...KNOWN.map((tool) => `tool.${tool}`),
        ...KNOWN.map((tool) => `allow.${tool}`),
        "policy.own",
        "approver.socket",
        "cancel",
        "judge",
    ],
};

// JSON lines, ended by a line feed and by nothing else.

/** Calls `take` with each whole line of a stream; `over` when a line gets longer than `most` bytes. */
export function eachLine(stream, take, { most = Infinity, over = () => {} } = {}) {
    let parts = [];
    let size = 0;
    stream.on("data", (chunk) => {
        let from = 0;
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
            parts.push(chunk.subarray(from, at));
            const line = Buffer.concat(parts).toString("utf8");
            parts = [];
            size = 0;
            from = at + 1;
            take(line);
        }
        const rest = chunk.subarray(from);
        size += rest.length;
        if (size > most) {
            parts = [];
            over();
        } else if (rest.length > 0) {
            parts.push(rest);
        }
    });
}

/** The object of a line, or nothing when it is none. */
export function parsed(line) {
    try {
        const value = JSON.parse(line);
        return typeof value === "object" && value !== null ? value : undefined;
    } catch {
        return undefined;
    }
}

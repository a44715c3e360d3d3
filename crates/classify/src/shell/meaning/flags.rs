//! Flags for compilers.

/// Whether these are flags for a compiler that neither name a program, a plugin nor a file: how much is optimised, what is
/// warned of, what is defined.
pub(in super::super) fn are_plain(flags: &str) -> bool {
    flags.split_ascii_whitespace().all(is_plain)
}

fn is_plain(flag: &str) -> bool {
    const WHOLE: &[&str] = &[
        "-ansi",
        "-fopenmp",
        "-flto",
        "-g",
        "-ggdb",
        "-p",
        "-pedantic",
        "-pedantic-errors",
        "-pg",
        "-pipe",
        "-pthread",
        "-shared",
        "-static",
        "-stdlib=libc++",
        "-stdlib=libstdc++",
        "-w",
        "--coverage",
        "-coverage",
        "-rdynamic",
    ];
    // Behind these stands what is passed on to other programs, or one of them, or a file.
    const OTHERS: &[&str] = &["-fplugin", "-fprofile", "-fdump", "-fsave", "-fmodule", "-mllvm"];
    if WHOLE.contains(&flag) || short(flag, "-O", 4) || short(flag, "-g", 2) || short(flag, "-ggdb", 1) {
        return true;
    }
    if OTHERS.iter().any(|start| flag.starts_with(start)) {
        return false;
    }
    if let Some(option) = flag.strip_prefix("-f") {
        return is_plain_option(option);
    }
    let signs = |char: char| char.is_ascii_alphanumeric() || "_-=+.:".contains(char);
    let named = ["-W", "-m", "-D", "-U", "-std=", "-gdwarf", "-l"];
    if named.iter().any(|start| flag.starts_with(start)) {
        return flag.len() > 2 && flag.chars().all(signs);
    }
    let place = flag.strip_prefix("-I").or_else(|| flag.strip_prefix("-L"));
    place.is_some_and(|place| {
        let climbs = place.split('/').any(|part| part == "..");
        let below = !place.is_empty() && !place.starts_with(['/', '-']) && !climbs;
        below && place.chars().all(|char| signs(char) || char == '/')
    })
}

/// Whether what stands behind `-f` says how code is made and shown. Many options write a file or choose a linker, by a value or
/// by their name alone, so only these values are known, and a name that speaks of what is written is not.
fn is_plain_option(option: &str) -> bool {
    const VALUED: &[&str] = &[
        "cf-protection",
        "color-diagnostics",
        "diagnostics-color",
        "lto",
        "max-errors",
        "message-length",
        "no-sanitize",
        "no-sanitize-recover",
        "sanitize",
        "sanitize-recover",
        "visibility",
    ];
    const WRITING: &[&str] = &[
        "callgraph",
        "cs-profile",
        "crash",
        "dir",
        "dump",
        "file",
        "info",
        "instrument",
        "interfaces",
        "ld",
        "linker",
        "list",
        "load",
        "map",
        "memory-profile",
        "module",
        "output",
        "pass",
        "path",
        "plugin",
        "prebuilt",
        "profile",
        "record",
        "report",
        "repo",
        "save",
        "stack-usage",
        "test-coverage",
        "time-trace",
    ];
    let (name, value) = match option.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (option, None),
    };
    let sign = |char: char| char.is_ascii_alphanumeric() || "-+".contains(char);
    if name.is_empty() || !name.chars().all(sign) {
        return false;
    }
    match value {
        None => !WRITING.iter().any(|part| name.contains(part)),
        Some(value) => {
            let sign = |char: char| char.is_ascii_alphanumeric() || "-_,".contains(char);
            VALUED.contains(&name) && !value.is_empty() && value.chars().all(sign)
        }
    }
}

/// Whether a flag is `start` with up to so many letters and digits behind it.
fn short(flag: &str, start: &str, longest: usize) -> bool {
    flag.strip_prefix(start)
        .is_some_and(|rest| rest.len() <= longest && rest.chars().all(|char| char.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::are_plain;

    #[test]
    fn a_flag_names_neither_a_program_nor_a_file() {
        for flags in [
            "-O0 -g",
            "-O2 -Wall -Wextra -Wno-unused-result",
            "-std=c++20",
            "-fsanitize=address,undefined",
            "-march=native",
            "-DNDEBUG -DX=1",
            "-Isrc/include -I.",
            "-fPIC -pthread",
            "-fno-omit-frame-pointer -fno-exceptions -fstack-protector-strong",
            "-flto=auto -fvisibility=hidden -fdiagnostics-color=always -fmax-errors=5",
            "-gdwarf-4",
            "",
        ] {
            assert!(are_plain(flags), "{flags}");
        }
        for flags in [
            "-wrapper sh,-c",
            "-B/tmp/evil",
            "-fplugin=x.so",
            "-fplugin-arg-x",
            "-specs=x",
            "-Wl,-rpath,/x",
            "-Wp,x",
            "-o x",
            "-x c",
            "@args",
            "-I/etc",
            "-I../x",
            "-L-x",
            "-include x",
            "-D'x y'",
            "$(y)",
            "-Dx;y",
            "-mllvm",
            "x",
            "-W",
            "--sysroot=/x",
            "-isystem /x",
            "-fprofile-use=/x",
            "-fdiagnostics-add-output=sarif:file=x",
            "-fcallgraph-info",
            "-fuse-ld=evil",
            "-foptimization-record-file=x",
            "-fcrash-diagnostics-dir=x",
            "-fsave-optimization-record",
            "-ftime-trace",
            "-fstack-usage",
            "-ftest-coverage",
            "-fsanitize-ignorelist=x",
            "-f",
        ] {
            assert!(!are_plain(flags), "{flags}");
        }
    }
}

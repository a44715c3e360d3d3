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
    let signs = |char: char| char.is_ascii_alphanumeric() || "_-=+.:".contains(char);
    let named = ["-W", "-f", "-m", "-D", "-U", "-std=", "-gdwarf", "-l"];
    if named.iter().any(|start| flag.starts_with(start)) {
        let listed = flag.starts_with("-fsanitize=") || flag.starts_with("-fno-sanitize=");
        return flag.len() > 2 && flag.chars().all(|char| signs(char) || listed && char == ',');
    }
    let place = flag.strip_prefix("-I").or_else(|| flag.strip_prefix("-L"));
    place.is_some_and(|place| {
        let climbs = place.split('/').any(|part| part == "..");
        let below = !place.is_empty() && !place.starts_with(['/', '-']) && !climbs;
        below && place.chars().all(|char| signs(char) || char == '/')
    })
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
        ] {
            assert!(!are_plain(flags), "{flags}");
        }
    }
}

//! Every exit code of the program. `--help` quotes [`HELP`], and a test keeps the two together.

/// It was done.
pub(crate) const DONE: u8 = 0;
/// `call`: at least one call was refused. `ask`: the answer was not taken. `log verify`, `log reconcile`: the log is
/// not whole, or contradicts itself. `trust status` and `trust ask`: not trusted.
pub(crate) const REFUSED: u8 = 1;
/// The command line cannot be understood, or it names a workspace that cannot be opened. For `hook` this code means
/// deny: it is the one that every agent understands.
pub(crate) const USAGE_OR_DENY: u8 = 2;
/// The input file, or the log, cannot be read.
pub(crate) const INPUT: u8 = 3;
/// A configuration file is broken.
pub(crate) const CONFIGURATION: u8 = 4;
/// Something of ours failed: a place that cannot be written, a fault inside.
pub(crate) const FAULT: u8 = 5;

/// The codes for `--help`.
pub(crate) const HELP: &str = "\
Exit codes:
  0  done
  1  no: a call did not run, an answer was not taken, a log is not right, a project is not trusted
  2  the command line cannot be understood; for `hook`: deny
  3  the input cannot be read
  4  a configuration file is broken
  5  something of ours failed";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_code_once() {
        let codes = [DONE, REFUSED, USAGE_OR_DENY, INPUT, CONFIGURATION, FAULT];
        let named: Vec<u8> = HELP
            .lines()
            .skip(1)
            .map(|line| line.trim().split(' ').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(named, codes);
    }
}

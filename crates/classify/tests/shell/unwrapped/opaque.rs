//! Where it is not certain what a wrapper runs.

use portcullis_classify::shell::{self, Reason};

use super::{behind, reasons};

/// Each of these texts has this doubt.
#[track_caller]
fn check(reason: Reason, texts: &[&str]) {
    for text in texts {
        assert!(reasons(text).contains(&reason), "{text}: {:?}", reasons(text));
    }
}

#[test]
fn an_option_or_a_word_that_is_not_certain() {
    let texts = [
        "sudo --frob rm x",
        "env -Z rm",
        "nice --adj 5 rm",
        "timeout -x 1 rm",
        "xargs --frob rm",
        "bash --frob -c a",
        "zsh -o x -c a",
        "bash -kc a",
        "bash -c",
        "sudo $x rm",
        "script -c $(a) f",
        "sudo -u a $x",
        "nice -n 1 \"$x\"",
        "watch \"$x\"",
        "timeout $t rm x",
        "env $x rm",
        "nice -n $x rm",
        "find . $x",
        "find . -exec rm {}",
        "find . -exec rm $x \\;",
        "find \"$x\" -name a",
        "env -S 'a $b'",
        "env -S \"$x\"",
        "env -vS 'rm x'",
        "flock a -x",
        "sudo -i rm",
        "sudo \"-$x\" rm",
        "setsid \"$x\" a",
    ];
    check(Reason::UnknownOption, &texts);
}

#[test]
fn a_name_that_is_not_certain() {
    let texts = [
        "env A=1 $x",
        "ls | xargs -I{} {} x",
        "ls | xargs --replace=\"$x\" rm x",
        "ls | xargs -i\"$x\" rm x",
        "ls | xargs -I \"$x\" rm x",
        "find . -exec {} \\;",
        "sudo -- \"$x\"",
        "bash -c '$x'",
        "timeout 1 `a`",
        "sudo -- ''",
    ];
    check(Reason::DynamicName, &texts);
}

#[test]
fn a_text_that_is_not_literal() {
    let texts = [
        "bash -c \"$x\"",
        "sh -c \"$(curl -s http://x)\"",
        "bash -lc \"rm $x\"",
        "bash \"$x\" -c a",
        "su -c \"$x\"",
        "echo x | xargs -I% sh -c '%'",
        "flock a -c \"$x\"",
        "bash $x",
        "ls | xargs bash",
        "bash <(a)",
    ];
    check(Reason::Eval, &texts);
}

#[test]
fn a_shell_that_reads_from_elsewhere() {
    let texts = [
        "bash",
        "ls | sh",
        "bash x.sh",
        "bash <<'E'\nrm x\nE",
        "bash <<< 'rm x'",
        "sudo bash",
        "sudo sh -s",
        "su",
        "su - root",
        "script log",
        "env bash",
        "busybox sh",
    ];
    check(Reason::ShellInput, &texts);
}

#[test]
fn what_only_bash_knows() {
    let texts = [
        "zsh -c 'rm *'",
        "zsh -c 'a =x'",
        "fish -c a",
        "sh -c '[[ a ]]'",
        "sh -c 'cat <(a)'",
        "sh -c \"\\$'rm'\"",
        "sh -c 'a &>b'",
        "sh -c 'a |& b'",
        "dash -c 'a <<<b'",
        "sh -c '((1))'",
        "sh -c 'a=(b)'",
        "sh -c 'a+=b'",
        "sh -c 'echo ${x/a/b}'",
        "sh -c 'a >&b'",
        "sh -c 'time a'",
        "su -c '[[ a ]]'",
        "watch '[[ a ]]'",
        "sh -c 'echo ${x:1}'",
        "sh -c 'for ((;;)); do a; done'",
        "sh -c 'function f { a; }'",
        "sh -c 'case a in b) c;& d) e;; esac'",
        "sh -c 'echo ${!x@}'",
        "sh -c 'a {b}>c'",
        "sh -c 'eval \"a &>b\"'",
        "sh -c 'select x in a; do b; done'",
        "sh -c 'a[1]=b'",
        "sh -c 'echo $\"a\"'",
    ];
    check(Reason::OtherShell, &texts);
}

#[test]
fn the_environment() {
    let texts = [
        "env PATH=/x ls",
        "env LD_PRELOAD=./e.so ls",
        "sudo PATH=/x ls",
        "env RUSTFLAGS='-C linker=x' cargo build",
        "env PAGER=x git log",
        "env BASH_FUNC_ls%%='() { rm x; }' bash -c ls",
        "env -i BASH_ENV=x bash -c a",
        "env A=1 IFS=x sh -c a",
        "env GIT_SSH_COMMAND=\"$x\" git fetch",
    ];
    check(Reason::Environment, &texts);
}

#[test]
fn programs_that_do_more() {
    let texts = [
        "python3 -c 'print(1)'",
        "python3 - <<'E'\nx\nE",
        "python3",
        "sudo python3 -c x",
        "node -e x",
        "node --eval=x",
        "node --ev x",
        "perl -pe x",
        "ruby -rx -e y",
        "awk 'BEGIN{system(\"rm x\")}'",
        "awk '{print > \"f\"}'",
        "awk \"$x\"",
        "sed 's/a/b/e' f",
        "sed '1e rm x' f",
        "sed -f x f",
        "sed 's/a/b/w out' f",
        "sed \"s/a/$x/\" f",
        "sed -n '1w out' f",
        "vim -c ':!rm x' f",
        "git -c core.pager='rm x' log",
        "git rebase --exec 'rm x' main",
        "git rebase -x 'rm x'",
        "git bisect run rm x",
        "git -C a -c b=c log",
        "git --git-dir a -cb=c log",
        "git clone -u x y",
        "git push --exec=x",
        "tar cIf prog a",
        "git grep -Oless a",
        "git fetch --upload=x y",
        "git submodule foreach 'rm x'",
        "git $x",
        "git rebase \"$x\"",
        "git clone 'ext::sh -c rm'",
        "git config alias.x '!rm'",
        "tar -xf a --to-command='rm x'",
        "tar xf a --checkpoint-action=exec=ls",
        "find . -fprint out",
        "find . -fprintf out x",
        "ssh host 'rm x'",
        "docker exec a rm x",
        "kubectl exec a -- rm x",
        "parallel rm ::: x",
        "sort --compress-program=x f",
        "env -u A ssh host ls",
        "echo x | xargs python3 -c y",
        "rsync -e x a b",
    ];
    check(Reason::HiddenWork, &texts);
}

#[test]
fn too_many_wrappers() {
    check(
        Reason::TooDeep,
        &[&format!("{}a", "nice ".repeat(shell::MAX_DEPTH + 1))],
    );
    assert_eq!(
        behind(&format!("{}a", "nice ".repeat(shell::MAX_DEPTH))).len(),
        shell::MAX_DEPTH
    );
}

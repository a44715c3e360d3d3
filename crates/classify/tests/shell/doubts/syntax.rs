//! What is not plain syntax, or not closed.

use portcullis_classify::shell::Reason;

use super::check;

#[test]
fn syntax() {
    let wrong = [
        "rm a\n)",
        "ls ;; rm a",
        "| rm a",
        "ls > > a",
        "fi",
        "function { rm a; }",
        "{ls;}",
        "ls &; rm a",
        "echo a (rm b)",
        "rm a)",
        "echo a=(b)",
        "a | ! b",
        "for in x; do a; done",
        "{ a; } b",
        "if a; then fi",
        "( )",
        "! ;",
        "time;",
        "a && || b",
        "[[ a ]] }",
        "case x in a b) c;; esac",
        "ls > 2>a",
        "time -x ls",
        "in a",
        "a[1]=(b)",
        "a=(b <c)",
        "a=(b [3]=<c <<<d)",
        "a=(b & c)",
        "a=(;)",
        "[[ a == ]]",
    ];
    check(
        Reason::Syntax,
        &wrong,
        &["{ (a) }", "! ! a", "if (a) then b; fi", "case x in (a) b;; esac"],
    );
    let open = [
        "rm a\nif",
        "echo 'a",
        "rm a\necho \"a",
        "echo $(rm a",
        "echo `rm b",
        "(rm a",
        "{ rm a }",
        "a=(b",
        "[[ a",
        "ls >",
        "echo \\",
        "echo ${x",
        "echo $'a",
        "for x in a",
        "for x in a; do b",
        "case x in a) b;;",
        "a &&",
        "a |",
        "echo ${x:-a",
        "while a; do b",
        "echo \"${x:-$(a\"",
    ];
    check(Reason::Unterminated, &open, &[]);
}

#[test]
fn heredocs() {
    let doubtful = [
        "cat <<A\nunterminated",
        "cat <<A",
        "cat <<A\nx\n A",
        "cat <<$x\na\n$x",
        "cat <<A'B'\nx\nAB",
        "cat <<''\n\n",
        "cat <<A\nx\\\nA\nrm a\nA",
        "echo $(cat <<A\nx\nA)",
        "echo $(cat <<A\nA b)\nA\n)",
        "cat <<A $(b\nc)\nx\nA",
        "echo $(a <<A &&\nA\nb; c)",
        "echo $(a <<A && b; c\nA\n)",
        "echo $(a <<A | b\nA\n)",
        "echo <(a <<A\nA\nb)",
        "cat <<A 'b\nc'\nx\nA",
        "echo $(cat <<A)\nx\nA",
        "echo `cat <<A`\nx\nA",
        "cat <<-A\n\t$(rm 'x\n\ty')\n\tA",
    ];
    let plain = [
        "cat <<A\nx\nA",
        "cat <<'A'\nx\\\nA\n",
        "cat <<\\A\n$(b)\nA",
        "cat <<\"A B\"\n$(b)\nA B\nc",
        "echo \"$(cat <<A\nx\nA\n)\"",
        "cat <<-A\n\t$(rm x) ${y}\n\tA",
        "cat <<A | wc\nA b)\nA",
    ];
    check(Reason::HereDocument, &doubtful, &plain);
}

#[test]
fn continued_lines() {
    let doubtful = [
        "a &\\\n& b",
        "a |\\\n| b",
        "a >\\\n> b",
        "a <\\\n(b)",
        "a ;\\\n; b",
        "i\\\nf a; then b; fi",
        "a\\\n=1 b",
        "echo 2\\\n>a",
        "echo $\\\n(a)",
        "echo \"$\\\n(a)\"",
        "echo $a\\\nb",
        "echo $(\\\n(1))",
        "(\\\n(1))",
    ];
    let plain = [
        "a && \\\n b",
        "a |\\\n  b",
        "ec\\\nho a",
        "rm \\\n -r \\\n x",
        "echo \"a\\\nb\"",
    ];
    check(Reason::Continuation, &doubtful, &plain);
}

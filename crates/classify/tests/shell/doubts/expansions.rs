//! Expansions whose meaning depends on more than the text.

use portcullis_classify::shell::Reason;

use super::check;

#[test]
fn patterns_and_braces() {
    let extended = [
        "ls !(a|b)",
        "ls @(a)",
        "ls a+(b)",
        "ls *(b)",
        "ls ?(b)",
        "[[ a == @(b|c) ]]",
        "!(a)",
    ];
    check(Reason::ExtendedGlob, &extended, &["ls *.c ?[ab]", "! (a)"]);
    let braces = [
        "echo {a,$(b)}",
        "echo {$x,b}",
        "echo $x{a,b}",
        "echo {1..3}`b`",
        "echo {a,$x}b",
        "echo {a,${x#y}}",
        "echo {a,$((1))}",
    ];
    check(
        Reason::BraceExpansion,
        &braces,
        &[
            "echo {a,b}",
            "echo {} $x",
            "echo {$(b)}",
            "echo '{a,'$(b)}",
            "echo {a,${x}}",
            "echo ${x}{a,b}",
            "echo \"$x\"{a,b} $x/{a,b}",
            "echo ~/{a,b}",
        ],
    );
}

#[test]
fn arithmetic_and_subscripts() {
    check(
        Reason::OldArithmetic,
        &["echo $[1]", "echo \"$[1]\"", "cat <<A\n$[1]\nA"],
        &["echo $ [1]"],
    );
    let arithmetic = [
        "n=$(cat f); echo $((n))",
        "n=$(wc -l f); echo $((n))",
        "n=$(date +%s 2>&1); echo $((n))",
        "n=$(date \"+$x\"); echo $((n))",
        "n=$(date +%c); echo $((n))",
        "n=$(echo x; wc -l); echo $((n))",
        "n=$(wc -l; echo x); echo $((n))",
        "n=$(grep -c a f g); echo $((n))",
        "n=$(grep -c a f || echo x); echo $((n))",
        "n=$(wc -l && echo 1); echo $((n))",
        "n=$(seq $x); echo $((n))",
        "echo $(( $(head f) ))",
        "echo $(( <(wc -l) ))",
        "echo $((x))",
        "((a))",
        "((rm a); rm b)",
        "echo $(( 1 + $(a) ))",
        "echo ${x:y}",
        "echo ${x:$y}",
        "for ((i=j;i<3;i++)); do a; done",
        "for ((i=0;i<3;i++)); do a; done; echo $((i))",
        "for i in $(a); do echo $((i)); done",
        "for i in 1 $((i)); do a; done",
        "for i; do echo $((i)); done",
        "echo $((i)); i=1",
        "i=$((i))",
        "i=$(a); echo $((i))",
        "i=1; i=$(a); echo $((i))",
        "i=1; while a; do echo $((i)); i=$(b); done",
        "i=1 | a; echo $((i))",
        "i=1 & echo $((i))",
        "i=1 >f; echo $((i))",
        "(i=1); echo $((i))",
        "a && i=1; echo $((i))",
        "if a; then i=1; fi; echo $((i))",
        "if a; then i=1; else echo $((i)); fi",
        "i=1 a; echo $((i))",
        "i=(1); echo $((i))",
        "i=1; read i; echo $((i))",
        "i=1; a | read x i; echo $((i))",
        "i=1; read \"$x\"; echo $((i))",
        "i=1; printf -v i '%s' x; echo $((i))",
        "i=1; export i=$x; echo $((i))",
        "i=1; unset i; echo $((i))",
        "i=1; eval 'i=x'; echo $((i))",
        "i=1; sh -c 'echo $((i))'; echo $((j))",
        "cat <<A; i=1\n$((i))\nA",
        "y=$(echo $((i))) i=1",
        "((a && (i=1))); echo $((i))",
        "((i=i+1))",
        "((i++))",
        "REPLY=1; read; echo $((REPLY))",
        "i=1; echo $((i[0]))",
        "i=1; echo $((${i}x))",
        "echo $((1x))",
        "(( a[\\$(rm x)] ))",
        "echo $((1) )",
        "((1) )",
        "echo $((rm a) )",
        "x=1; echo $(('x'))",
    ];
    let plain = [
        "n=$(date +%s); a; echo $(( $(date +%s) - n ))",
        "n=$(a | grep -v b | wc -l); [ $n -gt 3 ]",
        "n=$(grep -c a f 2>/dev/null || true); echo $((n + 1))",
        "n=$(wc -l < f || echo 0); echo $((n))",
        "n=$( (a; b) | wc -l); echo $((n))",
        "for i in $(seq 1 5); do echo $((i * 2)); done",
        "echo $(( `nproc` * 2 ))",
        "echo $((1 + 2 * (0x1f - 3)))",
        "((1))",
        "for ((;;)); do a; break; done",
        "echo ${x:1} ${x: -2:1}",
        "for ((i=0;i<3;i++)); do a $((i*2)); done",
        "i=1; echo $((i + 1)) $(( $i )) $((${i}))",
        "i=0; while [ $i -lt 3 ]; do i=$((i+1)); ((i++)); done",
        "i=0; while [[ $i -lt 3 ]]; do ((i+=2)); done",
        "i=0 && ((i))",
        "((i=0, j=1)); ((i+j))",
        "i=0; a | while read -r line; do i=$((i+1)); done",
        "for i in 1 2 {4..6}; do a $((i)); done",
        "i=1; (echo $((i))); a \"$(b $((i)))\"",
        "n=$#; a $((n-1)) $(($# - 1))",
        "i=1; printf '%s\\n' $((i))",
        "i=1; export x=$y; a $((i))",
    ];
    check(Reason::Arithmetic, &arithmetic, &plain);
    let subscripts = [
        "echo ${a[$(rm a)]}",
        "a[x]=1",
        "a[$(rm a)]=1",
        "echo ${a[i]}",
        "a=([x]=1)",
        "a[ls]",
        "ls {a[1]}>f",
    ];
    check(
        Reason::Subscript,
        &subscripts,
        &[
            "echo ${a[0]} ${a[@]} ${#a[*]}",
            "a[3]=x",
            "a=([5]=x y)",
            "a=(x # )\n y\n#z\n)",
        ],
    );
}

#[test]
fn parameters() {
    let forms = [
        "echo ${ rm a; }",
        "echo ${| rm a; }",
        "echo ${x@P}",
        "echo ${!x}",
        "echo ${x@A}",
        "echo ${x:-(a)}",
        "echo ${x:-{}",
        "echo \"${x:-\\}}\"",
        "echo ${x:-<(rm a)}",
        "echo ${x:-a\nb}",
        "echo ${}",
    ];
    let plain = [
        "echo ${x:-y} ${x#a} ${x%%b*} ${x/a/b} ${x^^} ${x@Q} ${!x@} ${!a[@]} ${#x} ${#}",
        "echo ${x:-$(a)} ${x:-\\}} ${x//\\//_} ${x:-'}'}",
    ];
    check(Reason::Expansion, &forms, &plain);
    let quotes = [
        "echo \"${x:-'$(rm y)'}\"",
        "echo \"${x:-\"a b\"}\"",
        "cat <<A\n${x:-'a'}\nA",
        "echo ${x:-$'a'}",
    ];
    check(
        Reason::QuotesInExpansion,
        &quotes,
        &["echo ${x:-'$(rm y)'} ${x:-\"}\"}", "echo \"${x:-a b}\""],
    );
}

#[test]
fn backquotes_and_escapes() {
    let doubtful = [
        "echo `echo \\`id\\``",
        "echo `echo \\$(id)`",
        "echo `a\\\nb`",
        "echo \"`a \"b\"`\"",
        "cat <<A\n`a \"b\"`\nA",
    ];
    check(
        Reason::Backquotes,
        &doubtful,
        &["echo `a \"b\" 'c'`", "echo \"`a b`\"", "echo `# a`b"],
    );
    let escapes = [
        "echo $'a\\0b'",
        "echo $'\\q'",
        "echo $'\\u00e9'",
        "echo $'\\c1'",
        "echo $'\\x'",
        "echo $'\\777'",
    ];
    check(
        Reason::Escape,
        &escapes,
        &["$'\\x72\\x6d' $'\\101\\e\\cA\\n\\u0041'"],
    );
    let closing = ["rm -rf <&-/home", "rm >&-x y", "echo a<&-$(rm x)", "echo >&-<(a)"];
    check(
        Reason::TextAfterClosing,
        &closing,
        &["a >&- b", "a 2>&-;b", "a >&->c"],
    );
}

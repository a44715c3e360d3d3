#![expect(clippy::expect_used, reason = "a table that does not read is a failed test")]

use portcullis_audit::Redacted;
use proptest::prelude::*;

/// How secrets are spelt in arguments, commands, paths, addresses and answers. `§` stands for the secret, and what
/// follows `=>` is what must be left of the text.
const SPELLINGS: &str = r#"
password=§                                           => password=***
PASSWORD = §                                         => PASSWORD = ***
export DB_PASS=§ && ./run                            => export DB_PASS=*** && ./run
MYSQL_PWD=§ mysql                                    => MYSQL_PWD=*** mysql
AWS_SECRET_ACCESS_KEY=§                              => AWS_SECRET_ACCESS_KEY=***
dbPass: §                                            => dbPass: ***
password: §                                          => password: ***
password="§"                                         => password="***"
password='two § words'                               => password='***'
password=ab"c §"d end                                => password=*** end
password=it\'§                                       => password=***
password=a\ §                                        => password=***
{"password":"§","user":"ann"}                        => {"password":"***","user":"ann"}
{"Password" : "§"}                                   => {"Password" : "***"}
{\"token\":\"§\",\"n\":1}                            => {\"token\":\"***\",\"n\":1}
{"secret":{"name": "x", "value": "§"},"n":1}         => {"secret":***,"n":1}
{"tokens": ["a b", "§"], "n": 1}                     => {"tokens": ***, "n": 1}
user[password]=§&user[name]=ann                      => user[password]=***&user[name]=ann
%22password%22%3A%22§%22                             => %22password%22%3A***
https://h.example/?q=1&access_token=§&b=2            => https://h.example/?q=1&access_token=***&b=2
https://h.example/?next=%2F%3Fapi_key%3D§            => https://h.example/?next=%2F%3Fapi_key%3D***
https://ann:§@h.example/x                            => https://***@h.example/x
https://§:x-oauth-basic@h.example/x                  => https://***@h.example/x
postgres://ann:p@§/d@h.example/db                    => postgres://***@h.example/db
postgres://ann:p/§@h.example/db                      => postgres://***@h.example/db
redis://:§@h.example:6379/0                          => redis://***@h.example:6379/0
https%3A%2F%2Fann%3A§%40h.example                    => https%3A%2F%2F***%40h.example
git clone 'https://ann:§@h.example/r.git' r          => git clone 'https://***@h.example/r.git' r
ann:§@h.example                                      => ann:***@h.example
curl -H "Authorization: Bearer §" https://h.example  => curl -H "Authorization: ***" https://h.example
curl -H 'X-Api-Key: §' -d "foo bar"                  => curl -H 'X-Api-Key: ***' -d "foo bar"
Authorization: Basic §                               => Authorization: ***
Proxy-Authorization: Digest username="a", r="§"      => Proxy-Authorization: ***
{"headers":{"Authorization":"Bearer §"},"n":1}       => {"headers":{"Authorization":"***"},"n":1}
Cookie: a=1; sid=§; b=2                              => Cookie: ***
authenticated with Bearer §                          => authenticated with Bearer ***
curl -u ann:§ https://h.example                      => curl -u ann:*** https://h.example
curl --user=ann:§ https://h.example                  => curl --user=ann:*** https://h.example
tool --password § --force                            => tool --password *** --force
tool --api-key=§ x                                   => tool --api-key=*** x
tool --client-secret "§ with blanks" x               => tool --client-secret "***" x
tool -token § x                                      => tool -token *** x
sshpass -p § ssh ann@h.example                       => sshpass -p *** ssh ann@h.example
sshpass -p'§' ssh ann@h.example                      => sshpass -p'***' ssh ann@h.example
mysql -u root -p§ db                                 => mysql -u root -p*** db
redis-cli -a § ping                                  => redis-cli -a *** ping
openssl rsa -passin pass:§                           => openssl rsa -passin ***
machine h.example login ann password §               => machine h.example login ann password ***
the password is §                                    => the password is ***
set the password to §                                 => set the password to ***
PGPASSWORD=§;rm -rf build                            => PGPASSWORD=***;rm -rf build
$env:API_TOKEN = "§"                                 => $env:API_TOKEN = "***"
AccountName=x;AccountKey=§;EndpointSuffix=y          => AccountName=x;AccountKey=***;EndpointSuffix=y
//registry.example/:_authToken=§                     => //registry.example/:_authToken=***
https://s.example/c?sv=2024&sig=§                    => https://s.example/c?sv=2024&sig=***
/srv/token=§/file                                    => /srv/token=***
https://hooks.slack.com/services/T0/B0/§             => https://hooks.slack.com/services/***
pass\u{200b}word=§                                   => pass\u{200b}word=***
p\u{202e}assword=§                                   => p\u{202e}assword=***
pass\u{1b}[0mword=§                                  => pass\u{1b}[0mword=***
ｐａｓｓｗｏｒｄ＝§                                   => ｐａｓｓｗｏｒｄ＝***
A=1\u{0}PASSWORD=§\u{0}B=2                           => A=1\u{0}PASSWORD=***\u{0}B=2
password=§\u{a}next line                             => password=***\u{a}next line
-----BEGIN RSA PRIVATE KEY-----\u{a}§\u{a}-----END RSA PRIVATE KEY-----\u{a}ok => ***\u{a}ok
-----BEGIN OPENSSH PRIVATE KEY----- § and no end     => ***
contraseña=§                                         => contraseña=***
MOT_DE_PASSE: §                                      => MOT_DE_PASSE: ***
密码=§                                               => 密码=***
DB_PASS2=§                                           => DB_PASS2=***
DB_PASS_STAGING=§                                    => DB_PASS_STAGING=***
https://h.example/?key=§&x=1                         => https://h.example/?key=***&x=1
https://h.example/cb?code=§                          => https://h.example/cb?code=***
https://h.example/?api%5Fkey=§                       => https://h.example/?api%5Fkey=***
https://h.example/?pass%77ord=§                      => https://h.example/?pass%77ord=***
{"name":"DB_PASSWORD","value":"§"}                   => {"name":"DB_PASSWORD","value":"***"}
ParameterKey=ApiToken,ParameterValue=§               => ParameterKey=ApiToken,ParameterValue=***
<user><password>§</password></user>                  => <user><password>***</password></user>
<property name="password">§</property>               => <property name="password">***</property>
IDENTIFIED BY '§' x                                  => IDENTIFIED BY '***' x
password: |\u{a}  §\u{a}  §\u{a}next: 1              => password: |\u{a}  ***\u{a}next: 1
"#;

/// Tokens that are recognised without a name.
const TOKENS: [&str; 22] = [
    "sk-proj-abcDEF0123456789abcd",
    "sk-abcdefghijklmnopqrstuvwx",
    "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "github_pat_11ABCDEFG0abcdefghijkl_mnop",
    "glpat-ABCdef123456ghiJKL78",
    "xoxb-123456789012-abcdefghij",
    "AKIAIOSFODNN7EXAMPLE",
    "AIzaSyA-1234567890abcdefghijklmnopqrstu",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
    "npm_abcdefghijklmnop0123456789",
    "hf_AbCdEfGhIjKlMnOpQr",
    "SG.abcdefghijklmnop.qrstuvwxyz",
    "dckr_pat_AbCdEfGhIjKlMn",
    "ya29.a0AfH6SMBxAbCdEfGhIj",
    "AGE-SECRET-KEY-1QYQSZQGPQ",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
    "9f86d081884c7d659a2feaa0c55ad015",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "q7xk29fmz3p81vnt64bwh5cd",
    "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MEFCQ0RFRg==",
];

/// Texts that hold no secret and must stay readable as they are.
const HARMLESS: [&str; 25] = [
    "delete build/cache",
    "/home/ann/projects/portcullis/crates/audit/src/redact/mod.rs",
    "/home/ann/.config/token/README.md",
    "/w/node_modules/@types/node/index.d.ts",
    "cargo test --workspace --all-targets",
    "git clone https://example.com/ann/portcullis.git",
    "git@github.com:ann/portcullis.git",
    "ssh://git@github.com/ann/portcullis.git",
    "https://registry.example/@scope/package/-/package-1.2.3.tgz",
    "https://example.com:8443/a/b?c=d&e=f#g",
    "docker pull alpine:3.20@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    "toolu_01A09q90qw90lq917835lq9",
    "createUserWithEmailAndPasswordConfirmation",
    "x86_64-unknown-linux-gnu",
    "libportcullis_audit-3f2a9c1b7d8e4f50.rlib",
    "rm -rf target/debug/incremental/portcullis_audit-1a2b3c4d",
    "the bearer of this",
    "echo 'it is only a test' | tee out.txt",
    "mkdir -p a/b/c",
    "find . -name '*.rs' -exec wc -l {} +",
    "tar -czf backup-2026-11-30T10-00-00.tar.gz src",
    "Größe: 12 äöü 漢字 🦀",
    "C:\\Users\\ann\\new\\table.txt",
    "{\"path\":\"src/lib.rs\",\"limit\":100}",
];

/// Undoes the table's spelling of characters that cannot stand in a source file.
fn real(text: &str) -> String {
    ["\u{200b}", "\u{202e}", "\u{1b}", "\0", "\n"]
        .iter()
        .fold(text.to_owned(), |text, unseen| {
            let number = u32::from(unseen.chars().next().unwrap_or_default());
            text.replace(&format!("\\u{{{number:x}}}"), unseen)
        })
}

fn spellings() -> impl Iterator<Item = (&'static str, &'static str)> {
    SPELLINGS.trim().lines().map(|line| {
        let (spelling, left) = line.split_once("=> ").expect("every line has both sides");
        (spelling.trim_end(), left)
    })
}

#[test]
fn no_spelling_of_a_secret_leaks() {
    let mut tried = 0;
    for (spelling, left) in spellings() {
        for secret in ["hunter2", "correct-horse", "S3cr3t!x", "Zx81-Qq+7=", "tr0ub4dor"] {
            for spelling in [real(spelling), spelling.to_owned()] {
                let text = Redacted::text(&spelling.replace('§', secret));
                assert_eq!(text.as_str(), left, "{spelling} with {secret}");
                assert!(!format!("{text} {text:?}").contains(secret));
            }
            tried += 1;
        }
    }
    assert!(tried >= 60 * 5, "{tried} spellings tried");
}

#[test]
fn tokens_of_known_shape_need_no_name() {
    for token in TOKENS {
        for spelling in [
            "§",
            "use § now",
            "a=§&b=1",
            "\"§\"",
            "(§)",
            "[\"x\",\"§\"]",
            "x\t§\n",
        ] {
            let text = Redacted::text(&spelling.replace('§', token)).to_string();
            let core = token.get(token.len() / 3..).unwrap();
            assert!(
                text.contains("***") && !text.contains(core),
                "{spelling} with {token}: {text}"
            );
        }
    }
}

#[test]
fn harmless_text_stays_readable() {
    for text in HARMLESS {
        assert_eq!(Redacted::text(text).as_str(), text);
    }
}

#[test]
fn ids_keep_what_looks_random_and_nothing_else() {
    let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    assert_eq!(Redacted::id(digest).as_str(), digest);
    assert_eq!(Redacted::text(digest).as_str(), "***");
    assert_eq!(
        Redacted::id("ghp_16C7e42F292c6912E7710c838347Ae178B4a").as_str(),
        "***"
    );
    assert_eq!(Redacted::id("a\u{1b}b").as_str(), "a\\u{1b}b");
}

#[test]
fn what_cannot_be_seen_becomes_visible() {
    for (raw, shown) in [
        ("a\u{1b}[31mred", "a\\u{1b}[31mred"),
        ("a\u{202e}b\u{2066}c", "a\\u{202e}b\\u{2066}c"),
        ("a\u{200b}\u{200d}\u{feff}b", "a\\u{200b}\\u{200d}\\u{feff}b"),
        (
            "a\tb\nc\rd\u{85}e\u{2028}f",
            "a\\u{9}b\\u{a}c\\u{d}d\\u{85}e\\u{2028}f",
        ),
        ("a\u{a0}b\u{3000}c\u{3164}d", "a\\u{a0}b\\u{3000}c\\u{3164}d"),
        ("a\u{e0041}\u{fe0f}b\u{e000}c", "a\\u{e0041}\\u{fe0f}b\\u{e000}c"),
        ("a\u{7f}\u{9b}b", "a\\u{7f}\\u{9b}b"),
    ] {
        assert_eq!(Redacted::text(raw).as_str(), shown);
        assert_eq!(Redacted::text(shown).as_str(), shown);
    }
    assert_eq!(Redacted::bytes(b"/w/\xff\xfe.txt").as_str(), "/w/\\xff\\xfe.txt");
}

#[test]
fn long_text_keeps_its_beginning_and_end() {
    let long = format!("/start/{}/end.txt", "ab/".repeat(2000));
    let text = Redacted::text(&long).to_string();
    assert!(text.len() <= Redacted::LONGEST);
    assert!(text.starts_with("/start/") && text.contains('…') && text.ends_with("/end.txt"));
    let huge = "word ".repeat(1 << 20);
    assert!(Redacted::text(&huge).as_str().len() <= Redacted::LONGEST);
}

#[test]
fn a_secret_at_the_edge_of_what_is_read_is_not_half_shown() {
    for shift in 0..80 {
        let text = format!(
            "password='{}' {} ghp_16C7e42F292c6912E7710c838347Ae178B4a",
            "x".repeat(16_280 + shift),
            "y"
        );
        let shown = Redacted::text(&text).to_string();
        assert!(!shown.contains("ghp_"), "{shift}: {shown}");
    }
}

/// Pieces that masking has opinions about, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "password",
            "=",
            ":",
            " ",
            "\"",
            "'",
            "\\",
            "\\\"",
            "[",
            "{",
            "}",
            "]",
            "&",
            ";",
            "://",
            "@",
            "/",
            "%3D",
            "%22",
            "--token",
            "-p",
            "sshpass",
            "curl",
            "-u",
            "Bearer ",
            "Authorization: ",
            "sk-",
            "ghp_",
            "eyJ",
            ".",
            "***",
            "…",
            "-----BEGIN RSA PRIVATE KEY-----",
            "-----END ",
            "\u{1b}[",
            "m",
            "\u{200b}",
            "\n",
            "\\u{1b}",
            "\\xff",
            "is",
            "hunter2",
            "9f86d081884c7d659a2feaa0c55ad015",
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCY",
            "ä",
            "🦀",
            "，",
            "＝",
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z0-9]{1,40}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn masking_twice_is_masking_once(raw in pieces()) {
        let once = Redacted::text(&raw);
        prop_assert!(once.as_str().len() <= Redacted::LONGEST);
        prop_assert_eq!(&Redacted::text(once.as_str()), &once);
        let id = Redacted::id(&raw);
        prop_assert_eq!(&Redacted::id(id.as_str()), &id);
    }

    #[test]
    fn nothing_invisible_comes_out(raw in prop::collection::vec(any::<u8>(), 0..600), text in any::<String>()) {
        for shown in [Redacted::bytes(&raw), Redacted::text(&text)] {
            prop_assert!(shown.as_str().len() <= Redacted::LONGEST);
            prop_assert_eq!(&Redacted::text(shown.as_str()), &shown);
            for c in shown.as_str().chars() {
                prop_assert!(!c.is_control() && (c == ' ' || !c.is_whitespace()));
                let moves = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
                prop_assert!(!moves);
            }
        }
    }

    #[test]
    fn a_named_secret_is_masked_in_any_company(
        before in pieces(), name in "(db_|my-)?(password|TOKEN|apiKey|client_secret)", sign in "=|:|: | = |\":\"|%3D",
        secret in "[a-z]{6}[0-9]{4}", after in "( [a-z]{1,9}){0,5}",
    ) {
        let text = Redacted::text(&format!("{before} {name}{sign}{secret}{after}")).to_string();
        prop_assert!(!text.contains(&secret), "{}", text);
    }

    #[test]
    fn a_text_without_secrets_is_kept(words in prop::collection::vec("[a-z]{1,8}", 1..30)) {
        let text = words.join(" ");
        prop_assume!(!["pass", "pwd"].iter().any(|word| text.contains(word)));
        prop_assert_eq!(Redacted::text(&text).to_string(), text);
    }
}

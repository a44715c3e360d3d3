//! Commands whose words hide what they do behind a look of harmlessness, and their plain forms.

use portcullis_classify::Risk;
use rstest::rstest;

use crate::commands::judge;
use crate::scene::Scene;

/// What looks like reading, printing or naming, and is more to the program.
#[rstest]
fn what_only_seems_harmless_asks(
    #[values(
        "perl -pe 's/a/b/' 'rm -rf src|'",
        "perl -ne 'print if /a/' '>notes.txt'",
        "perl -ne 'print if /a/' '<notes.txt'",
        "perl -pe 's/a/$1[system q(rm -rf src)]/' notes.txt",
        "perl -pi -e 's/a/b/' absent.sh; bash absent.sh",
        "perl -i'/tmp/*' -pe s/a/b/ notes.txt",
        "sed -i'/tmp/*' p notes.txt",
        "sed --in-place='../*' p notes.txt",
        "sed 's/[^^][]/]/g;p;#/w f' notes.txt",
        "sed 's/[[.].]/]/g;p;#/w f' notes.txt",
        "python3 -c 'print(\"\"\"a\"\"\")'",
        "python3 -c \"print('''a''')\"",
        "x=1; printf -vx 'a[$(touch p)]'; echo $((x))",
        "x=1; read -ax <<< 'a[$(id)]'; echo $((x))",
        "node --env-file=/tmp/cfg.txt --check src/main.rs",
        "echo x > manage.py; python manage.py migrate",
        "echo x > artisan; php artisan test",
        "echo x > .justfile; just",
        "protoc --python_out=x:/home/u/lib notes.txt",
        "valgrind --tool=../evil ls",
        "docker inspect -f '{{. | json}}' c",
        "docker inspect -f '{{json $}}' c",
        "docker inspect -f '{{.Config | json}}' c",
        "docker inspect -f '{{(.Config)}}' c",
        "docker inspect -f '{{.Config.Image}}' c",
        "kubectl get svc/web secret/db -o yaml"
    )]
    text: &str,
) {
    assert!(judge(&Scene::new(), text) >= Risk::Confirm, "{text}");
}

/// And the plain forms of the same run.
#[rstest]
fn what_is_as_harmless_as_it_seems_runs(
    #[values(
        "perl -pe 's/(a)/$1b/' notes.txt",
        "perl -ne 'print if /a/' src/*.rs",
        "perl -pi.bak -e 's/a/b/' notes.txt",
        "sed -i.bak 's/[^a]/b/' notes.txt",
        "sed 's/[[:alpha:]]*/x/' notes.txt",
        "python3 -c 'print(1)'",
        "x=1; echo $((x+1))",
        "docker inspect -f '{{.State.Status}}' c",
        "kubectl get pods -o wide"
    )]
    text: &str,
) {
    assert_eq!(judge(&Scene::new(), text), Risk::Allow, "{text}");
}

//! Every case of `tests/windows/syntax.jsonl`: a text in `C:\\work\\app`, and the path that Win32 would read or the fault
//! that it is refused for. Where a disk has to be asked (short names, junctions) the text is all that is read here.

use portcullis_paths::WindowsPath;
use serde_json::Value;

#[test]
fn every_windows_text_is_read_or_refused() {
    let cases = include_str!("../windows/syntax.jsonl");
    let cwd = WindowsPath::absolute(r"C:\work\app").unwrap();
    let mut count = 0;
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).expect(line);
        let read = cwd.join(case["text"].as_str().expect(line));
        let dir = case.get("dir").is_some();
        assert!(read.as_ref().is_ok_and(WindowsPath::must_be_dir) == dir, "{line}");
        match (case.get("is"), case.get("fault")) {
            (Some(place), None) => assert_eq!(
                read.map(|path| path.to_string()).as_deref(),
                Ok(place.as_str().unwrap()),
                "{line}"
            ),
            (None, Some(fault)) => assert_eq!(
                format!("{:?}", read.unwrap_err()),
                fault.as_str().unwrap(),
                "{line}"
            ),
            _ => panic!("a case has a place or a fault: {line}"),
        }
        count += 1;
    }
    assert!(count >= 44, "only {count} cases were found");
}

//! A text on its way to a plain one: the names read so far, and the rest behind the first `..`.

use std::ffi::CStr;
use std::os::fd::OwnedFd;

use super::walk::MAX_DEPTH;
use crate::bytes::any_pair;

/// Longer places are walked; the kernel takes no more than a page.
pub(super) const MAX_PLACE: usize = 3072;
/// Bytes read, those of links included. A component takes two, so the walk would not run out of steps earlier.
const MAX_READ: usize = 16_000;

/// An absolute text without `.`, `..` or empty components, and what has to be read behind it.
pub(super) struct Text {
    /// `/`, or names with a slash before each.
    pub(super) place: Vec<u8>,
    /// Only a directory can satisfy the end, as far as it is read (R9).
    pub(super) must_be_dir: bool,
    /// Empty, or text whose part from `at` on begins with `..`.
    rest: Vec<u8>,
    at: usize,
    read: usize,
    is_read_on: bool,
    /// A directory that was opened on the way, and where its name ends in the place.
    trail: Option<(usize, OwnedFd)>,
    root: Option<usize>,
}

impl Text {
    /// With room for both; nothing is read yet.
    #[inline]
    pub(super) fn with_room_for(cwd: &[u8], path: &[u8]) -> Self {
        Self {
            place: Vec::with_capacity(cwd.len() + path.len() + 3),
            must_be_dir: false,
            rest: Vec::new(),
            at: 0,
            read: cwd.len() + path.len(),
            is_read_on: false,
            trail: None,
            root: None,
        }
    }

    /// Reads up to the first `..`. Nothing is allocated when there is none. A working directory that is a root's place need
    /// not be read.
    #[inline]
    pub(super) fn begin(&mut self, cwd: &[u8], path: &[u8], root: impl FnOnce(&[u8]) -> Option<usize>) {
        if cwd.len() > 1 {
            self.root = root(cwd);
        }
        if self.root.is_some() {
            self.place.extend_from_slice(cwd);
            if is_clean(path) {
                return self.add(path);
            }
        } else if let Some(left) = self.push(cwd) {
            self.rest = [left, b"/", path].concat();
        }
        if self.rest.is_empty()
            && let Some(left) = self.push(path)
        {
            self.rest = left.to_vec();
        }
        self.close();
    }

    /// The root that is surely on the way: its place was the working directory's.
    pub(super) fn root(&self) -> Option<usize> {
        self.root
    }

    /// Does something with what the place spells from that byte on, as the kernel takes it. Nothing is copied for that.
    pub(super) fn spelled<T>(&mut self, from: usize, with: impl FnOnce(&CStr) -> T) -> Option<T> {
        self.place.push(0);
        let text = self.place.get(from..).unwrap_or_default();
        let done = CStr::from_bytes_with_nul(text).map(with);
        self.place.pop();
        done.ok()
    }

    /// Where the way to the first `end` bytes was left, if that is below the first `start` bytes: nothing has changed since
    /// in what the place spells up to there.
    pub(super) fn take_trail(&mut self, start: usize, end: usize) -> Option<(usize, OwnedFd)> {
        let (at, dir) = self.trail.take()?;
        let whole = at == end || self.place.get(at) == Some(&b'/');
        (start < at && at <= end && whole).then_some((at, dir))
    }

    pub(super) fn keep_trail(&mut self, trail: Option<(usize, OwnedFd)>) {
        self.trail = trail;
    }

    /// Leaves the first `end` bytes.
    fn cut(&mut self, end: usize) {
        self.place.truncate(end);
        self.root = None;
        self.trail.take_if(|(at, _)| *at > end);
    }

    /// It is short enough for one call of the kernel. What the walk refuses is refused on every way.
    pub(super) fn fits(&self) -> bool {
        let deep = self.place.len() > MAX_DEPTH
            && self.place.iter().filter(|byte| **byte == b'/').count() >= MAX_DEPTH;
        self.place.len() <= MAX_PLACE && !deep && self.read <= MAX_READ
    }

    /// A `..` was taken or a link followed: the way went through other places than the one it came to.
    pub(super) fn is_read_on(&self) -> bool {
        self.is_read_on
    }

    /// A `..` comes next.
    pub(super) fn climbs(&self) -> bool {
        self.at < self.rest.len()
    }

    /// Takes the `..` that come next: what the place spells is a directory and canonical. `None` where they would lead
    /// out of the first `floor` bytes.
    pub(super) fn climb(&mut self, floor: usize) -> Option<()> {
        while let Some((component, end)) = self.next() {
            if component == b".." {
                let parent = self.place.iter().rposition(|byte| *byte == b'/')?;
                if parent < floor || self.place == b"/" {
                    return None;
                }
                self.cut(parent);
            } else if !matches!(component, b"" | b".") {
                break;
            }
            self.at = end;
        }
        self.must_be_dir = true;
        self.read_on();
        Some(())
    }

    /// Puts a link's text in place of its name, which ends at that byte of the place.
    pub(super) fn expand(&mut self, end: usize, link: &[u8]) -> Option<()> {
        let behind = self.place.get(end..)?;
        let left = self.rest.get(self.at..).unwrap_or_default();
        let slash: &[u8] = if !left.is_empty() || self.must_be_dir {
            b"/"
        } else {
            b""
        };
        self.rest = [link, behind, slash, left].concat();
        self.at = 0;
        self.read += link.len();
        let parent = if link.first() == Some(&b'/') {
            0
        } else {
            let before = self.place.get(..end)?;
            before.iter().rposition(|byte| *byte == b'/')?
        };
        self.cut(parent);
        self.read_on();
        Some(())
    }

    /// The next component of the rest, and where the one after it begins.
    fn next(&self) -> Option<(&[u8], usize)> {
        let left = self.rest.get(self.at..).filter(|left| !left.is_empty())?;
        let end = left.iter().position(|byte| *byte == b'/').unwrap_or(left.len());
        Some((left.get(..end)?, (self.at + end + 1).min(self.rest.len())))
    }

    fn read_on(&mut self) {
        self.is_read_on = true;
        let rest = std::mem::take(&mut self.rest);
        if self.place == b"/" {
            self.cut(0);
        }
        let unread = rest.get(self.at..).unwrap_or_default();
        if !unread.is_empty() {
            self.at = self
                .push(unread)
                .map_or(rest.len(), |left| rest.len() - left.len());
        }
        self.rest = rest;
        self.close();
    }

    fn close(&mut self) {
        if self.place.is_empty() {
            self.place.push(b'/');
        }
    }

    #[inline]
    fn add(&mut self, names: &[u8]) {
        self.place.push(b'/');
        self.place.extend_from_slice(names);
    }

    /// Reads names up to the first `..`, which what is left begins with.
    fn push<'a>(&mut self, path: &'a [u8]) -> Option<&'a [u8]> {
        let names = path.strip_prefix(b"/").unwrap_or(path);
        // A text that is read on again and again is not looked at as a whole each time.
        if !self.is_read_on && is_clean(names) {
            self.must_be_dir = false;
            self.add(names);
            return None;
        }
        let mut left = path;
        loop {
            let end = left.iter().position(|byte| *byte == b'/');
            let component = left.get(..end.unwrap_or(left.len())).unwrap_or_default();
            if component == b".." {
                return Some(left);
            }
            self.must_be_dir = matches!(component, b"" | b".");
            if !self.must_be_dir {
                self.place.push(b'/');
                self.place.extend_from_slice(component);
            }
            left = left.get(end? + 1..).unwrap_or_default();
        }
    }
}

/// Surely no component is empty, `.` or `..`, as in nearly every path: then the text stays as it is. Of names that begin
/// with a dot this is not sure.
fn is_clean(names: &[u8]) -> bool {
    let begins = !matches!(names.first(), None | Some(b'/' | b'.'));
    let ends = names.last() != Some(&b'/');
    begins && ends && !follows_slash(names)
}

/// Somewhere a slash or a dot stands behind a slash.
fn follows_slash(names: &[u8]) -> bool {
    let (Some((_, first)), Some((_, second))) = (names.split_last(), names.split_first()) else {
        return false;
    };
    any_pair(first, second, |first, second| {
        u8::from(first == b'/') & (u8::from(second == b'/') | u8::from(second == b'.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cwd: Option<&str>, path: &str) -> Text {
        let (cwd, path) = (cwd.unwrap_or_default().as_bytes(), path.as_bytes());
        let mut text = Text::with_room_for(cwd, path);
        text.begin(cwd, path, |cwd| (cwd == b"/w").then_some(0));
        text
    }

    fn shown(text: &Text) -> String {
        let place = String::from_utf8(text.place.clone()).unwrap();
        let rest = String::from_utf8(text.rest[text.at.min(text.rest.len())..].to_vec()).unwrap();
        let dir = if text.must_be_dir { " dir" } else { "" };
        format!("{place}{dir} {rest}").trim_end().to_owned()
    }

    #[test]
    fn a_plain_text_is_put_together_one_way() {
        for (cwd, path, expected) in [
            (Some("/w"), "a/b", "/w/a/b"),
            (Some("/w/"), "a//b", "/w/a/b"),
            (Some("/w"), "./a/./b/", "/w/a/b dir"),
            (Some("/w"), ".git/.x", "/w/.git/.x"),
            (Some("/w"), "a/..b/c..", "/w/a/..b/c.."),
            (Some("/w/.x/y"), ".x/..y/.z/...", "/w/.x/y/.x/..y/.z/..."),
            (Some("/w"), "a/./b", "/w/a/b"),
            (Some("/w"), "./b", "/w/b"),
            (Some("/w"), ".a/.", "/w/.a dir"),
            (Some("/w"), "a/.", "/w/a dir"),
            (Some("/w"), ".", "/w dir"),
            (Some("/w"), "a/", "/w/a dir"),
            (Some("/"), "a", "/a"),
            (Some("/w"), "a/../b", "/w/a ../b"),
            (Some("/w"), "..", "/w .."),
            (Some("/w/.."), "a", "/w ../a"),
            (Some("/w/../x"), "a/..", "/w ../x/a/.."),
            (None, "/a/b", "/a/b"),
            (None, "/", "/ dir"),
            (None, "//a", "/a"),
        ] {
            assert_eq!(shown(&of(cwd, path)), expected, "{cwd:?} {path}");
        }
    }

    #[test]
    fn dots_are_taken_together_and_stay_above_the_floor() {
        for (path, floor, expected) in [
            ("/w/a/../b", 2, Some("/w/b")),
            ("/w/a/..", 2, Some("/w dir")),
            ("/w/a/b/.././/../c/", 2, Some("/w/c dir")),
            ("/w/a/../b/../c", 2, Some("/w/b ../c")),
            ("/w/a/../../b", 2, None),
            ("/w/../b", 2, None),
            ("/a/../b", 0, Some("/b")),
            ("/a/..", 0, Some("/ dir")),
            ("/../a", 0, None),
        ] {
            let mut text = of(None, path);
            assert!(text.climbs());
            let climbed = text.climb(floor).map(|()| shown(&text));
            assert_eq!(climbed.as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn a_link_is_put_in_its_place() {
        for (path, end, link, expected) in [
            ("/w/l", 4, "to", "/w/to"),
            ("/w/l/x", 4, "to/", "/w/to/x"),
            ("/w/l/", 4, "to", "/w/to dir"),
            ("/w/l", 4, "to/", "/w/to dir"),
            ("/w/l/x", 4, "/a/b", "/a/b/x"),
            ("/w/l/x", 4, "../b", "/w ../b/x"),
            ("/w/l/../x", 4, "a/b", "/w/a/b ../x"),
            ("/w/l/x/..", 4, "/", "/x .."),
            ("/l", 2, ".", "/ dir"),
        ] {
            let mut text = of(None, path);
            text.expand(end, link.as_bytes()).unwrap();
            assert_eq!(shown(&text), expected, "{path} -> {link}");
        }
    }

    #[test]
    fn what_grows_without_end_no_longer_fits() {
        let mut text = of(None, "/l");
        let link = format!("{}l", "./".repeat(1000));
        let grown = (0..40).position(|_| {
            text.expand(2, link.as_bytes()).unwrap();
            !text.fits()
        });
        assert!(grown.is_some_and(|links| links < 10));
    }
}

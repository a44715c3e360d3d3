//! Tokens that are known by their shape, and private keys.

use std::ops::Range;

use super::view::{View, is_blank, is_quote};

/// How a token begins, and how many characters must follow.
const BEGINNINGS: [(&str, usize); 94] = [
    ("sk-", 16),
    ("sk_live_", 8),
    ("sk_test_", 8),
    ("rk_live_", 8),
    ("rk_test_", 8),
    ("pk_live_", 8),
    ("whsec_", 8),
    ("ghp_", 16),
    ("gho_", 16),
    ("ghu_", 16),
    ("ghs_", 16),
    ("ghr_", 16),
    ("github_pat_", 16),
    ("glpat-", 12),
    ("gldt-", 12),
    ("glrt-", 12),
    ("glsa_", 16),
    ("xoxa-", 8),
    ("xoxb-", 8),
    ("xoxe-", 8),
    ("xoxp-", 8),
    ("xoxr-", 8),
    ("xoxs-", 8),
    ("xapp-", 8),
    ("AKIA", 12),
    ("ASIA", 12),
    ("ABIA", 12),
    ("ACCA", 12),
    ("AIza", 20),
    ("ya29.", 16),
    ("1//0", 20),
    ("npm_", 16),
    ("pypi-", 16),
    ("dckr_pat_", 12),
    ("hf_", 16),
    ("SG.", 16),
    ("shpat_", 16),
    ("dop_v1_", 16),
    ("lin_api_", 16),
    ("hvs.", 16),
    ("ATATT3", 16),
    ("AGE-SECRET-KEY-", 8),
    ("figd_", 16),
    ("sq0", 16),
    ("xai-", 20),
    ("gsk_", 20),
    ("pplx-", 20),
    ("r8_", 24),
    ("dapi", 32),
    ("dp.pt.", 12),
    ("dp.st.", 12),
    ("ntn_", 20),
    ("PMAK-", 16),
    ("rubygems_", 16),
    ("shpca_", 16),
    ("shppa_", 16),
    ("shpss_", 16),
    ("sntrys_", 16),
    ("glptt-", 12),
    ("glft-", 12),
    ("glimt-", 12),
    ("gloas-", 12),
    ("glcbt-", 12),
    ("glsoat-", 12),
    ("NRAK-", 16),
    ("nfp_", 20),
    ("vercel_blob_rw_", 12),
    ("tskey-", 12),
    ("sbp_", 20),
    ("xkeysib-", 16),
    ("doo_v1_", 16),
    ("dor_v1_", 16),
    ("hvb.", 16),
    ("pscale_tkn_", 12),
    ("pscale_pw_", 12),
    ("LTAI", 12),
    ("AKID", 16),
    ("rzp_live_", 10),
    ("rzp_test_", 10),
    ("GOCSPX-", 12),
    ("ABSK", 32),
    ("amzn.mws.", 12),
    ("bkua_", 16),
    ("CCIPAT_", 12),
    ("dckr_oat_", 12),
    ("pul-", 32),
    ("sgp_", 20),
    ("tfp_", 20),
    ("fm1r_", 24),
    ("fm1a_", 24),
    ("fm2_", 24),
    ("fo1_", 24),
    ("dsec_", 16),
    ("EAACEdEose0cBA", 8),
];
/// Beginnings that are words themselves, so that a name may go on behind them: `npm_config_user_agent`.
const WORDS: [&str; 3] = ["npm_", "pypi-", "rubygems_"];
/// What a JSON web token begins with: `{"` in base64.
const WEB_TOKEN: &str = "eyJ";
const HOOK: &str = "hooks.slack.com/services/";

/// Whether some token, or the place of one, begins with this byte.
pub(super) const fn some_begins_with(byte: u8) -> bool {
    let mut at = 0;
    while at < BEGINNINGS.len() {
        #[expect(
            clippy::indexing_slicing,
            reason = "below the length; const code has no iterators"
        )]
        let beginning = BEGINNINGS[at].0.as_bytes();
        if let [first, ..] = beginning
            && *first == byte
        {
            return true;
        }
        at += 1;
    }
    matches!(byte, b'e' | b'h' | b'H')
}

/// Whether a token, or the place of one, may begin here.
pub(super) fn may_begin(text: &[u8]) -> bool {
    text.starts_with(WEB_TOKEN.as_bytes())
        || text
            .get(..HOOK.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(HOOK.as_bytes()))
        || BEGINNINGS
            .iter()
            .any(|(beginning, _)| text.starts_with(beginning.as_bytes()))
}

pub(super) fn find(view: &View, found: &mut Vec<Range<usize>>) {
    let mut place = 0;
    while place < view.len() {
        if let Some(key) = private_key(view, place).or_else(|| token(view, place)) {
            place = key.end;
            found.push(key);
        } else {
            place += 1;
        }
    }
}

fn token(view: &View, start: usize) -> Option<Range<usize>> {
    if view.before(start).is_ascii_alphanumeric() || !view.at(start).is_ascii_alphanumeric() {
        return None;
    }
    if view.goes_on(start, HOOK) {
        let start = start + HOOK.len();
        let end = view.past(start, |c| !is_blank(c) && !is_quote(c));
        return (end > start).then_some(start..end);
    }
    let first = view.at(start);
    let exactly = |beginning: &str| {
        let end = start + beginning.len();
        beginning.starts_with(first) && view.part(start..end).iter().copied().eq(beginning.chars())
    };
    if exactly(WEB_TOKEN) {
        let end = view.past(start, is_tokenish);
        let dotted = view.part(start..end).contains(&'.');
        return (end - start >= if dotted { 20 } else { 36 }).then_some(start..end);
    }
    let (beginning, least) = BEGINNINGS.iter().find(|(beginning, _)| exactly(beginning))?;
    let end = view.past(start + beginning.len(), |c| {
        is_tokenish(c) || (c == '/' && beginning.starts_with("fm"))
    });
    let more = start + beginning.len()..end;
    let is_name = WORDS.contains(beginning) && is_made_of_words(view.part(more.clone()));
    (more.len() >= *least && !is_name).then_some(start..end)
}

fn is_made_of_words(more: &[char]) -> bool {
    let parts = more.split(|c| matches!(c, '_' | '-' | '.'));
    parts.clone().count() > 2 && parts.flatten().all(char::is_ascii_lowercase)
}

fn is_tokenish(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '=' | '+')
}

/// From `-----BEGIN ... PRIVATE KEY` to the end of its `-----END` line, or of the text.
fn private_key(view: &View, start: usize) -> Option<Range<usize>> {
    const RULE: &str = "-----";
    if !view.goes_on(start, "-----BEGIN ") {
        return None;
    }
    let label = start + RULE.len() + 6;
    let label_end = view.past(label, |c| c.is_ascii_alphanumeric() || c == ' ');
    let name: String = view.part(label..label_end).iter().collect();
    if !name.contains("PRIVATE KEY") {
        return None;
    }
    let mut place = label_end;
    while place < view.len() && !view.goes_on(place, "-----END ") {
        place += 1;
    }
    let end = view.past(place + RULE.len(), |c| c != '-');
    Some(start..view.past(end, |c| c == '-').min(view.len()))
}

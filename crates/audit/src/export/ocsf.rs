//! Class API Activity of OCSF 1.4 with the profile for security controls. Before 1.4 the class has no such profile.

use serde_json::{Map, Value, json};

use super::known::Known;
use crate::Entry;

const VERSION: &str = "1.4.0";
const CATEGORY: u64 = 6;
const CLASS: u64 = 6003;
/// What the schema has no number for; the caption beside it says what it is.
const OTHER: u64 = 99;

/// `activity_id` and its caption.
fn activity<'a>(entry: &'a Entry, known: &Known) -> (u64, &'a str) {
    let has = |wanted: &[&str]| {
        known
            .operations
            .iter()
            .any(|found| wanted.contains(&found.as_str()))
    };
    if has(&["delete"]) {
        (4, "Delete")
    } else if has(&["write", "move"]) {
        (3, "Update")
    } else if has(&["link"]) {
        (1, "Create")
    } else if has(&["read", "list", "search"]) {
        (2, "Read")
    } else {
        (OTHER, entry.text("kind").unwrap_or("unknown"))
    }
}

/// `severity_id` and its caption.
fn severity(entry: &Entry) -> (u64, &'static str) {
    match (entry.word(), entry.text("risk")) {
        (Some("refused"), Some("deny")) => (3, "Medium"),
        (Some("refused" | "failed" | "changed"), _) => (2, "Low"),
        _ => (1, "Informational"),
    }
}

/// `action_id` with its caption, `disposition_id` with its own.
fn action(entry: &Entry) -> Option<[(u64, &'static str); 2]> {
    match entry.text("decision")? {
        "permitted" => Some([(1, "Allowed"), (1, "Allowed")]),
        "refused" => Some([(2, "Denied"), (2, "Blocked")]),
        "handed_to_host" => Some([(OTHER, "handed_to_host"), (OTHER, "handed_to_host")]),
        _ => Some([(0, "Unknown"), (0, "Unknown")]),
    }
}

/// `status_id` and its caption.
fn status(entry: &Entry) -> (u64, &str) {
    match entry.word() {
        Some("permitted" | "done") => (1, "Success"),
        Some("refused" | "failed" | "changed") => (2, "Failure"),
        Some(other) => (OTHER, other),
        None => (0, "Unknown"),
    }
}

pub(super) fn event(entry: &Entry, known: &Known) -> Value {
    let (activity_id, activity_name) = activity(entry, known);
    let activity = if activity_id == OTHER {
        "Other"
    } else {
        activity_name
    };
    let (severity_id, severity) = severity(entry);
    let (status_id, status) = status(entry);
    let mut event = json!({
        "category_uid": CATEGORY,
        "category_name": "Application Activity",
        "class_uid": CLASS,
        "class_name": "API Activity",
        "activity_id": activity_id,
        "activity_name": activity_name,
        "type_uid": CLASS * 100 + activity_id,
        "type_name": format!("API Activity: {activity}"),
        "severity_id": severity_id,
        "severity": severity,
        "status_id": status_id,
        "status": status,
        "time": entry.time_ms().unwrap_or_default(),
        "message": entry.to_string(),
        "metadata": metadata(entry),
        "actor": actor(entry, known),
        "api": api(entry, known),
        "src_endpoint": { "svc_name": "portcullis" },
        "unmapped": unmapped(entry),
    });
    if let Some([(action_id, action), (disposition_id, disposition)]) = action(entry) {
        put(&mut event, "action_id", Some(action_id));
        put(&mut event, "action", Some(action));
        put(&mut event, "disposition_id", Some(disposition_id));
        put(&mut event, "disposition", Some(disposition));
    }
    let detail = entry.text("refusal").or_else(|| entry.text("reason"));
    put(&mut event, "status_detail", detail);
    let policy = entry.text("policy");
    let policy = policy.map(|policy| json!({ "uid": policy, "name": "portcullis" }));
    put(&mut event, "policy", policy);
    let resources: Vec<Value> = entry
        .list("resources")
        .map(|name| json!({ "name": name }))
        .collect();
    put(
        &mut event,
        "resources",
        (!resources.is_empty()).then_some(resources),
    );
    event
}

fn metadata(entry: &Entry) -> Value {
    let mut metadata = json!({
        "version": VERSION,
        "profiles": ["security_control"],
        "product": {
            "name": "Portcullis",
            "vendor_name": "Portcullis",
            "version": env!("CARGO_PKG_VERSION"),
        },
        "log_name": "audit",
    });
    put(&mut metadata, "event_code", entry.text("kind"));
    put(&mut metadata, "original_time", entry.text("time"));
    put(&mut metadata, "sequence", entry.sequence());
    put(&mut metadata, "uid", entry.text("hash"));
    metadata
}

fn actor(entry: &Entry, known: &Known) -> Value {
    let mut actor = json!({ "app_name": known.agent.as_deref().unwrap_or("agent") });
    let session = entry.text("session").map(|session| json!({ "uid": session }));
    put(&mut actor, "session", session);
    actor
}

/// A record that is about no call says what it is.
fn api(entry: &Entry, known: &Known) -> Value {
    let operation = known.tool.as_deref().or_else(|| entry.text("kind"));
    let mut api = json!({ "operation": operation.unwrap_or("unknown") });
    let request = entry.text("call").map(|call| json!({ "uid": call }));
    put(&mut api, "request", request);
    api
}

/// A member that is there only when there is something to say: the schema knows no `null`.
fn put(object: &mut Value, name: &str, value: Option<impl Into<Value>>) {
    if let (Some(members), Some(value)) = (object.as_object_mut(), value) {
        members.insert(name.to_owned(), value.into());
    }
}

/// What the class has no place for, under its own names.
fn unmapped(entry: &Entry) -> Value {
    let members = [
        "by",
        "risk",
        "causes",
        "args",
        "summary",
        "decision_seq",
        "deadline_ms",
        "prev",
    ];
    let found = members.iter().filter_map(|member| {
        let value = entry.value.get(*member).filter(|value| !value.is_null())?;
        Some(((*member).to_owned(), value.clone()))
    });
    Value::Object(found.collect::<Map<_, _>>())
}

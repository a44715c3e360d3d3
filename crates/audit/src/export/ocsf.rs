//! Class API Activity of OCSF 1.3 with the profile for security controls.

use serde_json::{Map, Value, json};

use crate::Entry;

const CATEGORY: u64 = 6;
const CLASS: u64 = 6003;

/// `activity_id` and its caption.
fn activity(entry: &Entry) -> (u64, &str) {
    let operations: Vec<&str> = entry.list("operations").collect();
    let has = |wanted: &[&str]| operations.iter().any(|found| wanted.contains(found));
    if has(&["delete"]) {
        (4, "Delete")
    } else if has(&["write", "move"]) {
        (3, "Update")
    } else if has(&["link"]) {
        (1, "Create")
    } else if has(&["read", "list", "search"]) {
        (2, "Read")
    } else {
        (99, entry.text("kind").unwrap_or("unknown"))
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
        _ => Some([(0, "Unknown"), (0, "Unknown")]),
    }
}

/// `status_id` and its caption.
fn status(entry: &Entry) -> (u64, &str) {
    match entry.word() {
        Some("permitted" | "done") => (1, "Success"),
        Some("refused" | "failed" | "changed") => (2, "Failure"),
        Some(other) => (99, other),
        None => (0, "Unknown"),
    }
}

pub(super) fn event(entry: &Entry) -> Value {
    let (activity_id, activity_name) = activity(entry);
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
        "type_name": format!("API Activity: {activity_name}"),
        "severity_id": severity_id,
        "severity": severity,
        "status_id": status_id,
        "status": status,
        "time": entry.time_ms().unwrap_or_default(),
        "message": entry.to_string(),
        "metadata": metadata(entry),
        "actor": actor(entry),
        "api": api(entry),
        "src_endpoint": { "svc_name": "portcullis" },
        "unmapped": unmapped(entry),
    });
    let Some(members) = event.as_object_mut() else {
        return event;
    };
    if let Some([(action_id, action), (disposition_id, disposition)]) = action(entry) {
        members.insert("action_id".to_owned(), json!(action_id));
        members.insert("action".to_owned(), json!(action));
        members.insert("disposition_id".to_owned(), json!(disposition_id));
        members.insert("disposition".to_owned(), json!(disposition));
    }
    if let Some(detail) = entry.text("refusal").or_else(|| entry.text("reason")) {
        members.insert("status_detail".to_owned(), json!(detail));
    }
    if let Some(policy) = entry.text("policy") {
        members.insert(
            "policy".to_owned(),
            json!({ "uid": policy, "name": "portcullis" }),
        );
    }
    let resources: Vec<Value> = entry
        .list("resources")
        .map(|name| json!({ "name": name }))
        .collect();
    if !resources.is_empty() {
        members.insert("resources".to_owned(), json!(resources));
    }
    event
}

fn metadata(entry: &Entry) -> Value {
    json!({
        "version": "1.3.0",
        "profiles": ["security_control"],
        "product": {
            "name": "Portcullis",
            "vendor_name": "Portcullis",
            "version": env!("CARGO_PKG_VERSION"),
        },
        "log_name": "audit",
        "event_code": entry.text("kind"),
        "original_time": entry.text("time"),
        "sequence": entry.sequence(),
        "uid": entry.text("hash"),
    })
}

fn actor(entry: &Entry) -> Value {
    let mut actor = json!({ "app_name": entry.text("agent").unwrap_or("agent") });
    if let (Some(members), Some(session)) = (actor.as_object_mut(), entry.text("session")) {
        members.insert("session".to_owned(), json!({ "uid": session }));
    }
    actor
}

fn api(entry: &Entry) -> Value {
    let mut api = json!({ "operation": entry.text("tool").unwrap_or("unknown") });
    if let (Some(members), Some(call)) = (api.as_object_mut(), entry.text("call")) {
        members.insert("request".to_owned(), json!({ "uid": call }));
    }
    api
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

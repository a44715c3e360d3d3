//! A place on the disk in which lines are judged, and the session in it.

use serde_json::Value;

use super::set::{Group, SceneDecl};
use crate::fixture::{CallDecl, PolicyDecl};
use crate::run::Subject;
use crate::sandbox::Sandbox;
use crate::wire::{Call, FromRunner, FromSubject, Judged, Open, Session, Trust};
use crate::{Error, ErrorKind, random};

/// How long a question would stay open; none is put.
const NO_QUESTION: u64 = 1000;

/// A session that is open.
pub(super) struct Scene<'a> {
    subject: &'a mut Subject,
    sandbox: Sandbox,
    decl: &'a SceneDecl,
    name: String,
}

impl<'a> Scene<'a> {
    pub(super) fn open(
        subject: &'a mut Subject,
        decl: &'a SceneDecl,
        group: &Group,
        policy: &PolicyDecl,
    ) -> Result<Self, Error> {
        let sandbox = Sandbox::build(&decl.tree.overlaid(&group.tree))?;
        let text = |path: &std::path::Path| path.to_string_lossy().into_owned();
        let name = format!("s-{}", random::token()?);
        let open = Open {
            session: name.clone(),
            workspace: text(&sandbox.place(&decl.workspace)?),
            home: text(&sandbox.root.join("home")),
            config: text(&sandbox.control.join("config")),
            state: text(&sandbox.control.join("state")),
            policy: sandbox.policy(policy)?,
            project: None,
            run: subject.promises("layer.run").then_some(None),
            trust: Trust {
                workspace: "trusted".to_owned(),
            },
            approver: None,
            desk: subject.promises("desk").then_some(false),
            audit: text(&sandbox.audit()),
            ask_timeout_ms: NO_QUESTION,
            resume: false,
        };
        subject.send(&FromRunner::Open(Box::new(open)));
        match subject.message() {
            Ok(FromSubject::Opened(opened)) if opened.session == name => {}
            Ok(FromSubject::Refused(refused)) => {
                return Err(broken(&format!(
                    "it does not serve the scene: {}",
                    refused.reason
                )));
            }
            Ok(_) => return Err(broken("`open` was answered with something else")),
            Err(what) => return Err(broken(&what)),
        }
        Ok(Self {
            subject,
            sandbox,
            decl,
            name,
        })
    }

    /// The verdict on a call, and the id that it was judged by.
    pub(super) fn judge(&mut self, call: &CallDecl) -> Result<Judged, Error> {
        let (tool, args) = self.sandbox.arguments(call)?;
        let id = format!("j-{}", random::token()?);
        let place = call.cwd.as_deref().unwrap_or(&self.decl.workspace);
        let call = Call {
            id: id.clone(),
            session: self.name.clone(),
            tool,
            args: self.meant(args)?,
            cwd: self.sandbox.place(place)?.to_string_lossy().into_owned(),
            agent: call.agent.clone(),
            message: None,
        };
        self.subject.send(&FromRunner::Judge(call));
        match self.subject.message() {
            Ok(FromSubject::Judged(judged)) if judged.id == id => Ok(judged),
            Ok(_) => Err(broken("`judge` was answered with something else")),
            Err(what) => Err(broken(&what)),
        }
    }

    pub(super) fn close(self) -> Result<(), Error> {
        self.subject.send(&FromRunner::Close(Session {
            session: self.name.clone(),
        }));
        match self.subject.message() {
            Ok(FromSubject::Closed(closed)) if closed.session == self.name => Ok(()),
            Ok(_) => Err(broken("`close` was answered with something else")),
            Err(what) => Err(broken(&what)),
        }
    }

    /// The texts of a call with this sandbox's places in them.
    fn meant(&self, args: Value) -> Result<Value, Error> {
        Ok(match args {
            Value::String(text) => {
                let project = self.sandbox.place(&self.decl.workspace)?;
                let home = self.sandbox.root.join("home");
                let text = text.replace(&self.decl.means_workspace, &project.to_string_lossy());
                Value::String(text.replace(&self.decl.means_home, &home.to_string_lossy()))
            }
            Value::Array(items) => Value::Array(
                items
                    .into_iter()
                    .map(|item| self.meant(item))
                    .collect::<Result<_, _>>()?,
            ),
            Value::Object(members) => Value::Object(
                members
                    .into_iter()
                    .map(|(name, value)| Ok((name, self.meant(value)?)))
                    .collect::<Result<_, Error>>()?,
            ),
            other => other,
        })
    }
}

/// A subject that cannot be scored to the end has no score.
fn broken(what: &str) -> Error {
    Error::new(
        ErrorKind::SubjectStart,
        format!("the subject cannot be scored: {what}"),
    )
}

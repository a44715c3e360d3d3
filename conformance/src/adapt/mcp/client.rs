//! As much of an MCP client as a tool call needs: JSON-RPC, one message a line, on a child's standard streams.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::{Value, json};

use crate::os::process::{Around, start_beside};

/// The version of MCP that is offered.
const PROTOCOL: &str = "2025-06-18";

/// A server that has said hello.
#[derive(Debug)]
pub(super) struct Client {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    last: u64,
}

impl Client {
    pub(super) fn start(words: &[OsString], around: &Around) -> Result<Self, String> {
        let mut child = start_beside(words, around).map_err(|error| error.to_string())?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the server has no standard streams".to_owned());
        };
        let mut client = Self {
            child,
            stdin,
            stdout: BufReader::new(stdout),
            last: 0,
        };
        let us = json!({"name": "portcullis-conformance", "version": env!("CARGO_PKG_VERSION")});
        let hello = json!({"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": us});
        client.request("initialize", &hello)?;
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(client)
    }

    /// Calls a tool; the result, or an error of the protocol in the same form.
    pub(super) fn call(&mut self, name: &str, arguments: &Value) -> Result<Value, String> {
        self.request("tools/call", &json!({"name": name, "arguments": arguments}))
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.last += 1;
        let id = json!(self.last);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let mut message = self.receive()?;
            // Notifications and requests of the server are not for us: no capability was offered.
            if message.get("id") != Some(&id) || message.get("method").is_some() {
                continue;
            }
            if let Some(error) = message.get("error") {
                let text = error.get("message").and_then(Value::as_str).unwrap_or_default();
                return Ok(json!({"isError": true, "content": [{"type": "text", "text": text}]}));
            }
            let result = message.get_mut("result").map(Value::take);
            return result.ok_or_else(|| "neither a result nor an error".to_owned());
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        let written = writeln!(self.stdin, "{message}").and_then(|()| self.stdin.flush());
        written.map_err(|error| error.to_string())
    }

    fn receive(&mut self) -> Result<Value, String> {
        let mut line = Vec::new();
        match self.stdout.read_until(b'\n', &mut line) {
            Ok(0) => Err("it ended".to_owned()),
            Ok(_) => serde_json::from_slice(&line).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Gone already is as good as killed.
        let _gone = self.child.kill();
        let _waited = self.child.wait();
    }
}

use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};

use rustix::io::Result;
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, OutputModes, QueueSelector, Termios, tcflush, tcgetattr,
    tcsetattr,
};

/// A terminal in the mode for asking: whole lines, echoed, editable. The mode before it comes back on drop.
pub(super) struct Asking<'a> {
    device: BorrowedFd<'a>,
    before: Termios,
}

impl<'a> Asking<'a> {
    /// Switches the mode. What was typed ahead is still there.
    pub(super) fn begin(device: &'a OwnedFd) -> Result<Self> {
        let device = device.as_fd();
        let before = tcgetattr(device)?;
        let mut mode = before.clone();
        // The agent's own screen may have left the terminal raw.
        mode.local_modes |= LocalModes::ICANON
            | LocalModes::ISIG
            | LocalModes::ECHO
            | LocalModes::ECHOE
            | LocalModes::ECHOK
            | LocalModes::ECHOCTL;
        mode.input_modes |= InputModes::ICRNL;
        mode.input_modes -= InputModes::INLCR | InputModes::IGNCR;
        mode.output_modes |= OutputModes::OPOST | OutputModes::ONLCR;
        tcsetattr(device, OptionalActions::Now, &mode)?;
        Ok(Self { device, before })
    }

    /// Discards everything that was typed and not read.
    pub(super) fn discard_typed(&self) -> Result<()> {
        tcflush(self.device, QueueSelector::IFlush)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        // What is left over must not become the answer to the next question or a line for a shell. A terminal
        // that is gone needs neither.
        let _discarded = self.discard_typed();
        let _restored = tcsetattr(self.device, OptionalActions::Now, &self.before);
    }
}

//! Readers that close early.

use crate::common::kempe;
use std::process::Stdio;

#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in [
        &["schema"][..],
        &["completions", "zsh"],
        &["completions", "bash"],
        &["scenes"],
        &["scenes", "pendulum"],
        &["explain", "revolute"],
        &["check", "sound.ron"],
        &["--help"],
    ] {
        let mut child =
            kempe(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?} {:?}", output.status);
        assert!(output.stderr.is_empty(), "{arguments:?}");
    }
}

//! A server under test: a process that ends with its owner.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use crate::error::{Error, Result};

/// A running server.
#[derive(Debug)]
pub(super) struct Server {
    child: Child,
    pub(super) address: String,
}

impl Server {
    /// Starts a subject, and waits until it says where it serves.
    pub(super) fn start(program: &Path, subject: &str, threads: usize) -> Result<Self> {
        let mut command = Command::new(program);
        command.args([subject, &threads.to_string()]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let mut address = String::new();
        if let Some(output) = child.stdout.take() {
            BufReader::new(output).read_line(&mut address)?;
        }
        let server = Self { child, address: address.trim_end().to_owned() };
        match server.address.is_empty() {
            true => Err(Error::failed(format!("the server on {subject} did not start"))),
            false => Ok(server),
        }
    }

    /// Seconds of processor time that it took so far, in user space and in the kernel; `None` where the
    /// system does not tell in Linux's way.
    pub(super) fn processor_time(&self) -> Option<f64> {
        processor_time(&fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?)
    }
}

/// Reads `/proc/*/stat`, whose ticks are hundredths of a second on every Linux that there is.
fn processor_time(stat: &str) -> Option<f64> {
    // The name may hold blanks; the state comes after it.
    let mut numbers = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || numbers.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / 100.0)
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself, and the load has noticed that.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_that_of_user_space_and_kernel() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194560 90 0 0 0 150 50 0 0 20 0 3 0 100 1 1";
        assert_eq!(processor_time(stat), Some(2.0));
        assert_eq!(processor_time("7 (a) S"), None);
    }
}

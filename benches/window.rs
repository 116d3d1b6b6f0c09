//! The whole program in a real window under Xvfb: cold start to the first frame, memory, and what it does when nothing happens.
//!
//! `cargo bench --bench window` (needs the packages named in `tests/window_smoke.sh`). Goals: first frame under 300 ms, under 150 MB resident
//! with the software GL, no frame and no tick in 5 s of idle, the program file under 25 MB.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Ends the process with the bench, however that ends.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn main() {
    let program = env!("CARGO_BIN_EXE_attention-tutor");
    let megabytes = fs::metadata(program).unwrap().len() as f64 / 1e6;
    println!("program file            {megabytes:8.1} MB");
    let started = Command::new("Xvfb")
        .args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            "1280x800x24",
            "-nolisten",
            "tcp",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut server) = started else {
        println!("no Xvfb here: nothing more is measured (apt-get install xvfb libgl1-mesa-dri)");
        return;
    };
    let mut display = String::new();
    BufReader::new(server.stdout.take().unwrap())
        .read_line(&mut display)
        .unwrap();
    let _server = Ended(server);
    let display = format!(":{}", display.trim());

    let mut first_frames: Vec<Duration> = (0..12).map(|_| start(program, &display).1).collect();
    first_frames.remove(0);
    first_frames.sort();
    let (least, middle, most) = (
        first_frames[0],
        first_frames[first_frames.len() / 2],
        first_frames[first_frames.len() - 1],
    );
    println!(
        "start to first frame    {middle:8.0?} median of {} ({least:.0?} to {most:.0?})",
        first_frames.len()
    );

    let (child, _, frames) = start_counting(program, &display);
    thread::sleep(Duration::from_secs(2));
    let (frames_before, ticks_before) = (frames.try_iter().count(), ticks(child.0.id()));
    thread::sleep(Duration::from_secs(5));
    let (idle_frames, idle_ticks) = (
        frames.try_iter().count(),
        ticks(child.0.id()) - ticks_before,
    );
    println!("frames until at rest    {frames_before:8}");
    println!("idle 5 s                {idle_frames:8} frames, {idle_ticks} ticks");
    let status = fs::read_to_string(format!("/proc/{}/status", child.0.id())).unwrap_or_default();
    let resident = status
        .lines()
        .find(|line| line.starts_with("VmRSS"))
        .unwrap_or("VmRSS unknown");
    println!("memory                  {resident}");
}

fn start(program: &str, display: &str) -> (Ended, Duration) {
    let (child, took, _) = start_counting(program, display);
    (child, took)
}

/// Starts the program, waits for its first frame, and passes each further one on.
fn start_counting(program: &str, display: &str) -> (Ended, Duration, mpsc::Receiver<()>) {
    let folder = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let mut child = Command::new(program)
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY")
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .env("HOME", folder.path())
        .env("ATTENTION_TUTOR_DATA", folder.path())
        .env("RUST_LOG", "attention_tutor=trace")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let child = Ended(child);
    let is_frame = |line: &str| line.contains("frame drawn");
    while let Some(Ok(line)) = lines.next() {
        if is_frame(&line) {
            break;
        }
    }
    let took = begun.elapsed();
    let (send, frames) = mpsc::channel();
    thread::spawn(move || {
        for _ in lines.map_while(Result::ok).filter(|line| is_frame(line)) {
            let _ = send.send(());
        }
    });
    (child, took, frames)
}

/// Processor ticks a process used so far.
fn ticks(process: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|n| n.parse::<u64>().ok())
        .sum()
}

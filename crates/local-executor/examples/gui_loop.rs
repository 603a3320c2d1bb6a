//! A window whose event loop is its own: it sleeps until there is an event, and the executor's work is
//! one more kind of event.
//!
//! ```sh
//! cargo run -p selvedge-local-executor --example gui_loop
//! ```
//!
//! The loop runs tasks by `try_tick`, no more than a few before it looks at its events again, so a task that
//! wakes itself for ever cannot freeze the window. When nothing is ready it leaves its waker with a `tick` and
//! sleeps; the waker posts an event. Threads that download meanwhile change the window through a
//! `Spawner`: what they send runs here, between two events, and needs no lock.
//!
//! Nothing is drawn but a line of text for each download at the end. It stands for any window system whose
//! loop can be sent an event from another thread.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Wake, Waker};
use std::thread;

use futures_lite::future::yield_now;
use selvedge_local_executor::{LocalExecutor, Spawner};

/// Downloads that can be clicked at, and the parts of each.
const DOWNLOADS: usize = 4;
const PARTS: usize = 50;

/// Tasks that are run before the loop looks at its events again.
const TASKS_IN_A_ROW: usize = 16;

/// What the loop waits for.
enum Event {
    /// A button was clicked.
    Click(usize),
    /// There are tasks to run.
    Turn,
    Close,
}

/// Posts an event when the executor has work.
struct Post(Sender<Event>);

impl Wake for Post {
    fn wake(self: Arc<Self>) {
        // The loop may be over.
        let _ = self.0.send(Event::Turn);
    }
}

/// What is shown. It never leaves its thread.
#[derive(Default)]
struct Window {
    parts: [usize; DOWNLOADS],
    sums: [Option<usize>; DOWNLOADS],
    /// Changed since it was painted.
    changed: bool,
    paints: usize,
}

impl Window {
    fn paint(&mut self) {
        // Here it would be drawn. Many changes, one painting.
        self.paints += usize::from(std::mem::take(&mut self.changed));
    }
}

thread_local! {
    static WINDOW: Rc<RefCell<Window>> = Rc::default();
}

/// Changes the window of this thread.
fn change(by: impl FnOnce(&mut Window)) {
    WINDOW.with(|window| {
        let mut window = window.borrow_mut();
        by(&mut window);
        window.changed = true;
    });
}

/// The loop, and all that it drives.
struct Host {
    ex: LocalExecutor<'static>,
    events: Receiver<Event>,
    post: Sender<Event>,
    waker: Waker,
    /// Most tasks that ran between two events.
    most_in_a_row: usize,
    /// Told when there is nothing to do.
    idle: Sender<()>,
}

impl Host {
    fn new(idle: Sender<()>) -> Self {
        let (post, events) = channel();
        let waker = Waker::from(Arc::new(Post(post.clone())));
        Self { ex: LocalExecutor::new(), events, post, waker, most_in_a_row: 0, idle }
    }

    /// Handles events until the window is closed.
    fn run(&mut self, mut on_click: impl FnMut(usize)) {
        let ex = &self.ex;
        // Woken when a task becomes ready while the loop sleeps.
        let mut asleep: Pin<Box<dyn Future<Output = ()> + '_>> = Box::pin(ex.tick());
        let mut cx = Context::from_waker(&self.waker);
        self.post.send(Event::Turn).expect("the receiver is here");
        for event in &self.events {
            match event {
                Event::Click(number) => on_click(number),
                Event::Turn => {
                    let ran = (0..TASKS_IN_A_ROW).take_while(|_| ex.try_tick()).count();
                    self.most_in_a_row = self.most_in_a_row.max(ran);
                    if ran == TASKS_IN_A_ROW {
                        // Others first, then the rest.
                        self.post.send(Event::Turn).expect("the receiver is here");
                    } else if asleep.as_mut().poll(&mut cx).is_ready() {
                        // Something came between the two, and has run.
                        asleep = Box::pin(ex.tick());
                        self.post.send(Event::Turn).expect("the receiver is here");
                    } else {
                        // Nobody need listen.
                        let _ = self.idle.send(());
                    }
                }
                Event::Close => return,
            }
            WINDOW.with(|window| window.borrow_mut().paint());
        }
    }
}

/// A thread that fetches parts, shows each in the window, and gives their sum.
fn download(number: usize, spawner: &Spawner) -> usize {
    let mut sum = 0;
    for part in 1..=PARTS {
        sum += number * part;
        let show = move || async move { change(|window| window.parts[number] += 1) };
        spawner.spawn_with(show).expect("the window is open").detach();
    }
    sum
}

fn main() {
    let (idle, settled) = channel();
    let mut host = Host::new(idle);
    let spawner = host.ex.spawner();

    // A task that wakes itself all the time, until an event gets through in spite of it.
    let clicked = Rc::new(Cell::new(false));
    let seen = clicked.clone();
    let busy = host.ex.spawn(async move {
        while !seen.get() {
            yield_now().await;
        }
    });

    let (finished, downloads) = async_channel::unbounded();
    let close = host.post.clone();
    let all = host.ex.spawn(async move {
        for _ in 0..DOWNLOADS {
            let (number, sum) = downloads.recv().await.expect("a download does not panic");
            change(|window| window.sums[number] = Some(sum));
        }
        close.send(Event::Close).expect("the loop runs this task");
    });
    let user = thread::spawn({
        let clicks = host.post.clone();
        move || {
            for number in 0..DOWNLOADS {
                if number > 0 {
                    // A patient user: the loop has gone to sleep since the last click.
                    settled.recv().expect("the window is open");
                }
                clicks.send(Event::Click(number)).expect("the window is open");
            }
        }
    });
    let mut threads = Vec::new();
    host.run(|number| {
        clicked.set(true);
        let (spawner, finished) = (spawner.clone(), finished.clone());
        threads.push(thread::spawn(move || {
            let sum = download(number, &spawner);
            finished.send_blocking((number, sum)).expect("somebody waits for the downloads");
        }));
    });
    user.join().expect("the user does not panic");
    threads.into_iter().for_each(|it| it.join().expect("a download does not panic"));
    assert!(all.is_finished() && busy.is_finished());

    assert_eq!(host.most_in_a_row, TASKS_IN_A_ROW);
    let Host { ex, .. } = host;
    while ex.try_tick() {}
    assert!(ex.is_empty(), "nothing that the threads sent is left");
    drop(ex);
    assert!(spawner.spawn_with(|| async {}).is_err(), "a closed window takes no more work");

    WINDOW.with(|window| {
        let window = window.borrow();
        for (number, sum) in window.sums.iter().enumerate() {
            let bar = "#".repeat(window.parts[number]);
            println!("download {number} [{bar}] {}", sum.expect("each has reported"));
            assert_eq!(*sum, Some(number * PARTS * (PARTS + 1) / 2));
        }
        println!("{} changes, {} paintings", DOWNLOADS * (PARTS + 1), window.paints);
        assert!(window.paints > 0 && window.paints <= DOWNLOADS * (PARTS + 1));
    });
}

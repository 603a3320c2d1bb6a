#![cfg(selvedge_shuttle)]
//! Combinators and groups whose children are woken by other threads, under random schedules.
#![expect(clippy::std_instead_of_core, reason = "tests run on std")]

#[path = "support/channel.rs"]
mod channel;
#[path = "../../sync/tests/shared/signal.rs"]
mod signal;

use std::pin::pin;
use std::sync::Arc;

use selvedge_combinators::future::{FutureGroup, Join as _, Race as _};
use selvedge_combinators::stream::{Merge as _, StreamGroup};
use selvedge_sync::thread::{self, block_on};
use selvedge_sync::{random, schedules};

use self::channel::{Channel, Receiver, next};
use self::signal::{Signal, pause};

/// Threads that set these signals, every other one each, in an order of their own.
fn setters(signals: &[Arc<Signal>]) -> Vec<thread::JoinHandle<()>> {
    let half = |half: usize| {
        let mut signals: Vec<_> = signals.iter().skip(half).step_by(2).cloned().collect();
        thread::spawn(move || {
            while !signals.is_empty() {
                let signal = signals.swap_remove(random(signals.len()));
                signal.disturb();
                signal.set();
            }
        })
    };
    vec![half(0), half(1)]
}

fn signals(n: usize) -> Vec<Arc<Signal>> {
    (0..n).map(|_| Signal::new()).collect()
}

#[test]
fn a_join_ends_when_other_threads_have_woken_all_children() {
    schedules(|| {
        let signals = signals(5);
        let threads = setters(&signals);
        let waits: Vec<_> = signals.iter().map(|signal| signal.wait()).collect();
        assert_eq!(block_on(waits.join()).len(), 5);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn a_join_of_joins_hands_every_wake_through() {
    schedules(|| {
        let signals = signals(4);
        let threads = setters(&signals);
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| signals[i].wait());
        block_on(([a, b].join(), [c, d].join()).join());
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn a_race_ends_with_one_child_while_others_are_woken() {
    schedules(|| {
        let signals = signals(4);
        let threads = setters(&signals);
        let waits: Vec<_> = signals.iter().map(|signal| signal.wait()).collect();
        block_on(waits.race());
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn a_join_that_is_given_up_may_be_woken_on() {
    schedules(|| {
        let signals = signals(3);
        let threads = setters(&signals);
        let waits: Vec<_> = signals.iter().map(|signal| signal.wait()).collect();
        let given_up = signals.last().expect("there are three").wait();
        {
            let join = pin!(async {
                waits.join().await;
            });
            let end = pin!(given_up);
            block_on((join, end).race());
        }
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn a_merge_yields_every_item_that_other_threads_send() {
    schedules(|| {
        let channels: Vec<_> = (0..3).map(|_| Channel::new()).collect();
        let send = |channel: &Arc<Channel>| {
            let channel = channel.clone();
            thread::spawn(move || {
                for item in 1..4 {
                    channel.send(item);
                    pause();
                }
                channel.close();
            })
        };
        let threads: Vec<_> = channels.iter().map(send).collect();
        let receivers: Vec<_> = channels.into_iter().map(Receiver).collect();
        let total = block_on(async {
            let mut merged = pin!(receivers.merge());
            let mut total = 0;
            while let Some(item) = next(&mut merged).await {
                total += item;
            }
            total
        });
        assert_eq!(total, 3 * (1 + 2 + 3));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn a_group_of_futures_that_come_and_go_hears_every_wake() {
    schedules(|| {
        let signals = signals(6);
        let threads = setters(&signals);
        let wait = |index: usize| {
            let signal = signals[index].clone();
            Box::pin(async move {
                signal.wait().await;
                index
            })
        };
        let ended = block_on(async {
            let mut group = FutureGroup::new();
            let mut keys: Vec<_> = (0..3).map(|index| group.insert(wait(index))).collect();
            let mut expected = 3;
            if random(2) == 0 {
                expected -= usize::from(group.remove(keys.swap_remove(random(3))));
            }
            let (mut ended, mut more) = (0, 3);
            while let Some(_index) = next(&mut group).await {
                ended += 1;
                if more < 6 {
                    group.insert(wait(more));
                    (more, expected) = (more + 1, expected + 1);
                }
            }
            assert_eq!(ended, expected);
            ended
        });
        assert!(ended >= 2);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn a_group_of_streams_yields_every_item() {
    schedules(|| {
        let channels: Vec<_> = (0..3).map(|_| Channel::new()).collect();
        let senders = channels.clone();
        let threads: Vec<_> = (0..2)
            .map(|thread| {
                let senders = senders.clone();
                thread::spawn(move || {
                    for channel in &senders {
                        channel.send(thread + 1);
                    }
                    if thread == 1 {
                        pause();
                    }
                })
            })
            .collect();
        let total = block_on(async {
            let mut group = StreamGroup::new();
            for channel in channels {
                group.insert(Receiver(channel));
            }
            let mut total = 0;
            for _ in 0..6 {
                total += next(&mut group).await.expect("no channel is closed yet");
            }
            senders.iter().for_each(|channel| channel.close());
            assert_eq!(next(&mut group).await, None);
            total
        });
        assert_eq!(total, 3 * (1 + 2));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

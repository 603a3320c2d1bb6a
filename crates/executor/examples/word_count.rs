//! Counts words on all cores: tasks that borrow, spawned by tasks, driven by worker threads.
//!
//! ```sh
//! cargo run -p selvedge-executor --example word_count
//! ```

use std::collections::HashMap;

use selvedge_executor::{Executor, Workers};

const TEXT: &str = "\
    a selvedge is the self finished edge that keeps cloth from unravelling\n\
    it is woven so that it needs no hem\n\
    the word is made of self and edge\n";

type Counts<'t> = HashMap<&'t str, usize>;

fn count(line: &str) -> Counts<'_> {
    let mut counts = Counts::new();
    for word in line.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    counts
}

fn merge<'t>(mut all: Counts<'t>, some: Counts<'t>) -> Counts<'t> {
    for (word, times) in some {
        *all.entry(word).or_default() += times;
    }
    all
}

fn main() -> std::io::Result<()> {
    // Declared first, so that it outlives the executor whose tasks borrow it.
    let text = TEXT.repeat(1000);
    let ex = Executor::new();
    let counts = Workers::available().name_prefix("counter").scope(&ex, || {
        let lines: Vec<_> = text.lines().map(|line| ex.spawn(async move { count(line) })).collect();
        ex.block_on(async {
            let mut counts = Counts::new();
            for line in lines {
                counts = merge(counts, line.await);
            }
            counts
        })
    })?;
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(word, times)| (usize::MAX - times, word));
    for (word, times) in counts.iter().take(3) {
        println!("{times:>5} {word}");
    }
    assert_eq!(counts[0], ("is", 3000));
    Ok(())
}

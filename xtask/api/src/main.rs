//! Prints the public items of a crate, one a line, from the JSON file named as the argument.

use std::{env, error::Error};

use public_api::Builder;

fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args_os().nth(1).ok_or("the argument is a file that rustdoc wrote")?;
    // What holds for every type says nothing of this one.
    let api = Builder::from_rustdoc_json(file).omit_blanket_impls(true).build()?;
    for item in api.items() {
        println!("{item}");
    }
    Ok(())
}

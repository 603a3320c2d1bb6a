//! `--md`: puts printed tables between the markers of Markdown files.
//!
//! A file asks for a table by a pair of lines, `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`; what
//! stands between them is replaced by the table, the host and the command that made it.

use std::{fs, path::Path};

use super::{Shown, table};
use crate::error::{Error, Result};

/// Files with markers, from the root of the workspace.
const FILES: [&str; 2] = ["README.md", "benches/BENCHMARKS.md"];

/// Replaces every table that was measured in every file that asks for it; the files that changed.
pub(crate) fn splice(root: &Path, shown: &Shown<'_>) -> Result<Vec<&'static str>> {
    let mut changed = Vec::new();
    for file in FILES {
        let path = root.join(file);
        let before = fs::read_to_string(&path)
            .map_err(|error| Error::failed(format!("cannot read {file}: {error}")))?;
        let mut text = before.clone();
        for result in shown.tables {
            let name = &result.table;
            text = replace(&text, name, &block(shown, name))
                .map_err(|what| Error::failed(format!("{file}: {what}")))?;
        }
        if text != before {
            fs::write(&path, text)?;
            changed.push(file);
        }
    }
    Ok(changed)
}

/// What a reader of a table needs: where and how it was measured, and the table.
fn block(shown: &Shown<'_>, name: &str) -> String {
    let tables: Vec<_> = shown.tables.iter().filter(|it| it.table == name).collect();
    let one =
        tables.first().map_or_else(String::new, |it| table::render(it, shown.effort.rounds, false));
    let host = shown.host;
    format!(
        "`{}` on {} cores of {}{} · {} · revision {}:\n\n```text\n{one}```\n",
        shown.command,
        host.cores,
        host.processor,
        if host.virtualised { " (virtual machine)" } else { "" },
        host.compiler,
        host.revision(),
    )
}

/// Puts `block` between the markers of `name`, wherever a pair of them is.
fn replace(text: &str, name: &str, block: &str) -> Result<String, String> {
    let (open, close) = (format!("<!-- bench:{name} -->\n"), format!("<!-- /bench:{name} -->"));
    let mut rest = text;
    let mut spliced = String::new();
    while let Some((before, after)) = rest.split_once(&open) {
        let Some((_, behind)) = after.split_once(&close) else {
            return Err(format!("`{}` has no `{close}` behind it", open.trim_end()));
        };
        spliced = spliced + before + &open + block + &close;
        rest = behind;
    }
    Ok(spliced + rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{host, plan, results};

    #[test]
    fn what_stands_between_the_markers_is_replaced() {
        let text =
            "a\n<!-- bench:t -->\nold\n<!-- /bench:t -->\nb\n<!-- bench:u -->\n<!-- /bench:u -->\n";
        let new =
            "a\n<!-- bench:t -->\nnew\n<!-- /bench:t -->\nb\n<!-- bench:u -->\n<!-- /bench:u -->\n";
        assert_eq!(replace(text, "t", "new\n").unwrap(), new);
        assert_eq!(replace(new, "t", "new\n").unwrap(), new);
        assert_eq!(replace(text, "v", "new\n").unwrap(), text);
        let error = replace("<!-- bench:t -->\nold", "t", "new").unwrap_err();
        assert_eq!(error, "`<!-- bench:t -->` has no `<!-- /bench:t -->` behind it");
    }

    #[test]
    fn a_block_names_host_and_command() {
        let tables = results::sample();
        let shown = Shown {
            host: &host::tests::host(),
            effort: &plan::Effort::from_flags(&plan::flags()).unwrap(),
            tables: &tables,
            command: "cargo xtask bench t",
        };
        let block = block(&shown, "t");
        assert!(
            block.starts_with("`cargo xtask bench t` on 2 cores of Some CPU (virtual machine) · ")
        );
        assert!(block.contains("\n```text\nt · 2 threads") && block.ends_with("```\n"));
    }
}

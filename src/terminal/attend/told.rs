//! `attend` for people: what went in, the conventions applied, one query told step by step, and the output.

use std::io::{self, Write};

use ndarray::{ArrayD, Axis, Ix2};

use super::{AttendArguments, AttendMsg, Problem};
use crate::attention::Trace;
use crate::text::{markdown, plain};
use crate::words::Words;
use crate::worked_example::{
    ArrayFile, ArrayRun, Computed, NoticeKind, RunNotice, Shown, Step, WorkedExample, steps,
};

/// How many rows of a matrix are shown, and how many keys may be told.
const MOST_ROWS: usize = 24;
const MOST_TOLD_KEYS: usize = 64;

/// Tells the run.
pub(super) fn tell(
    arguments: &AttendArguments,
    file: &ArrayFile,
    run: &ArrayRun,
    words: &Words,
    columns: usize,
    output: &mut impl Write,
) -> io::Result<Result<(), Problem>> {
    let place = match chosen(arguments, run, words) {
        Ok(place) => place,
        Err(problem) => return Ok(Err(problem)),
    };
    let arrays = file.arrays.iter();
    let arrays: Vec<String> = arrays
        .map(|(name, array)| format!("{} {}", name.name(), shape(array.values.shape())))
        .collect();
    let arrays = arrays.join(" · ");
    for line in plain::wrap(&words.say(&AttendMsg::Arrays { arrays }), columns) {
        writeln!(output, "{line}")?;
    }
    for notice in &run.notices {
        for line in plain::wrap(&self::notice(notice, words), columns) {
            writeln!(output, "{line}")?;
        }
    }
    steps_of(run, place, words, columns, output)?;
    if let Some(array) = run.array(Shown::Output) {
        let shape = shape(array.shape());
        writeln!(output, "\n{}", words.say(&AttendMsg::OutputHead { shape }))?;
        matrices(&array, words, columns, output)?;
    }
    Ok(Ok(()))
}

/// A notice as one line, and which head it is about where not all say it.
pub(super) fn notice(notice: &RunNotice, words: &Words) -> String {
    let mut text = notice.said(words);
    if let Some((batch, head)) = notice.head {
        text = words.say(&AttendMsg::OfHead { text, batch, head });
    }
    words.say(&match notice.kind {
        NoticeKind::Convention => AttendMsg::Convention { text },
        NoticeKind::Warning => AttendMsg::Warning { text },
    })
}

/// (3, 4).
pub(super) fn shape(axes: &[usize]) -> String {
    let axes: Vec<String> = axes.iter().map(ToString::to_string).collect();
    format!("({})", axes.join(", "))
}

/// Batch, head and query to be told, from 0.
fn chosen(
    arguments: &AttendArguments,
    run: &ArrayRun,
    words: &Words,
) -> Result<[usize; 3], Problem> {
    let [batches, heads, queries, _] = run.size();
    let AttendArguments {
        batch, head, query, ..
    } = arguments;
    let (batch, head, query) = (*batch, *head, *query);
    let refused = |message: AttendMsg| Err(Problem::said(words, &message));
    if batch == 0 || batch > batches {
        let of = batches;
        return refused(AttendMsg::NoSuchBatch { batch, of });
    }
    if head == 0 || head > heads {
        return refused(AttendMsg::NoSuchHead { head, of: heads });
    }
    if query == 0 || (query > queries && queries > 0) {
        let of = queries;
        return refused(AttendMsg::NoSuchQuery { query, of });
    }
    Ok([batch - 1, head - 1, query - 1])
}

/// One query's calculation.
fn steps_of(
    run: &ArrayRun,
    [batch, head, query]: [usize; 3],
    words: &Words,
    columns: usize,
    output: &mut impl Write,
) -> io::Result<()> {
    let [batches, heads, of, keys] = run.size();
    if of == 0 || keys == 0 {
        return Ok(());
    }
    let (number, head_number) = (query + 1, head + 1);
    let title = match (batches, heads) {
        (1, 1) => AttendMsg::Told { query: number, of },
        (1, _) => AttendMsg::ToldOfHead {
            query: number,
            of,
            head: head_number,
            heads,
        },
        _ => AttendMsg::ToldOfBatch {
            query: number,
            of,
            head: head_number,
            heads,
            batch: batch + 1,
            batches,
        },
    };
    let example = (keys <= MOST_TOLD_KEYS)
        .then(|| run.example(batch, head, query))
        .flatten();
    let computed =
        example.and_then(|example| Computed::new(&WorkedExample::Attention(example)).ok());
    writeln!(output, "\n{}", words.say(&title))?;
    match &computed {
        None => writeln!(output, "{}", words.say(&AttendMsg::NotTold))?,
        Some(computed) => {
            for (number, step) in steps(computed, words).iter().enumerate() {
                told_step(number + 1, step, words, columns, output)?;
            }
        }
    }
    let looks_at = run
        .trace(batch, head)
        .and_then(|trace| Trace::effective_words(trace, query));
    if let Some(count) = looks_at {
        let message = AttendMsg::LooksAt {
            words: count,
            of: keys,
        };
        writeln!(output, "\n{}", words.say(&message))?;
    }
    Ok(())
}

fn told_step(
    number: usize,
    step: &Step,
    words: &Words,
    columns: usize,
    output: &mut impl Write,
) -> io::Result<()> {
    let Step {
        name,
        formula,
        substituted,
        columns: labels,
        rows,
        ..
    } = step;
    let name = name.clone();
    writeln!(output, "\n{}", words.say(&AttendMsg::Step { number, name }))?;
    for tex in [formula, substituted] {
        let document = markdown::parse(&format!("${tex}$"));
        for line in plain::lines(&document, columns.saturating_sub(4), words) {
            writeln!(output, "    {line}")?;
        }
    }
    let mut table: Vec<Vec<String>> = vec![
        std::iter::once(String::new())
            .chain(labels.iter().cloned())
            .collect(),
    ];
    for (name, numbers) in rows {
        let numbers = numbers.iter().map(|x| words.number(*x));
        table.push(std::iter::once(name.clone()).chain(numbers).collect());
    }
    in_columns(&table, columns, output)
}

/// Every matrix of an array, one below the other.
fn matrices(
    array: &ArrayD<f64>,
    words: &Words,
    columns: usize,
    output: &mut impl Write,
) -> io::Result<()> {
    if array.ndim() > 2 {
        const MOST_PARTS: usize = 8;
        for (part, matrix) in array.axis_iter(Axis(0)).enumerate().take(MOST_PARTS) {
            writeln!(output, "[{}]", part + 1)?;
            matrices(&matrix.to_owned(), words, columns, output)?;
        }
        let n = array.len_of(Axis(0)).saturating_sub(MOST_PARTS);
        if n > 0 {
            writeln!(output, "{}", words.say(&AttendMsg::MoreHeads { n }))?;
        }
        return Ok(());
    }
    let Ok(matrix) = array.view().into_dimensionality::<Ix2>() else {
        return Ok(());
    };
    let rows = matrix.rows().into_iter().take(MOST_ROWS).enumerate();
    let table: Vec<Vec<String>> = rows
        .map(|(i, row)| {
            let numbers = row.iter().map(|x| words.number(*x));
            std::iter::once((i + 1).to_string())
                .chain(numbers)
                .collect()
        })
        .collect();
    in_columns(&table, columns, output)?;
    let n = matrix.nrows().saturating_sub(MOST_ROWS);
    if n > 0 {
        writeln!(output, "{}", words.say(&AttendMsg::MoreRows { n }))?;
    }
    Ok(())
}

/// Rows in columns, the first flush left; where a line would be too long, the columns go on underneath.
fn in_columns(rows: &[Vec<String>], columns: usize, output: &mut impl Write) -> io::Result<()> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| plain::cells(cell)).max().unwrap_or(0)
    };
    let first = width(0);
    let mut from = 1;
    while from < count {
        let mut to = from;
        let mut used = 4 + first;
        while to < count && (to == from || used + 2 + width(to) <= columns) {
            used += 2 + width(to);
            to += 1;
        }
        for row in rows {
            let name = row.first().map_or("", String::as_str);
            let mut line = format!("    {name}{}", " ".repeat(first - plain::cells(name)));
            for column in from..to {
                let cell = row.get(column).map_or("", String::as_str);
                let room = width(column).saturating_sub(plain::cells(cell));
                line += &format!("  {}{cell}", " ".repeat(room));
            }
            writeln!(output, "{}", line.trim_end())?;
        }
        from = to;
    }
    Ok(())
}

//! The arguments of `attend`: the files, what is wanted, and a flag for each convention, made from the one table of their names.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use crate::worked_example::{FieldMsg, FieldValue, SpecFields};

/// What `attend` was asked.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = FORMATS)]
pub struct AttendArguments {
    /// Files of arrays (RON, JSON, CSV, .npy, .npz, .safetensors); later ones win. NAME=FILE reads one array of that name
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Write to a file: .json, .csv or .npy
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// What to write (may be given several times): x, q, k, v, scores, scaled, capped, biased, masked, weights, visible, weighted_values,
    /// head_output, output, log_sum_exp, entropy, effective_words
    #[arg(long = "stage", value_name = "STAGE")]
    pub stages: Vec<String>,

    /// Print one JSON object: scores, weights, output, the stages asked for, notices
    #[arg(long)]
    pub json: bool,

    /// Which query is told step by step
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub query: usize,

    /// Of which head
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub head: usize,

    /// Of which batch
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub batch: usize,

    #[command(flatten)]
    conventions: Conventions,
}

impl AttendArguments {
    /// The conventions that flags give.
    ///
    /// # Errors
    /// What is wrong with the first that is not one.
    pub fn fields(&self) -> Result<SpecFields, FieldMsg> {
        let mut fields = SpecFields::default();
        for (name, value) in &self.conventions.0 {
            fields.set(name, &FieldValue::Text(value.clone()))?;
        }
        Ok(fields)
    }
}

/// The flags of conventions that were given: name and value.
#[derive(Clone, Debug, Default)]
struct Conventions(Vec<(&'static str, String)>);

impl Args for Conventions {
    fn augment_args(command: Command) -> Command {
        SpecFields::NAMES
            .into_iter()
            .fold(command, |command, name| {
                let flag = Arg::new(name)
                    .long(name.replace('_', "-"))
                    .alias(name)
                    .value_name("VALUE")
                    .allow_hyphen_values(true)
                    .help_heading("Conventions (a flag wins over the file)")
                    .help(help(name));
                command.arg(flag)
            })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Conventions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |name: &'static str| {
            let value: Option<&String> = matches.get_one(name);
            value.map(|value| (name, value.clone()))
        };
        Ok(Self(
            SpecFields::NAMES.into_iter().filter_map(given).collect(),
        ))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// What a convention is.
fn help(name: &str) -> &'static str {
    match name {
        "scale" => "The factor on the scores (default: 1/√d)",
        "temperature" => "What biased scores are divided by before softmax (default: 1)",
        "softcap" => {
            "c: scaled scores become c · tanh(score / c), before bias and mask (default: none)"
        }
        "causal" => {
            "A query does not see what comes after it: top-left or bottom-right (default: it does)"
        }
        "window_left" => "How many keys before its own place a query sees (default: all)",
        "window_right" => "How many keys after its own place a query sees (default: all)",
        "empty_row" => "What comes out where all is hidden: zeros, mean or nan (default: zeros)",
        "normaliser" => {
            "softmax, hard-max, uniform, sparsemax, sigmoid, softmax-plus-one or unnormalised (default: softmax)"
        }
        "heads" => {
            "Into how many heads the columns of 2-D q, k, v or of x·wq are split (default: 1)"
        }
        "kv_heads" => "Into how many heads those of k and v are split (default: as many)",
        "head_order" => {
            "Which key head a query head asks: interleaved (0 0 1 1) or tiled (0 1 0 1) (default: interleaved)"
        }
        "positions" => {
            "none, sinusoidal (added to x), rotary-halves, rotary-interleaved or alibi (default: none)"
        }
        "rope_base" => "The base of rotary positions (default: 10000)",
        "precision" => "f64, or simulated step by step: f32, f16, bf16 (default: f64)",
        _ => "",
    }
}

const FORMATS: &str = r#"Arrays
  q k v, or x with the learned matrices wq wk wv wo (and bq bk bv bo added to them), or x alone; context, where keys
  and values come from elsewhere; keep (true = visible), bias (added to the scores, -inf hides), past_k past_v.

  q, k, v    2-D (n, d): one head; 3-D (heads, n, d); 4-D (batch, heads, n, d)
  x          2-D (n, e): one sequence; 3-D (batch, n, e)
  wq … wo    2-D (e, columns), with --heads; or 3-D, heads first
  keep bias  2-D (n, m): for all heads, or (1, m): for all queries; 3-D and 4-D like q; past keys come first

  Conventions stand in the file under the names of the flags, with _ for -. `tokens` names the keys.

Formats
  JSON          {"q": [[1, 0]], "k": [[1, 0], [0, 1]], "v": [[1], [2]], "scale": 0.5, "keep": [[true, false]]}
                NaN and infinities are the texts "NaN", "Infinity", "-Infinity"
  RON           (q: [[1, 0]], k: [[1, 0], [0, 1]], v: [[1], [2]], causal: "top-left", tokens: ["Jane", "visits"])
  CSV           a name alone on a line, its rows below; a convention and its value on one line:
                    scale, 0.5
                    q
                    1, 0
                    k
                    1, 0
                    0, 1
                    v[0]          (heads: v[0], v[1] …; batches v[0][0] …)
                with semicolons or tabs between cells, a comma is a decimal comma
  .npy          np.save("q.npy", q): the file's name says which array; or attend q=other.npy
  .npz          np.savez("a.npz", q=q, k=k, v=v, scale=0.5, causal="top-left")
  .safetensors  save_file({"q": q, "k": k, "v": v}, "a.safetensors", metadata={"scale": "0.5"})

Examples
  attention-tutor attend example.json
  attention-tutor attend example.json --causal top-left --query 3 --stage weights --out weights.csv
  attention-tutor attend q.npy k.npy v.npy --scale 1 --json
  attention-tutor attend layer.npz --heads 8 --kv-heads 2 --positions rotary-halves --out output.npy
"#;

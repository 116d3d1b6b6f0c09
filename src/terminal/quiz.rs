//! `attention-tutor quiz FILE`: the same questions line by line, marked and explained with the same numbers; answers may come from a pipe.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use super::TerminalMsg;
use crate::figure::{self, FigureInput, FigureKind, Guess, Moment};
use crate::quiz::{
    Answer, Asked, ChoiceState, ExplainedChoice, Explanation, Form, Marking, Question, Quiz,
    ReadingsTable, Verdict,
};
use crate::study::{Session, StudyMsg};
use crate::text::{Document, plain};
use crate::words::Words;
use crate::words::number::read_typed;
use crate::worked_example::Computed;

/// The terminal a quiz is asked in.
struct Terminal<'a, R, W> {
    input: R,
    output: W,
    words: &'a Words,
    /// How many characters a line holds.
    columns: usize,
}

/// What the learner did with a question.
enum Done {
    /// Answered.
    Answered(Answer),
    /// Passed over.
    Skipped,
    /// No more input, or she left.
    Ended,
}

/// Asks every question of a quiz. Ends well at the end of the input: the summary is printed whatever was answered.
pub fn quiz(
    quiz: &Arc<Quiz>,
    input: impl BufRead,
    output: impl Write,
    words: &Words,
    columns: usize,
) -> io::Result<()> {
    let mut terminal = Terminal {
        input,
        output,
        words,
        columns: columns.clamp(40, 100),
    };
    let mut session = Session::new(Arc::clone(quiz));
    terminal.say(&TerminalMsg::QuizHead {
        title: quiz.title.clone(),
        n: quiz.questions.len(),
    })?;
    terminal.paragraph(&quiz.promise)?;
    terminal.say(&TerminalMsg::CommandsHelp)?;
    while let Some(question) = session.question().cloned() {
        let head = TerminalMsg::QuestionHead {
            number: session.at() + 1,
            of: session.order().len(),
        };
        terminal.line("")?;
        terminal.say(&head)?;
        if !terminal.ask(&question, &mut session)? {
            break;
        }
        session.next();
    }
    terminal.summary(&session)
}

impl<R: BufRead, W: Write> Terminal<'_, R, W> {
    /// One question until it is answered or passed over; false at the end of the input.
    fn ask(&mut self, question: &Question, session: &mut Session) -> io::Result<bool> {
        let words = self.words;
        let computed = session.computed(question);
        let asked = question.ask(computed.as_ref(), words);
        self.document(&asked.prompt, "")?;
        if let Form::Choices(choices) = &asked.form {
            for (number, choice) in choices.iter().enumerate() {
                self.document(&choice.text, &format!("  {}. ", number + 1))?;
            }
        }
        let mut hints = 0;
        loop {
            match self.answer(&asked, &mut hints)? {
                Done::Ended => return Ok(false),
                Done::Skipped => {
                    if let Some(answer) = question.right_answer(computed.as_ref(), words) {
                        self.say(&TerminalMsg::Skipped { answer })?;
                    }
                    return Ok(true);
                }
                Done::Answered(answer) => {
                    let marking = question.mark(&answer, computed.as_ref(), words);
                    session.keep(
                        computed.as_ref().map(Computed::example),
                        &answer,
                        &marking,
                        hints,
                    );
                    match marking {
                        Marking::NotCounted(why) => self.paragraph(&why)?,
                        Marking::Marked {
                            verdict,
                            credit,
                            explanation,
                            ..
                        } => {
                            self.explain(verdict, credit, &explanation)?;
                            if let Some(computed) = &computed {
                                self.figure(computed, &answer, explanation.released)?;
                            }
                            return Ok(true);
                        }
                    }
                }
            }
        }
    }

    /// Reads lines until one is an answer (or a wish to go on or away).
    fn answer(&mut self, asked: &Asked, hints: &mut usize) -> io::Result<Done> {
        loop {
            let request = match &asked.form {
                Form::Choices(choices) => TerminalMsg::AskChoice { n: choices.len() },
                Form::Number { unit } if unit.is_empty() => TerminalMsg::AskNumber,
                Form::Number { unit } => TerminalMsg::AskNumberUnit { unit: unit.clone() },
                Form::Weights { labels, .. } => TerminalMsg::AskWeights {
                    n: labels.len(),
                    labels: labels.join(", "),
                },
            };
            write!(self.output, "{} ", self.words.say(&request))?;
            self.output.flush()?;
            let mut bytes = Vec::new();
            if self.input.read_until(b'\n', &mut bytes)? == 0 {
                self.line("")?;
                self.say(&TerminalMsg::EndOfInput)?;
                return Ok(Done::Ended);
            }
            let line = String::from_utf8_lossy(&bytes);
            let typed = line.trim();
            match typed {
                "" => {}
                "q" | "Q" => return Ok(Done::Ended),
                "s" | "S" => return Ok(Done::Skipped),
                "h" | "H" => self.hint(asked, hints)?,
                _ => match self.read(typed, &asked.form) {
                    Ok(answer) => return Ok(Done::Answered(answer)),
                    Err(problem) => self.say(&problem)?,
                },
            }
        }
    }

    /// A line as an answer to the form.
    fn read(&mut self, typed: &str, form: &Form) -> Result<Answer, TerminalMsg> {
        match form {
            Form::Choices(choices) => typed
                .parse::<usize>()
                .ok()
                .and_then(|number| choices.get(number.checked_sub(1)?))
                .map(|choice| Answer::Choice(choice.id.clone()))
                .ok_or_else(|| TerminalMsg::NoSuchChoice {
                    typed: typed.to_owned(),
                    n: choices.len(),
                }),
            Form::Number { .. } => Ok(Answer::Number(typed.to_owned())),
            Form::Weights { labels, .. } => {
                let mut weights = Vec::new();
                for part in typed
                    .split([' ', ';', '\t'])
                    .filter(|part| !part.is_empty())
                {
                    let part = part.trim_end_matches(',');
                    match read_typed(part) {
                        Ok(weight) if weight >= 0.0 => weights.push(weight),
                        Ok(_) => {
                            return Err(TerminalMsg::WeightNegative {
                                text: part.to_owned(),
                            });
                        }
                        Err(_) => {
                            return Err(TerminalMsg::WeightNotRead {
                                text: part.to_owned(),
                            });
                        }
                    }
                }
                if weights.len() != labels.len() {
                    return Err(TerminalMsg::WeightsWrongCount {
                        n: labels.len(),
                        given: weights.len(),
                    });
                }
                let sum: f64 = weights.iter().sum();
                if sum <= 0.0 {
                    return Err(TerminalMsg::WeightsAllZero);
                }
                if (sum - 1.0).abs() > 1e-6 {
                    // The answer counts, and the learner is told how it was read.
                    self.say(&TerminalMsg::WeightsScaled { sum })
                        .map_err(|_| TerminalMsg::EndOfInput)?;
                }
                Ok(Answer::Weights(
                    weights.iter().map(|weight| weight / sum).collect(),
                ))
            }
        }
    }

    fn hint(&mut self, asked: &Asked, hints: &mut usize) -> io::Result<()> {
        match asked.hints.get(*hints) {
            None => self.say(&TerminalMsg::NoMoreHints),
            Some(hint) => {
                *hints += 1;
                let text = plain::lines(hint, self.columns, self.words).join(" ");
                self.say(&TerminalMsg::Hint {
                    number: *hints,
                    of: asked.hints.len(),
                    text,
                })
            }
        }
    }

    /// The verdict and its reasons.
    fn explain(
        &mut self,
        verdict: Verdict,
        credit: f64,
        explanation: &Explanation,
    ) -> io::Result<()> {
        let Explanation {
            choices,
            readings,
            reply,
            right,
            statement,
            ..
        } = explanation;
        self.line("")?;
        self.say(&match verdict {
            Verdict::Right => TerminalMsg::Right,
            Verdict::Wrong => TerminalMsg::Wrong,
            Verdict::Partly => TerminalMsg::Partly {
                percent: (credit * 100.0).round(),
            },
            Verdict::Open => TerminalMsg::Open,
        })?;
        self.document(reply, "")?;
        if let Some(answer) = right
            && verdict != Verdict::Right
        {
            self.say(&TerminalMsg::RightAnswer {
                answer: answer.clone(),
            })?;
        }
        for (number, choice) in choices.iter().enumerate() {
            self.explained(number + 1, choice)?;
        }
        if let Some(table) = readings {
            self.readings(table)?;
        }
        self.document(statement, "")
    }

    /// One choice after the answer: its sign, number and reason.
    fn explained(&mut self, number: usize, choice: &ExplainedChoice) -> io::Result<()> {
        let ExplainedChoice {
            text,
            state,
            number: comes_to,
            why,
            ..
        } = choice;
        let sign = match state {
            ChoiceState::YoursRight | ChoiceState::Right => '✓',
            ChoiceState::YoursWrong => '✗',
            ChoiceState::Yours | ChoiceState::Other => ' ',
        };
        let yours = matches!(
            state,
            ChoiceState::YoursRight | ChoiceState::YoursWrong | ChoiceState::Yours
        );
        let mut head = plain::lines(text, self.columns, self.words).join(" ");
        if let Some((comes_to, _)) = comes_to {
            head.push_str(&format!(" {comes_to}"));
        }
        if yours {
            head.push_str(&format!(" ({})", self.words.say(&TerminalMsg::Yours)));
        }
        self.line(&format!("{sign} {number}. {head}"))?;
        self.document(why, "     ")
    }

    /// The table of readings, one offer a block.
    fn readings(&mut self, table: &ReadingsTable) -> io::Result<()> {
        let ReadingsTable { columns, rows } = table;
        for row in rows {
            let mut offer = plain::lines(&row.offer, self.columns, self.words).join(" ");
            if row.yours {
                offer.push_str(&format!(" ({})", self.words.say(&TerminalMsg::Yours)));
            }
            self.line(&offer)?;
            for (column, cells) in columns.iter().zip(&row.cells) {
                let said: Vec<String> = cells
                    .iter()
                    .map(|cell| {
                        let parts = [cell.number.as_str(), cell.with.as_str(), cell.note.as_str()];
                        parts
                            .into_iter()
                            .filter(|part| !part.is_empty())
                            .collect::<Vec<_>>()
                            .join(" ")
                    })
                    .collect();
                self.line(&format!("     {column}: {}", said.join(" · ")))?;
            }
        }
        Ok(())
    }

    /// The weights against the uniform line, as text.
    fn figure(
        &mut self,
        computed: &Computed,
        answer: &Answer,
        released: Option<f64>,
    ) -> io::Result<()> {
        let weights = match answer {
            Answer::Weights(weights) => Some(weights.clone()),
            Answer::Choice(_) | Answer::Number(_) => None,
        };
        let guess = Guess {
            wedge: None,
            weights,
        };
        let input = FigureInput {
            example: computed.example(),
            computed,
            moment: Moment::After,
            guess: &guess,
            released,
            written_out: false,
            draws: None,
            motion: 1.0,
            words: self.words,
            size: [self.columns as f32 * figure::POINTS_A_COLUMN, 400.0],
        };
        if let Some(drawing) = figure::draw(FigureKind::Weights, &input) {
            self.line("")?;
            let text = figure::terminal(&drawing, self.columns, self.words);
            self.line(text.trim_end())?;
        }
        Ok(())
    }

    fn summary(&mut self, session: &Session) -> io::Result<()> {
        let summary = session.summary();
        self.line("")?;
        self.say(&TerminalMsg::SummaryHead)?;
        if summary.marked > 0 {
            self.say(&StudyMsg::RightOf {
                right: summary.right,
                of: summary.marked,
            })?;
        }
        if summary.unanswered > 0 {
            self.say(&StudyMsg::NotAnswered {
                n: summary.unanswered,
            })?;
        }
        for missed in &summary.missed {
            let Some(question) = session.find(&missed.question) else {
                continue;
            };
            let computed = session.computed(question);
            let prompt = question.ask(computed.as_ref(), self.words).prompt;
            let question = plain::lines(&prompt, self.columns, self.words).join(" ");
            self.say(&TerminalMsg::Missed { question })?;
            for mistake in &missed.mistakes {
                self.line(&format!("     {}", mistake.sentence))?;
            }
        }
        Ok(())
    }

    fn say(&mut self, message: &impl crate::words::Message) -> io::Result<()> {
        let said = self.words.say(message);
        self.paragraph(&said)
    }

    /// Plain words, wrapped.
    fn paragraph(&mut self, text: &str) -> io::Result<()> {
        for line in plain::wrap(text, self.columns) {
            self.line(&line)?;
        }
        Ok(())
    }

    /// A document, wrapped; the first line after `lead`, the others as far in.
    fn document(&mut self, document: &Document, lead: &str) -> io::Result<()> {
        let inset = " ".repeat(lead.chars().count());
        let room = self.columns.saturating_sub(inset.len()).max(20);
        for (number, line) in plain::lines(document, room, self.words).iter().enumerate() {
            self.line(&format!(
                "{}{line}",
                if number == 0 { lead } else { &inset }
            ))?;
        }
        Ok(())
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")
    }
}

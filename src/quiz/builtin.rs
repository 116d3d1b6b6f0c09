//! The quizzes compiled into the program, so that an installed program works alone.

/// Name and text of each.
pub const BUILT_IN: &[(&str, &str)] = &[(
    "is-attention-an-average.ron",
    include_str!("../../quizzes/is-attention-an-average.ron"),
)];

//! The allowed name that was most likely meant, where one is misspelt.

/// The allowed name nearest to one that was written, where one is near enough to be meant.
#[must_use]
pub fn nearest<'n>(written: &str, allowed: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let plain = |name: &str| name.to_lowercase().replace(['-', '_', ' '], "");
    let written = plain(written);
    // One letter is near to any other.
    let most = match written.chars().count() {
        0 | 1 => 0,
        letters => letters.div_ceil(3).min(3),
    };
    allowed
        .into_iter()
        .map(|name| (distance(&written, &plain(name)), name))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// How many letters must be put in, taken out, changed or swapped with their neighbour to make one word of another.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX / 2);
            let mut best = (at(&above, j) + usize::from(x != y))
                .min(at(&above, j + 1) + 1)
                .min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or(usize::MAX)
}

//! A hidden key is hatched and named on every form of the figure, and nobody can take hold of its weight.

use super::*;

/// "Africa" does not see "visits", nor "September".
fn masked() -> WorkedExample {
    let WorkedExample::Attention(mut attention) = jane() else {
        unreachable!()
    };
    attention.keep = Some(Array2::from_shape_fn((5, 5), |(_, j)| j != 1 && j != 4));
    WorkedExample::Attention(attention)
}

#[test]
fn a_hidden_key_is_hatched_and_named_and_cannot_be_held() {
    for moment in [Moment::Before, Moment::After] {
        let drawing = drawn(FigureKind::Weights, &masked(), &Asked::at(moment)).unwrap();
        let Picture::Chart(chart) = &drawing.picture else {
            panic!("no chart")
        };
        for (i, bar) in chart.bars.iter().enumerate() {
            let hidden = [1, 4].contains(&i);
            assert_eq!(
                (bar.hatched, bar.target.is_none()),
                (hidden, hidden),
                "{bar:?}"
            );
            assert_eq!(bar.said == "hidden", hidden);
            assert_eq!(bar.height == 0.0, hidden);
        }
        assert_eq!(chart.references[0].label, "uniform 1/3");
        assert!(
            drawing.sentence.contains("Hidden: visits and September."),
            "{}",
            drawing.sentence
        );
        let csv = csv(&drawing.table);
        assert!(csv.contains("visible,✓,hidden,✓,✓,hidden,\r\n"), "{csv}");
        let words = Words::english();
        let terminal = terminal(&drawing, 60, &words);
        assert!(
            terminal.contains('╱') && terminal.contains("hidden"),
            "{terminal}"
        );
    }
    let after = drawn(FigureKind::Weights, &masked(), &Asked::at(Moment::After)).unwrap();
    let row = |name: &str| {
        let row = after.table.rows.iter().find(|row| row.name.ends_with(name));
        row.unwrap_or_else(|| panic!("no row {name}"))
    };
    assert_eq!(row("masked score").cells[1].text, "−∞");
    assert!(row("attention weight").cells[1].edit.is_none());
    assert!(row("attention weight").cells[0].edit.is_some());
    let steps = drawn(FigureKind::Steps, &masked(), &Asked::at(Moment::After)).unwrap();
    assert!(steps.sentence.contains("Mask: "), "{}", steps.sentence);
}

//! The table of a drawing: numbers in columns that line up, its editable cells as small fields.
//!
//! A click or Enter opens a field, arrow keys step the number without opening it, Esc leaves it as it was. What is typed is read
//! generously; what cannot be read stays in the field, with the reason under the table.

use egui::{
    Id, Key, Pos2, Rect, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, TextEdit, Ui,
    UiBuilder, Vec2, WidgetInfo, pos2, vec2,
};

use super::figure_handle::{keyed, tell};
use super::rich;
use crate::app::theme::{self, Ink};
use crate::figure::{Axis, CellEdit, FigureMsg, Handle, Row, Table, Target, shortened};
use crate::text::{Face, faces};
use crate::words::Words;
use crate::words::number::{TypedProblem, read_typed};

const SIZE_PT: f32 = 14.0;
const ROW_PT: f32 = 30.0;
/// A row's result on a line of its own.
const UNDER_PT: f32 = 24.0;
/// Before a result.
const GAP_PT: f32 = 12.0;
/// Between two fields.
const BETWEEN_PT: f32 = 6.0;
/// The widest table: further, a result stands too far from its row.
const MOST_PT: f32 = 560.0;
/// A head in a room too narrow for the table.
const NARROW_HEAD_PT: f32 = 40.0;
/// The least width of a field that is typed into.
const FIELD_PT: f32 = 84.0;
/// Between a field's edge and its number.
const PAD_PT: f32 = 6.0;

/// The field that is open.
#[derive(Clone)]
struct Typing {
    cell: Id,
    text: String,
    refused: Option<String>,
    /// Focused and selected, which is done once.
    begun: bool,
}

/// The width of a text in the table, whichever weight it is set in.
fn wide(text: &str) -> f32 {
    faces::width(text, Face::SansSemibold, SIZE_PT)
}

/// Where everything stands.
struct Columns {
    names: f32,
    cells: Vec<f32>,
    width: f32,
}

/// Shows the table in the width there is and gives back the numbers that were changed.
pub fn table_ui(ui: &mut Ui, table: &Table, words: &Words) -> Vec<(Target, f64)> {
    if table.rows.is_empty() {
        return Vec::new();
    }
    let room = ui.available_width();
    let columns = Columns::of(table, room);
    let mut changed = Vec::new();
    if columns.width > room + 0.5 {
        ScrollArea::horizontal()
            .id_salt("figure-table")
            .show(ui, |ui| rows_ui(ui, table, &columns, words, &mut changed));
    } else {
        rows_ui(ui, table, &columns, words, &mut changed);
    }
    changed
}

impl Columns {
    /// As wide as what stands in them; in a narrow room long heads are cut.
    fn of(table: &Table, room: f32) -> Self {
        let natural = Self::with_heads_up_to(f32::INFINITY, table, room);
        if natural.width <= room {
            natural
        } else {
            Self::with_heads_up_to(NARROW_HEAD_PT, table, room)
        }
    }

    fn with_heads_up_to(most: f32, table: &Table, room: f32) -> Self {
        let names = table
            .rows
            .iter()
            .map(|r| wide(&r.name))
            .fold(0.0, f32::max)
            .ceil();
        let count = table.width();
        let cells: Vec<f32> = (0..count)
            .map(|c| {
                let numbers = table
                    .rows
                    .iter()
                    .filter_map(|r| r.cells.get(c))
                    .map(|cell| wide(&cell.text));
                let head = table.columns.get(c).map(|t| wide(t).min(most));
                (numbers.chain(head).fold(20.0, f32::max) + 2.0 * PAD_PT).ceil()
            })
            .collect();
        let whole = names + cells.iter().map(|w| w + BETWEEN_PT).sum::<f32>();
        let results = table
            .rows
            .iter()
            .map(|r| wide(&r.result))
            .fold(0.0, f32::max);
        Self {
            names,
            cells,
            width: whole.max(results).max(room.min(MOST_PT)),
        }
    }

    /// Whether the row's result fits beside its cells.
    fn beside(&self, row: &Row) -> bool {
        let cells = row
            .cells
            .len()
            .checked_sub(1)
            .map_or(0.0, |last| self.right(last));
        cells.max(wide(&row.name)) + GAP_PT + wide(&row.result) <= self.width
    }

    /// The right edge of a column, from the table's left.
    fn right(&self, c: usize) -> f32 {
        self.names
            + self
                .cells
                .iter()
                .take(c + 1)
                .map(|w| w + BETWEEN_PT)
                .sum::<f32>()
    }
}

fn rows_ui(
    ui: &mut Ui,
    table: &Table,
    columns: &Columns,
    words: &Words,
    changed: &mut Vec<(Target, f64)>,
) {
    let typing_id = ui.scope_id().with("typing");
    let mut typing: Option<Typing> = ui.data(|data| data.get_temp(typing_id));
    let mut cells = Cells {
        words,
        typing: &mut typing,
        changed,
    };

    let head = allocate(ui, columns, ROW_PT);
    for (c, name) in table.columns.iter().enumerate() {
        let area = cell_area(head, columns, c);
        let name = &shortened(name, area.width() - PAD_PT);
        match table.heads.get(c).and_then(Option::as_ref) {
            Some(edit) => cells.field_ui(ui, area, name, Ink::Quiet, false, edit, ("head", c)),
            None => written(
                ui,
                area.shrink2(vec2(PAD_PT, 0.0)),
                name,
                Ink::Quiet,
                false,
                true,
            ),
        }
    }
    for (r, row) in table.rows.iter().enumerate() {
        let area = allocate(ui, columns, ROW_PT);
        ui.painter()
            .hline(area.x_range(), area.top(), theme::hairline(ui, Ink::Line));
        row_ui(ui, area, row, columns, &mut cells, r);
    }
    let refused = cells.typing.as_ref().and_then(|t| t.refused.clone());
    if let Some(refused) = refused {
        ui.add_space(4.0);
        let font = theme::Type::Small.font();
        ui.label(
            RichText::new(refused)
                .font(font)
                .color(theme::ink(ui, Ink::Wrong)),
        );
    }
    ui.data_mut(|data| match typing {
        Some(typing) => {
            data.insert_temp(typing_id, typing);
        }
        None => data.remove::<Typing>(typing_id),
    });
}

fn row_ui(ui: &mut Ui, area: Rect, row: &Row, columns: &Columns, cells: &mut Cells, r: usize) {
    let said = row
        .cells
        .iter()
        .map(|c| c.text.as_str())
        .chain([row.result.as_str()])
        .filter(|t| !t.is_empty())
        .collect::<Vec<_>>()
        .join(", ");
    let name_area = Rect::from_min_size(area.min, vec2(columns.names, area.height()));
    let name = ui.interact(name_area, ui.scope_id().with(("row", r)), Sense::hover());
    name.widget_info(|| {
        WidgetInfo::labeled(
            Role::Label,
            ui.is_enabled(),
            format!("{}: {said}", row.name),
        )
    });
    written(ui, name_area, &row.name, row.ink, false, false);
    for (c, cell) in row.cells.iter().enumerate() {
        let area = cell_area(area, columns, c);
        match &cell.edit {
            Some(edit) => cells.field_ui(
                ui,
                area,
                &cell.text,
                cell.ink,
                cell.strong,
                edit,
                (row.name.as_str(), c),
            ),
            None => written(
                ui,
                area.shrink2(vec2(PAD_PT, 0.0)),
                &cell.text,
                cell.ink,
                cell.strong,
                true,
            ),
        }
    }
    if row.result.is_empty() {
        return;
    }
    let line = if columns.beside(row) {
        area
    } else {
        allocate(ui, columns, UNDER_PT)
    };
    written(ui, line, &row.result, row.ink, true, true);
}

fn allocate(ui: &mut Ui, columns: &Columns, height: f32) -> Rect {
    let spacing = std::mem::replace(&mut ui.spacing_mut().item_spacing, Vec2::ZERO);
    let (rect, _) = ui.allocate_exact_size(vec2(columns.width, height), Sense::hover());
    ui.spacing_mut().item_spacing = spacing;
    rect
}

fn cell_area(row: Rect, columns: &Columns, c: usize) -> Rect {
    let right = row.left() + columns.right(c);
    let width = columns.cells.get(c).copied().unwrap_or_default();
    Rect::from_min_max(
        pos2(right - width, row.top() + 3.0),
        pos2(right, row.bottom() - 3.0),
    )
}

/// A line of text at the left or right edge of its area.
fn written(ui: &Ui, area: Rect, text: &str, ink: Ink, strong: bool, right: bool) {
    let face = if strong {
        Face::SansSemibold
    } else {
        Face::Sans
    };
    let x = if right {
        area.right() - faces::width(text, face, SIZE_PT)
    } else {
        area.left()
    };
    let at: Pos2 = pos2(x, area.center().y + 0.33 * SIZE_PT);
    rich::paint_text(
        ui.painter(),
        text,
        rich::font_id(face, SIZE_PT),
        at,
        theme::ink(ui, ink),
    );
}

/// What the fields share.
struct Cells<'a> {
    words: &'a Words,
    typing: &'a mut Option<Typing>,
    changed: &'a mut Vec<(Target, f64)>,
}

impl Cells<'_> {
    #[allow(
        clippy::too_many_arguments,
        reason = "a cell is all of these, and is drawn in one place"
    )]
    fn field_ui(
        &mut self,
        ui: &mut Ui,
        area: Rect,
        text: &str,
        ink: Ink,
        strong: bool,
        edit: &CellEdit,
        salt: (&str, usize),
    ) {
        let id = ui.scope_id().with(salt);
        if self.typing.as_ref().is_some_and(|t| t.cell == id) {
            return self.typing_ui(ui, area, edit, id);
        }
        let response = ui.interact(area, id, Sense::click());
        response.widget_info(|| WidgetInfo {
            label: Some(edit.name.clone()),
            value: Some(edit.value),
            ..WidgetInfo::new(Role::SpinButton)
        });
        let handle = handle_of(edit, text);
        tell(ui, &response, &handle);
        let edge = if response.hovered() {
            Ink::BlockLine
        } else {
            Ink::Line
        };
        ui.painter().rect_stroke(
            area,
            4.0,
            Stroke::new(1.0, theme::ink(ui, edge)),
            StrokeKind::Inside,
        );
        written(ui, area.shrink2(vec2(PAD_PT, 0.0)), text, ink, strong, true);
        theme::focus_ring(ui, &response, 4);
        if response.clicked() {
            *self.typing = Some(Typing {
                cell: id,
                text: text.to_owned(),
                refused: None,
                begun: false,
            });
        } else if let Some(value) = keyed(ui, &response, &handle).filter(|v| *v != edit.value) {
            self.changed.push((edit.target, value));
        }
        response.on_hover_cursor(egui::CursorIcon::Text);
    }

    fn typing_ui(&mut self, ui: &mut Ui, area: Rect, edit: &CellEdit, cell: Id) {
        let Some(typing) = self.typing.as_mut() else {
            return;
        };
        let field = cell.with("field");
        let widget = TextEdit::singleline(&mut typing.text)
            .id(field)
            .font(rich::font_id(Face::Sans, SIZE_PT))
            .margin(vec2(PAD_PT - 2.0, 2.0))
            .align(egui::Align2::RIGHT_CENTER);
        // Wide enough to type in, over the cell before it; in a child, so that the row keeps its height.
        let area = area.with_min_x(area.left().min(area.right() - FIELD_PT));
        let mut child = ui.new_child(UiBuilder::new().max_rect(area));
        child.spacing_mut().interact_size.y = area.height();
        let response = child.put(area, widget);
        response.widget_info(|| WidgetInfo {
            label: Some(edit.name.clone()),
            current_text_value: Some(typing.text.clone()),
            ..WidgetInfo::new(Role::TextInput)
        });
        if !typing.begun {
            typing.begun = true;
            response.request_focus();
            let mut state =
                egui::text_edit::TextEditState::load(ui.ctx(), field).unwrap_or_default();
            let all = egui::text::CCursorRange::select_all(&ui.painter().layout_no_wrap(
                typing.text.clone(),
                rich::font_id(Face::Sans, SIZE_PT),
                egui::Color32::PLACEHOLDER,
            ));
            state.cursor.set_char_range(Some(all));
            state.store(ui.ctx(), field);
            return;
        }
        if response.changed() {
            typing.refused = None;
        }
        if !response.lost_focus() {
            return;
        }
        let (left, entered) = ui.input(|i| (i.key_pressed(Key::Escape), i.key_pressed(Key::Enter)));
        if left {
            *self.typing = None;
            ui.memory_mut(|m| m.request_focus(cell));
            return;
        }
        match read(&typing.text, edit) {
            Ok(value) => {
                *self.typing = None;
                if entered {
                    ui.memory_mut(|m| m.request_focus(cell));
                }
                if value != edit.value {
                    self.changed.push((edit.target, value));
                }
            }
            Err(problem) => {
                typing.refused = Some(self.words.say(&problem));
                if entered {
                    ui.memory_mut(|m| m.request_focus(field));
                }
            }
        }
    }
}

/// A cell as a handle, for keys and the screen reader.
fn handle_of(edit: &CellEdit, said: &str) -> Handle {
    let CellEdit {
        name,
        value,
        range,
        step,
        target,
    } = edit.clone();
    let (min, size) = ([0.0; 2], [0.0; 2]);
    Handle {
        id: String::new(),
        name,
        said: said.to_owned(),
        min,
        size,
        value,
        range,
        step,
        axis: Axis::X,
        per_unit: 0.0,
        stops: Vec::new(),
        grip: None,
        target,
    }
}

/// What was typed, as a number that the cell can hold.
fn read(typed: &str, edit: &CellEdit) -> Result<f64, FigureMsg> {
    let value = read_typed(typed).map_err(|problem| match problem {
        TypedProblem::Empty => FigureMsg::TypeANumber,
        TypedProblem::Ambiguous {
            as_decimal,
            as_thousands,
        } => FigureMsg::WhichNumber {
            decimal: as_decimal,
            thousands: as_thousands,
        },
        TypedProblem::NotANumber => FigureMsg::NotANumber {
            typed: typed.trim().to_owned(),
        },
        TypedProblem::NotFinite => FigureMsg::NumberTooLarge,
    })?;
    let (least, most) = edit.range;
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(FigureMsg::NotInRange { least, most })
    }
}

#!/usr/bin/env bash
# The real window under Xvfb: start, begin the quiz, answer with the keyboard, take a picture, idle, close, start again.
# Usage: tests/window_smoke.sh PATH-TO-PROGRAM [FOLDER-FOR-PICTURES]
# Needs: xvfb xdotool scrot wmctrl openbox libgl1-mesa-dri libegl1 libgl1 libxkbcommon-x11-0 libxcursor1 libxrandr2 libxi6
set -euo pipefail
program=$(realpath "$1")
pictures=${2:-$(mktemp -d)}
mkdir -p "$pictures"
home=$(mktemp -d)
export HOME=$home XDG_RUNTIME_DIR=$home XDG_DATA_HOME=$home/data XDG_CONFIG_HOME=$home/config
export ATTENTION_TUTOR_DATA=$home/tutor LIBGL_ALWAYS_SOFTWARE=1
unset WAYLAND_DISPLAY
title='Attention Tutor'
pids=()
cleanup() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$home"
}
trap cleanup EXIT

fail() {
    echo "window smoke: $1" >&2
    scrot -o "$pictures/failed.png" 2>/dev/null || true
    tail -n 20 "$home/program.log" >&2 || true
    exit 1
}

exec 3>"$home/display"
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp >/dev/null 2>&1 &
pids+=($!)
for _ in $(seq 50); do [ -s "$home/display" ] && break; sleep 0.1; done
[ -s "$home/display" ] || fail "Xvfb did not start"
DISPLAY=":$(tr -d '[:space:]' <"$home/display")"
export DISPLAY
openbox >/dev/null 2>&1 &
pids+=($!)
sleep 0.5

start() {
    "$program" "$@" >"$home/program.log" 2>&1 &
    app=$!
    pids+=("$app")
    for _ in $(seq 100); do
        window=$(xdotool search --onlyvisible --name "^$title" 2>/dev/null | head -n 1 || true)
        [ -n "$window" ] && return 0
        kill -0 "$app" 2>/dev/null || fail "the program ended at start"
        sleep 0.1
    done
    fail "no window titled '$title' within 10 s"
}
shot() { scrot -o "$pictures/$1.png"; }
keys() {
    for key in "$@"; do
        xdotool key "$key"
        sleep 0.4
    done
}
changed() { ! cmp -s "$pictures/$1.png" "$pictures/$2.png" || fail "nothing changed between $1 and $2"; }
close() {
    wmctrl -c "$title"
    for _ in $(seq 50); do
        kill -0 "$app" 2>/dev/null || return 0
        sleep 0.1
    done
    fail "the window did not close"
}

# A library of the window system that is missing is told, and the quiz goes on in the terminal. (Hiding one takes root.)
library=$(ldconfig -p | awk '/libxkbcommon-x11\.so\.0 /{print $NF; exit}')
if [ -n "$library" ] && unshare -m true 2>/dev/null; then
    told=$(printf '2\n' | timeout 20 unshare -m sh -c 'mount --bind /dev/null "$(readlink -f "$0")" && exec "$1"' "$library" "$program" 2>&1) ||
        fail "without libxkbcommon-x11 the program ends: $told"
    grep -q 'libxkbcommon-x11-0' <<<"$told" || fail "a missing library is not told: $told"
    grep -q 'Two readings give 79' <<<"$told" || fail "without a window the quiz does not go on: $told"
    echo "window smoke: a missing library is told, the quiz goes on"
fi

start
xdotool windowsize "$window" 1280 780 2>/dev/null || true
xdotool windowactivate "$window" 2>/dev/null || true
sleep 1
shot 1-learn
keys Return
shot 2-question
changed 1-learn 2-question
keys 2 Return
sleep 1
shot 3-answered
changed 2-question 3-answered

# Idle costs nothing: no processor ticks in five seconds.
ticks() { awk '{print $14 + $15}' "/proc/$app/stat"; }
before=$(ticks)
sleep 5
after=$(ticks)
echo "window smoke: $((after - before)) ticks in 5 s of idle"
[ $((after - before)) -le 1 ] || fail "idle used $((after - before)) ticks in 5 s"

close
start
sleep 0.5
shot 4-again
close
echo "window smoke: passed; pictures in $pictures"

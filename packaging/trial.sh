#!/bin/sh
# Tries the Debian packages as a person does, in a root of its own: `cargo xtask test --packages` starts it there as root.
# An older package is installed and used, upgraded to a newer one and used again, and removed. Only the person's own
# data may be left.
#
# Usage: trial.sh OLDER NEWER PICTURES
set -eu
older=$1 newer=$2 pictures=$3
home=/home/mori
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

step() { printf 'trial: %s\n' "$*"; }
fail() {
    printf 'trial: %s\n' "$*" >&2
    cat "$home/window.log" >&2 2>/dev/null || true
    exit 1
}
# Waits until a command succeeds.
until_true() {
    what=$1
    shift
    tries=0
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ "$tries" -lt 1500 ] || fail "$what: not within five minutes"
        sleep 0.2
    done
}
as_mori() { runuser -u mori -- env "HOME=$home" DISPLAY=:7 XDG_RUNTIME_DIR=/run/mori "$@"; }
install_package() { apt-get -qq install --yes --no-install-recommends "$1" >/dev/null; }
files() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /home/mori \
        -o -path /var/cache -o -path /var/log -o -path /var/lib/apt -o -path /var/lib/dpkg \) -prune \
        -o ! -name '*.pyc' -print | LC_ALL=C sort
}
all_thumbnails_are_made() { [ "$(find "$home/.cache/fumikura/thumbs" -name '*.jpg' | wc -l)" -ge "$number" ]; }

# Answers the question of the first start by keys.
gives_name() {
    as_mori xdotool search --onlyvisible --class fumikura windowfocus key --clearmodifiers ctrl+a type mori
    as_mori xdotool key Return
    as_mori fumi user list | grep -q mori
}

# Opens the window on the pictures, writes a page beside it, reads it again, and closes the window.
use() {
    version=$1 page=$2
    as_mori dbus-run-session -- fumikura "$home/Pictures" >"$home/window.log" 2>&1 &
    window=$!
    until_true "the window" as_mori xdotool search --onlyvisible --class fumikura
    until_true "the server" as_mori fumi user list
    as_mori fumi user list | grep -q mori || until_true "the name" gives_name
    printf '# 京都\n\n%s\n' "$version" | as_mori fumi page add "$page"
    as_mori fumi page show "$page" | grep -q "$version" || fail "$page was not stored"
    until_true "the thumbnails" all_thumbnails_are_made
    as_mori xdotool search --onlyvisible --class fumikura windowclose
    wait "$window" || fail "the window ended with $?"
    # Without the window, the program works on the same data.
    as_mori fumi page show "$page" | grep -q "$version" || fail "$page is gone after the end"
}

step "a person with pictures"
useradd --create-home --shell /bin/sh mori
cp -r "$pictures" "$home/Pictures"
number=$(find "$home/Pictures" -type f | wc -l)
install -d -o mori -m 700 /run/mori
chown -R mori: "$home"
apt-get -qq update
# The libraries that the package needs stay: the second removal is compared.
install_package "$newer"
apt-get -qq purge --yes fumikura >/dev/null
files >/tmp/before

as_mori Xvfb :7 -screen 0 1280x900x24 -nolisten tcp >/dev/null 2>&1 &
until_true "the display" as_mori xdotool getmouselocation
as_mori openbox >/dev/null 2>&1 &

step "install, and use"
install_package "$older"
use one /one
step "upgrade, and use"
install_package "$newer"
[ "$(dpkg-query -W -f '${Version}' fumikura)" = "$(dpkg-deb -f "$newer" Version)" ] || fail "the upgrade kept the old version"
use two /two
as_mori fumi page show /one | grep -q one || fail "the page from before the upgrade is gone"
step "remove"
apt-get -qq purge --yes fumikura >/dev/null
files >/tmp/after
diff /tmp/before /tmp/after || fail "the package left files"
[ -s "$home/.local/share/fumikura/wiki.redb" ] || fail "the data of the person is gone"
step "only the data of the person is left"

#!/usr/bin/env bash
# Builds or installs the real backends of the end-to-end tests; what is there already is left alone.
# usage: install.sh [collector] [jaeger] [prometheus] [debian] (default: all of them)
#
# Needs Go and, for "debian" (Prometheus 2 and Alertmanager), apt-get. Each binary is kept outside the clone under the
# hash of the files that pin it, so that a change of pins builds anew and everything else takes no time.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/spanjudge-backends
mkdir -p "$cache"
# Exactly the modules in go.sum, by the Go that is there.
export GOTOOLCHAIN=local GOFLAGS='-trimpath -buildvcs=false -mod=readonly'

# build NAME DIRECTORY PACKAGE [FLAG...]: one binary from the pins in DIRECTORY, put in place at once or not at all.
build() {
  local name=$1 directory=$here/$2 package=$3 key built work
  shift 3
  key=$({ find "$directory" -type f | LC_ALL=C sort | xargs cat; echo "$package $*"; } | sha256sum | cut -c1-16)
  built=$cache/$name-$key
  if [ ! -x "$built" ]; then
    work=$(mktemp -d)
    cp -r "$directory/." "$work"
    (cd "$work" && nice -n 10 go build -ldflags='-s -w' "$@" -o "$built.$$" "$package")
    mv -f "$built.$$" "$built"
    rm -rf "$work"
  fi
  ln -sfn "$built" "$cache/$name"
}

debian() {
  if ! command -v prometheus promtool prometheus-alertmanager amtool >/dev/null; then
    apt-get -o DPkg::Lock::Timeout=300 update -qq
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -qq -y --no-install-recommends \
      prometheus prometheus-alertmanager >/dev/null
  fi
}

if [ $# -eq 0 ]; then set -- debian collector jaeger prometheus; fi
for backend in "$@"; do
  begin=$SECONDS
  case $backend in
    collector) build otelcol collector . ;;
    jaeger) build jaeger jaeger github.com/jaegertracing/jaeger/cmd/jaeger ;;
    prometheus)
      for name in prometheus promtool; do
        build "$name" prometheus "github.com/prometheus/prometheus/cmd/$name" -tags remove_all_sd
      done
      ;;
    debian) debian ;;
    *)
      echo "install.sh: there is no backend \"$backend\"; choose among collector, jaeger, prometheus, debian." >&2
      exit 2
      ;;
  esac
  echo "$backend: ready after $((SECONDS - begin)) s"
done

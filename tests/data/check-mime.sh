#!/usr/bin/env bash
# check-mime.sh DATA GOLDEN: the MIME types are accepted, and names of files that TensorFlow and we write
# are told to be of them.
set -u
data=$1 golden=$2 failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/mime/packages"
cp "$data/org.flowstep.Flowstep.mime.xml" "$folder/mime/packages/org.flowstep.Flowstep.xml"
said=$(XDG_DATA_HOME="$folder" update-mime-database "$folder/mime" 2>&1)
if [ -n "$said" ]; then
  echo "$said"
  failed=1
fi
[ -f "$folder/mime/globs2" ] || exit 1

expect () {
  cp "$golden/$2" "$folder/$3"
  type=$(XDG_DATA_HOME="$folder" XDG_DATA_DIRS=/nowhere gio info -a standard::content-type "$folder/$3" \
         | sed -n 's/.*standard::content-type: //p')
  if [ "$type" != "$1" ]; then
    echo "$3 is told to be $type, not $1"
    failed=1
  fi
}
if command -v gio >/dev/null 2>&1; then
  expect application/x-tensorflow-meta models/xor.meta model.ckpt.meta
  expect application/x-tensorflow-graph models/split_test.pb graph.pb
  expect application/x-tensorflow-graph models/values.pbtxt graph.pbtxt
  expect application/x-tensorflow-events events/events.out.tfevents.1700000000.recorded events.out.tfevents.1.host
  printf '{}' >"$folder/a"
  expect application/x-flowstep-run+json models/values.pbtxt train.run.json
fi
exit $failed

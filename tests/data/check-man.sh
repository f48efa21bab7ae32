#!/usr/bin/env bash
# check-man.sh CLI FOLDER: no page has a mistake that groff warns of, and the page of flowstep-cli names
# every command and every option of it.
set -u
cli=$1 folder=$2 failed=0
for page in "$folder"/*.1; do
  said=$(LC_ALL=C.UTF-8 groff -man -Tutf8 -ww -z "$page" 2>&1)
  if [ -n "$said" ]; then
    echo "$said"
    failed=1
  fi
  if command -v mandoc >/dev/null 2>&1 && ! mandoc -T lint -W error "$page"; then
    failed=1
  fi
done

text=$(LC_ALL=C.UTF-8 groff -man -Tutf8 -P-c -P-b -P-u "$folder/flowstep-cli.1")
words=$(echo "$text" | tr -c 'a-zA-Z0-9\n-' '\n')
for command in $("$cli" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p'); do
  if ! echo "$words" | grep -qx -- "$command"; then
    echo "flowstep-cli.1 lacks the command $command"
    failed=1
  fi
  for option in $("$cli" "$command" --help | grep -o -- '--[a-z][a-z0-9-]*' | sort -u); do
    if ! echo "$words" | grep -qx -- "$option"; then
      echo "flowstep-cli.1 lacks $option of $command"
      failed=1
    fi
  done
done
exit $failed

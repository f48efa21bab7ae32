#!/usr/bin/env bash
# check-install.sh BUILD gtk|plain gir|plain SANITIZERS: `meson install` gives all there is, and what it gives
# works from where it stands: the program runs, and a program of somebody else compiles against it.
set -u
build=$1 gtk=$2 gir=$3 sanitize=$4 failed=0
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
DESTDIR=$stage meson install -C "$build" --no-rebuild --quiet >"$stage/log" 2>&1 || { cat "$stage/log"; exit 1; }

option () { meson introspect "$build" --buildoptions | python3 -c "
import json, sys
print(next(o['value'] for o in json.load(sys.stdin) if o['name'] == '$1'))"; }
prefix=$stage$(option prefix)
lib=$prefix/$(option libdir)
share=$prefix/$(option datadir)
man=$prefix/$(option mandir)

want () {
  for file in "$@"; do
    if [ ! -s "$file" ]; then
      echo "not installed: ${file#"$stage"}"
      failed=1
    fi
  done
}
want "$prefix/bin/flowstep-cli" "$prefix/$(option libexecdir)/flowstep-engine" "$lib/libflow-1.so" \
     "$lib/pkgconfig/flowstep-1.pc" "$prefix/include/flowstep-1/flowstep.h" \
     "$man/man1/flowstep-cli.1" "$man/man1/flowstep-engine.1"
if [ "$gtk" = gtk ]; then
  want "$prefix/bin/flowstep" "$man/man1/flowstep.1" "$share/applications/org.flowstep.Flowstep.desktop" \
       "$share/metainfo/org.flowstep.Flowstep.metainfo.xml" "$share/mime/packages/org.flowstep.Flowstep.xml" \
       "$share/glib-2.0/schemas/org.flowstep.Flowstep.gschema.xml" \
       "$share/icons/hicolor/scalable/apps/org.flowstep.Flowstep.svg" \
       "$share/icons/hicolor/symbolic/apps/org.flowstep.Flowstep-symbolic.svg"
fi
if [ "$gir" = gir ]; then
  want "$share/gir-1.0/Flow-1.0.gir" "$lib/girepository-1.0/Flow-1.0.typelib"
fi

# Every header that another one includes is there.
for header in "$prefix"/include/flowstep-1/*.h; do
  for included in $(sed -n 's/^#include "\(.*\)"$/\1/p' "$header"); do
    want "$prefix/include/flowstep-1/$included"
  done
done

if [ "$sanitize" = none ]; then
  export LD_LIBRARY_PATH=$lib
  "$prefix/bin/flowstep-cli" --version || failed=1
  if readelf -d "$lib/libflow-1.so" | grep -q 'libopenblas' &&
     ! readelf -d "$lib/libflow-1.so" | grep 'R.*PATH' | grep -q openblas-openmp; then
    echo "the installed library would take any OpenBLAS there is, not the OpenMP one"
    failed=1
  fi
  cat >"$stage/a.c" <<'C'
#include <flowstep.h>

int
main (void)
{
  g_autoptr (FlowGraph) graph = flow_graph_new ();

  return (int) flow_graph_get_n_nodes (graph);
}
C
  # As if the stage were the root of the machine.
  sed -i "s|^prefix=.*|prefix=$prefix|" "$lib/pkgconfig/flowstep-1.pc"
  flags=$(PKG_CONFIG_PATH=$lib/pkgconfig pkg-config --cflags --libs flowstep-1)
  # shellcheck disable=SC2086
  cc "$stage/a.c" -o "$stage/a" $flags && "$stage/a" || failed=1
fi
exit $failed

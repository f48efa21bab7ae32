# Sourced by app/run and tests/run: which Debian packages are needed, and how to get them.
# The README says what each is for.

flowstep_build_packages="gcc libc6-dev meson ninja-build pkg-config gettext libglib2.0-dev libglib2.0-bin
libgirepository1.0-dev gobject-introspection libgtk-4-dev libadwaita-1-dev libjson-glib-dev
libopenblas-openmp-dev libdnnl-dev zlib1g-dev liblzma-dev libpng-dev libjpeg62-turbo-dev libgif-dev
libsqlite3-dev"

flowstep_run_packages="python3 python3-gi python3-numpy python3-lib2to3 gir1.2-glib-2.0 librsvg2-common adwaita-icon-theme fonts-dejavu-core fonts-cantarell"

flowstep_test_packages="xvfb xauth dbus dbus-x11 at-spi2-core python3 python3-gi python3-h5py gir1.2-glib-2.0
desktop-file-utils appstream libxml2-utils shared-mime-info groff-base mandoc dpkg-dev"

# flowstep_install PACKAGE...: installs what is missing; ends the script with 2 where it may not.
flowstep_install ()
{
  missing=
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed \
      || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" = 0 ]; then
    as_root=
  elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root=sudo
  else
    echo "These packages are missing and this is not root. Run:" >&2
    echo "  sudo apt-get install --no-install-recommends$missing" >&2
    exit 2
  fi
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1 \
    || { $as_root apt-get update -qq \
         && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null; } \
    || { echo "apt-get could not install:$missing" >&2; exit 2; }
}

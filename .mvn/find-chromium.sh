# Finds the Chromium, or Google Chrome, that tests of pages run in. POSIX sh, to be sourced:
#
#     . "$root/.mvn/find-chromium.sh"
#     CHROMIUM=$(find_chromium) || exit 1
#
# CHROMIUM, a path or a name on the PATH, goes before the usual places. VEILGATE_BROWSERS, a colon-separated list,
# replaces the usual places.

# Prints the browser to use; prints nothing and fails if there is none.
find_chromium() (
  if [ -n "${CHROMIUM-}" ]; then
    command -v "$CHROMIUM"
    return
  fi
  browsers=/usr/bin/chromium:/usr/bin/google-chrome:/usr/bin/chromium-browser
  browsers=$browsers:/Applications/Chromium.app/Contents/MacOS/Chromium
  browsers="$browsers:/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
  set -f
  IFS=:
  for browser in ${VEILGATE_BROWSERS-$browsers}; do
    [ -x "$browser" ] || continue
    # Ubuntu's chromium-browser is no browser, but a script that starts a snap.
    case $browser in
      */chromium-browser) ! grep -q snap "$browser" || continue ;;
    esac
    printf '%s\n' "$browser"
    return 0
  done
  return 1
)

# Finds Node 20.19 or later with its npm. POSIX sh, to be sourced:
#
#     . "$root/.mvn/find-node.sh"
#     use_node || exit 1       # its folder is first in PATH from here on, or standard error says what is missing
#
# The node on the PATH is left alone if it will do. Otherwise the folders where version managers put Node are looked at,
# and the earliest version that will do is taken. VEILGATE_NODE_FOLDERS, a colon-separated list of patterns of bin
# folders, replaces the list.

# Prints major * 1000 + minor of the Node in bin folder $1, or 0.
find_node_version() {
  version=$("$1/node" --version 2>/dev/null) || version=v0.0
  version=${version#v}
  minor=${version#*.}
  printf '%s\n' $((${version%%.*} * 1000 + ${minor%%.*}))
}

# Prints the bin folder to use; prints nothing and fails if there is none. Runs in a subshell: leaves nothing behind.
find_node() (
  set +eu
  set +f
  if on_path=$(command -v node) && command -v npm >/dev/null && [ "$(find_node_version "${on_path%/*}")" -ge 20019 ]; then
    printf '%s\n' "${on_path%/*}"
    return 0
  fi
  folders=/usr/local/bin:/usr/local/lib/nodejs/*/bin:/opt/node*/bin:/opt/nodejs/*/bin
  folders=$folders:$HOME/.nvm/versions/node/*/bin:$HOME/.volta/tools/image/node/*/bin
  folders=$folders:$HOME/.local/share/fnm/node-versions/*/installation/bin:$HOME/.fnm/node-versions/*/installation/bin
  folders=$folders:$HOME/.asdf/installs/nodejs/*/bin:$HOME/.local/share/mise/installs/node/*/bin
  folders=$folders:/opt/homebrew/bin:/opt/homebrew/opt/node*/bin:/usr/local/opt/node*/bin:/home/linuxbrew/.linuxbrew/bin
  folders=${VEILGATE_NODE_FOLDERS-$folders}
  best='' best_version=''
  IFS=:
  set -- $folders
  unset IFS
  for folder in "$@"; do
    [ -x "$folder/node" ] && [ -x "$folder/npm" ] || continue
    version=$(find_node_version "$folder")
    if [ "$version" -ge 20019 ] && { [ -z "$best" ] || [ "$version" -lt "$best_version" ]; }; then
      best=$folder best_version=$version
    fi
  done
  [ -n "$best" ] && printf '%s\n' "$best"
)

# Puts the folder of Node at the front of PATH; fails, and says why, if there is none.
use_node() {
  node_folder=$(find_node) || {
    found=$(node --version 2>/dev/null) || found=none
    echo "The console's pages need Node 20.19 or later with its npm; found: $found. Install it (https://nodejs.org)." >&2
    return 1
  }
  case $PATH: in
    "$node_folder":*) ;;
    *) PATH=$node_folder:$PATH ;;
  esac
  export PATH
}

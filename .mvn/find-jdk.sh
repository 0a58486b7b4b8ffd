# Finds a JDK of version 25 or later: sets and exports JAVA_HOME, or says what is missing and exits with status 1.
# POSIX sh, to be sourced:   . "$root/.mvn/find-jdk.sh"
#
# JAVA_HOME is left alone if it will do. Otherwise the javac on the PATH and the folders where JDKs usually are
# installed are looked at; a JDK 25 is preferred to a later one, and of later ones the earliest is taken.
# VEILGATE_JDK_FOLDERS, a colon-separated list of patterns, replaces the list of folders.

# The whole search runs in a subshell: it leaves nothing behind in the caller's shell but these functions.

# Prints the major version of the JDK or JRE in folder $1; fails if there is none.
find_jdk_version() {
  [ -r "$1/release" ] || return 1
  while IFS='=' read -r key value || [ -n "$key" ]; do
    if [ "$key" = JAVA_VERSION ]; then
      value=${value#\"}
      value=${value#1.} # 1.8.0_372 is Java 8
      value=${value%%[!0-9]*}
      [ -n "$value" ] || return 1
      printf '%s\n' "$value"
      return 0
    fi
  done <"$1/release"
  return 1
}

# Prints the folder above the bin folder of the javac on the PATH, with symbolic links followed.
find_jdk_on_path() {
  file=$(command -v javac) || file=$(command -v java) || return 1
  while [ -L "$file" ]; do
    target=$(readlink "$file") || return 1
    case $target in
      /*) file=$target ;;
      *) file=${file%/*}/$target ;;
    esac
  done
  cd -P -- "${file%/*}/.." 2>/dev/null && pwd -P
}

# Looks at the candidate folder $1; $2 says where it comes from. Sets best and best_version, adds to found.
find_jdk_consider() {
  version=$(find_jdk_version "$1") || return 0
  if [ ! -x "$1/bin/javac" ]; then
    found="$found  Java $version without a compiler (no bin/javac): $1$2
"
  elif [ "$version" -lt 25 ]; then
    found="$found  JDK $version: $1$2
"
  elif [ -z "$best" ] || [ "$version" -lt "$best_version" ]; then
    best=$1 best_version=$version
  fi
}

# Prints the folder of the JDK to use, or complains.
find_jdk() {
  set +eu
  set +f
  unset CDPATH
  best='' best_version='' found=''

  if [ -n "$JAVA_HOME" ]; then
    find_jdk_consider "$JAVA_HOME" ' (JAVA_HOME)'
    if [ -n "$best" ]; then
      printf '%s\n' "$best"
      return 0
    fi
    [ -n "$found" ] || found="  no JDK: $JAVA_HOME (JAVA_HOME)
"
  fi

  on_path=$(find_jdk_on_path) && find_jdk_consider "$on_path" ' (PATH)'

  folders=/usr/lib/jvm/*:/usr/lib64/jvm/*:/usr/java/*:/opt/*:/opt/java/*
  folders=$folders:$HOME/.sdkman/candidates/java/*:$HOME/.jdks/*
  folders=$folders:$HOME/.asdf/installs/java/*:$HOME/.local/share/mise/installs/java/*
  folders=$folders:/Library/Java/JavaVirtualMachines/*:$HOME/Library/Java/JavaVirtualMachines/*
  folders=$folders:/opt/homebrew/opt/openjdk*/libexec/openjdk.jdk:/usr/local/opt/openjdk*/libexec/openjdk.jdk
  folders=$folders:/home/linuxbrew/.linuxbrew/opt/openjdk*/libexec
  folders=${VEILGATE_JDK_FOLDERS-$folders}

  IFS=:
  set -- $folders
  unset IFS
  for folder in "$@"; do
    if [ "$best_version" = 25 ]; then
      break
    fi
    if [ -d "$folder/Contents/Home" ]; then # macOS
      folder=$folder/Contents/Home
    fi
    # Distributions link several names to one JDK; what is listed already is not listed again.
    real=$(cd -P -- "$folder" 2>/dev/null && pwd -P) || continue
    case $found in
      *": $real
"* | *": $real ("*) ;;
      *) find_jdk_consider "$real" '' ;;
    esac
  done

  if [ -n "$best" ]; then
    printf '%s\n' "$best"
    return 0
  fi
  {
    echo 'Veilgate needs a JDK of version 25 or later, and none was found.'
    if [ -n "$found" ]; then
      echo 'Found, but of no use:'
      printf '%s' "$found"
    fi
    echo 'Install any JDK 25, for example Eclipse Temurin 25 from https://adoptium.net or the package of your'
    echo 'distribution. If it is in an unusual place, set JAVA_HOME to its folder.'
  } >&2
  return 1
}

JAVA_HOME=$(find_jdk) || exit 1
export JAVA_HOME

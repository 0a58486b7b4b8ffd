# Modules of the repository, from its pom files. POSIX sh, to be sourced; $root is the repository.

# modules_needed MODULE...: prints the folders of these modules and of all that they are built from, their parents among it, tests left out.
modules_needed() (
  cd -- "$root" || exit 1
  # shellcheck disable=SC2046 # one word a module
  set -- "$*" $(sed -n 's:.*<module>\(.*\)</module>.*:\1/pom.xml:p' pom.xml)
  wanted=$1
  shift
  awk -v wanted="$wanted" '
    function text() { sub(/^[^>]*>/, ""); sub(/<.*/, ""); return $0 }
    FNR == 1 { module = FILENAME; sub(/\/pom.xml$/, "", module); block = ""; named = 0 }
    /<(parent|dependencies|dependencyManagement|build)>/ && block == "" { block = $0; gsub(/.*<|>.*/, "", block) }
    block == "" && /<artifactId>/ { folder[text()] = module; next }
    block == "parent" && /<artifactId>/ { uses[module] = uses[module] " " text(); next }
    block == "dependencies" && /<dependency>/ { ours = test = 0; artifact = "" }
    block == "dependencies" && /<groupId>dev.veilgate</ { ours = 1 }
    block == "dependencies" && /<artifactId>/ && artifact == "" { artifact = text(); next }
    block == "dependencies" && /<scope>test</ { test = 1 }
    block == "dependencies" && /<\/dependency>/ && ours && !test { uses[module] = uses[module] " " artifact }
    block != "" && index($0, "</" block ">") { block = "" }
    function need(m,    parts, n, i) {
      if (m == "" || m in printed) return
      printed[m] = 1
      n = split(uses[m], parts, " ")
      for (i = 1; i <= n; i++) need(folder[parts[i]])
      print m
    }
    END { n = split(wanted, all, " "); for (i = 1; i <= n; i++) need(all[i]) }' "$@"
)

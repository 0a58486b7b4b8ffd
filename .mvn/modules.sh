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

# is_built MODULE STAMP: the file STAMP is there, and nothing that the module's program is made of is newer.
is_built() {
  [ -f "$2" ] || return 1
  newer=$(for module in $(modules_needed "$1"); do
    web=$root/$module/web
    [ -d "$web" ] || web=
    main=$root/$module/src/main
    [ -d "$main" ] || main= # a parent of other modules
    # Of pages all but what is made of them or for them, schema.ts among it, and their tests.
    find "$root/pom.xml" "$root/$module/pom.xml" ${main:+"$main"} ${web:+"$web"} \
      \( -path "$web/node_modules" -o -path "$web/dist" -o -path "$web/shots" -o -path "$web/test" \) -prune \
      -o ! -path "$web" ! -path '*/shared/api/schema.ts' -newer "$2" -print
  done | head -n 1)
  [ -z "$newer" ]
}

package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileNames;
import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A log file and the names to which a rotation moves or copies it: {@code app.log.1}, {@code app.log-20261121},
 * {@code app-2026.log}.
 */
record FileFamily(Path base, RotationFolders folders) {
    /** What a rotation puts behind the name or before its extension. Not a compressed file: another program's work. */
    private static final Pattern ADDED = Pattern.compile("[-._]?[0-9][-._0-9TZ]*|\\.(old|prev|bak)");

    private static final Pattern ADDED_BEHIND = Pattern.compile("(" + ADDED + ")$");

    /** Added by a rotation that counts: the larger number is the older file. Four digits are a year. */
    private static final Pattern COUNTER = Pattern.compile("[-._]?([0-9]{1,3})");

    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    /** Looks at the folder until two in a row are the same; a rotation takes far less than these. */
    private static final int MAX_LOOKS = 16;

    /**
     * A member other than the base.
     *
     * @param elsewhere in another folder than the base
     */
    record Member(Path path, FileId.Status status, boolean elsewhere) {
        boolean isSameAs(Member other) {
            return path.equals(other.path) && status.id().equals(other.status.id());
        }
    }

    /**
     * What has the base's name, and what the other names, at one moment.
     *
     * @param listed whether the folder could be read; if not, there may be members that are not seen
     */
    record Snapshot(Optional<FileId.Status> base, List<Member> members, boolean listed) {
        private boolean isSameAs(Snapshot other) {
            boolean same = base.map(FileId.Status::id).equals(other.base.map(FileId.Status::id))
                    && listed == other.listed
                    && members.size() == other.members.size();
            for (int i = 0; same && i < members.size(); i++) {
                same = members.get(i).isSameAs(other.members.get(i));
            }
            return same;
        }
    }

    /**
     * All names of the family. A folder that is read while files are renamed in it may show one of them under no name
     * at all, and what is then taken
     * for the next file is a later one: hence until nothing changes.
     */
    Snapshot look() {
        Snapshot last = lookOnce();
        for (int i = 1; i < MAX_LOOKS; i++) {
            Snapshot next = lookOnce();
            if (next.isSameAs(last)) {
                return next;
            }
            last = next;
        }
        return last;
    }

    /** The other names at this moment; none if the folder cannot be read. A rotation may hide one of them. */
    List<Member> members() {
        try {
            return list();
        } catch (IOException e) {
            return List.of();
        }
    }

    private Snapshot lookOnce() {
        Optional<FileId.Status> now = folders.files().status(base);
        FileId own = now.map(FileId.Status::id).orElse(null);
        try {
            List<Member> members = list();
            members.removeIf(
                    member -> member.elsewhere() && member.status().id().equals(own)); // to which it is a link
            return new Snapshot(now, members, true);
        } catch (IOException e) {
            return new Snapshot(now, List.of(), false); // not there, or not ours to read: looked at again soon
        }
    }

    /**
     * The members that there are, the longest unchanged first; of those written in the same tick of the file system's
     * clock, by their names.
     */
    private List<Member> list() throws IOException {
        List<Member> members = new ArrayList<>();
        Path folder = DurableFiles.folderOf(base.toAbsolutePath());
        for (Path path : folders.names().beginningWith(folder, stem())) {
            if (isMember(path)) {
                folders.files().status(path).ifPresent(s -> members.add(new Member(path, s, false)));
            }
        }
        Map<Path, Member> others = new LinkedHashMap<>();
        for (RotationFolders.Place place : folders.elsewhere(base)) {
            add(rotatedAt(place), place, others);
        }
        members.addAll(others.values());
        members.sort(Comparator.comparing((Member m) -> m.status().modified())
                .thenComparing(m -> counter(m.path()), Comparator.reverseOrder())
                .thenComparing(Member::path));
        return members;
    }

    /**
     * The files that were rotated to another folder, and those to which a link was that have another number or date.
     */
    private List<Path> rotatedAt(RotationFolders.Place place) {
        FileFamily there = new FileFamily(place.base(), folders);
        return there.ownNames(
                place.target(), path -> there.isMember(path) || place.target() && there.isNumberedAlike(path));
    }

    /** The names in the base's folder that may be asked about, and are asked for. */
    private List<Path> ownNames(boolean numberedAlike, Predicate<Path> asked) {
        String own = FileNames.lastName(base);
        Matcher digits = DIGITS.matcher(own);
        String beginning =
                numberedAlike && digits.find() ? own.substring(0, Math.min(digits.start(), stem().length())) : stem();
        try {
            return folders.names().beginningWith(DurableFiles.folderOf(base.toAbsolutePath()), beginning).stream()
                    .filter(asked)
                    .toList();
        } catch (IOException e) {
            return List.of(); // not there, or not ours to read: looked at again
        }
    }

    /** Tells if a name is {@code app-20261129.log} where the log's is {@code app-20261128.log}: other digits alone. */
    private boolean isNumberedAlike(Path path) {
        String own = FileNames.lastName(base);
        String other = FileNames.lastName(path);
        return !own.equals(other)
                && DIGITS.matcher(own).find()
                && DIGITS.matcher(own)
                        .replaceAll("0")
                        .equals(DIGITS.matcher(other).replaceAll("0"));
    }

    /** The compressed files of this log. */
    List<Member> compressed() throws IOException {
        Path folder = DurableFiles.folderOf(base.toAbsolutePath());
        Map<Path, Member> found = new LinkedHashMap<>();
        for (Path path : folders.names().beginningWith(folder, stem())) {
            Compression form = Compression.of(path);
            if (form != null && has(form.unpackedName(path))) {
                folders.files().status(path).ifPresent(s -> found.put(path, new Member(path, s, false)));
            }
        }
        for (RotationFolders.Place place : folders.elsewhere(base)) {
            FileFamily there = new FileFamily(place.base(), folders);
            add(there.ownNames(place.target(), path -> there.isCompressedOf(path, place.target())), place, found);
        }
        return List.copyOf(found.values());
    }

    /** Adds what may be read in a place. */
    private void add(List<Path> paths, RotationFolders.Place place, Map<Path, Member> to) {
        Path folder = DurableFiles.folderOf(place.base());
        for (Path path : paths) {
            folders.files()
                    .statusIn(folder, path, place.readable())
                    .ifPresent(s -> to.putIfAbsent(path, new Member(path, s, true)));
        }
    }

    private boolean isCompressedOf(Path path, boolean numberedAlike) {
        Compression form = Compression.of(path);
        if (form == null) {
            return false;
        }
        Path unpacked = form.unpackedName(path);
        return has(unpacked) || numberedAlike && isNumberedAlike(unpacked);
    }

    /** When names last changed where the log's rotated files are, other than beside it. */
    List<Optional<FileTime>> changesElsewhere() {
        return folders.changes(base);
    }

    /**
     * This one, and the families of the logs of which the base may be a rotated file; each of these has the one
     * before it as a member.
     */
    List<FileFamily> withOrigins() {
        List<FileFamily> all = new ArrayList<>(List.of(this));
        for (Optional<Path> origin = origin();
                origin.isPresent();
                origin = all.getLast().origin()) {
            all.add(new FileFamily(origin.get(), folders));
        }
        return all;
    }

    private boolean has(Path path) {
        return base.getFileName().equals(path.getFileName()) || isMember(path);
    }

    /** Whether a path is one of the family's, or of those of the logs whose rotated name the base may be. */
    boolean isRelated(Path path) {
        return Objects.equals(path.getParent(), base.getParent())
                && withOrigins().stream().anyMatch(family -> family.has(path));
    }

    private Optional<Path> origin() {
        String own = FileNames.lastName(base);
        Matcher behind = ADDED_BEHIND.matcher(own);
        if (behind.find() && behind.start() > 0) {
            return Optional.of(FileNames.sibling(base, own.substring(0, behind.start())));
        }
        String stem = stem();
        Matcher before = ADDED_BEHIND.matcher(stem);
        return before.find() && before.start() > 0
                ? Optional.of(FileNames.sibling(base, stem.substring(0, before.start()) + own.substring(stem.length())))
                : Optional.empty();
    }

    /** The number that a counting rotation gave; -1 if it is a date or a word. */
    private int counter(Path path) {
        Matcher matcher = COUNTER.matcher(added(path));
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
    }

    /** With what every name of the family begins: the base's without its extension. */
    String stem() {
        String own = FileNames.lastName(base);
        int dot = own.lastIndexOf('.');
        return dot <= 0 ? own : own.substring(0, dot);
    }

    boolean isMember(Path path) {
        return ADDED.matcher(added(path)).matches();
    }

    /** What a name has more than the base's, behind it or before its extension; empty if it is no longer form of it. */
    private String added(Path path) {
        String name = FileNames.lastName(path);
        String own = FileNames.lastName(base);
        if (name.length() <= own.length()) {
            return "";
        }
        if (name.startsWith(own)) {
            return behind(own, name.substring(own.length()));
        }
        String stem = stem();
        String extension = own.substring(stem.length());
        boolean both = !extension.isEmpty() && name.startsWith(stem) && name.endsWith(extension);
        return both ? behind(stem, name.substring(stem.length(), name.length() - extension.length())) : "";
    }

    /** A digit behind a digit makes another number: {@code host-12.log} is no rotated {@code host-1.log}. */
    private static String behind(String beginning, String added) {
        boolean number =
                !added.isEmpty() && isDigit(added.charAt(0)) && isDigit(beginning.charAt(beginning.length() - 1));
        return number ? "" : added;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}

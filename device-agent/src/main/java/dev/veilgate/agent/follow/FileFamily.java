package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A log file and the names to which a rotation moves or copies it: {@code app.log.1}, {@code app.log-20261121}, {@code app-2026.log}. */
record FileFamily(Path base) {
    /** What a rotation puts behind the name or before its extension. Not a compressed file: another program's work. */
    private static final Pattern ADDED = Pattern.compile("[-._]?[0-9][-._0-9TZ]*|\\.(old|prev|bak)");

    /** A member other than the base. */
    record Member(Path path, FileId.Status status) {}

    /** The members that there are, the longest unchanged first. */
    List<Member> members() {
        Path folder = base.toAbsolutePath().getParent();
        List<Member> members = new ArrayList<>();
        try (DirectoryStream<Path> names = Files.newDirectoryStream(folder, this::isMember)) {
            for (Path name : names) {
                Optional<FileId.Status> status = FileId.status(name);
                status.ifPresent(s -> members.add(new Member(name, s)));
            }
        } catch (IOException e) {
            return List.of(); // the folder is gone; looked at again soon
        }
        members.sort(Comparator.comparing((Member m) -> m.status().modified()).thenComparing(Member::path));
        return members;
    }

    boolean isMember(Path path) {
        String name = path.getFileName().toString();
        String own = base.getFileName().toString();
        if (name.length() <= own.length()) {
            return false;
        }
        if (name.startsWith(own)) {
            return ADDED.matcher(name.substring(own.length())).matches();
        }
        int dot = own.lastIndexOf('.');
        if (dot <= 0) {
            return false;
        }
        String extension = own.substring(dot);
        String stem = own.substring(0, dot);
        return name.startsWith(stem)
                && name.endsWith(extension)
                && ADDED.matcher(name.substring(dot, name.length() - extension.length()))
                        .matches();
    }
}

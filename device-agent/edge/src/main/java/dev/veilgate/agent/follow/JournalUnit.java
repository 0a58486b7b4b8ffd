package dev.veilgate.agent.follow;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What journald itself says which unit wrote an entry; a program cannot set a field that begins with an underscore. */
final class JournalUnit {
    private static final String JOURNAL = "journald";

    /** As in {@link JournalCursor}: quotes in values are escaped. A backslash in a unit's name, too, and nothing else. */
    private static final Pattern UNIT =
            Pattern.compile("\"_SYSTEMD_UNIT\"\\s*:\\s*\"((?:[A-Za-z0-9:_.@-]|\\\\\\\\){1,256})\"");

    private JournalUnit() {}

    /** The name of where an entry came from: {@code journald/sshd.service}, or {@code journald} for the kernel and what belongs to no unit. */
    static String source(byte[] entry) {
        Matcher found = UNIT.matcher(new String(entry, StandardCharsets.ISO_8859_1));
        return found.find() ? JOURNAL + "/" + found.group(1).replace("\\\\", "\\") : JOURNAL;
    }
}

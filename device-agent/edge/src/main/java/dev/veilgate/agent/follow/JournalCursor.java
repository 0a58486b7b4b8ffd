package dev.veilgate.agent.follow;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the cursor in an entry that journalctl wrote: its own output, where a cursor has no escapes and field values escape their quotes. */
final class JournalCursor {
    private static final Pattern CURSOR = Pattern.compile("\"__CURSOR\"\\s*:\\s*\"([A-Za-z0-9=;_-]{1,1024})\"");

    private JournalCursor() {}

    /** Null if the line is no entry. */
    static @Nullable String of(byte[] entry) {
        Matcher found = CURSOR.matcher(new String(entry, StandardCharsets.ISO_8859_1));
        return found.find() ? found.group(1) : null;
    }
}

package dev.veilgate.settings;

import java.util.List;
import java.util.Locale;

/**
 * One source of records.
 *
 * @param kind      which
 * @param patterns  of files
 * @param exclude   not these
 * @param match     for journalctl
 * @param reader    journalctl's name or path
 * @param scope     of the keywords
 * @param format    auto, plain, rfc3164, rfc5424, json, key-value
 * @param mediaType of a record
 * @param fromEnd   only what is new
 * @param readers   policy of who may read; empty: whoever has the tenant's key
 * @param links     which symbolic links are followed
 */
public record SourceSettings(
        Kind kind,
        List<String> patterns,
        List<String> exclude,
        List<String> match,
        String reader,
        String scope,
        String format,
        String mediaType,
        boolean fromEnd,
        String readers,
        Links links) {
    /** What it is. */
    public enum Kind {
        FILES,
        STDIN,
        JOURNALD
    }

    /** Which symbolic links are followed. */
    public enum Links {
        NONE,
        SAME_OWNER,
        ALL;

        /** The setting's choices. */
        static final List<String> CHOICES = List.of("none", "same-owner", "all");

        static Links of(String choice) {
            return valueOf(choice.toUpperCase(Locale.ROOT).replace('-', '_'));
        }
    }

    /** Compressed files are made of what was read already. */
    public static final List<String> COMPRESSED = List.of("*.gz", "*.bz2", "*.xz", "*.zst", "*.lz4", "*.zip");
}

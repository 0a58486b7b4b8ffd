package dev.veilgate.extract;

import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Gathers the distinct keywords of one record after the other: {@link #begin}, then text and fields, then {@link #finish}. The same calls give
 * the same keywords in the same order, whatever went before. Keeps a bounded cache of keywords, some megabytes when full. For one thread.
 */
public final class RecordKeywords implements RecordSink {
    private static final int CACHE_SETS = 4096;
    private static final int NAMED = -1;

    /** Text beyond ASCII is folded in pieces of at most this many bytes: folded it may be many times as long. */
    private static final int PIECE = 1 << 16;

    private final ExtractorProfile profile;
    private final int maxKeywords;
    private final int maxValueBytes;
    private final int[] ipPrefixes;
    private final int[] ip6Prefixes;
    private final Map<String, DyadicIntervals> numeric = new HashMap<>();
    private final Tokenizer tokenizer;
    private final KeywordCache cache = new KeywordCache(CACHE_SETS);
    private final Set<Keyword> uncached = new HashSet<>();
    private final byte[] scratch = new byte[IpAddresses.MAX_TEXT_BYTES];
    private byte[] folded = new byte[1024];
    private Keyword[] keywords = new Keyword[64];
    private int count;
    private long record;
    private boolean limited;

    /** A gatherer that follows a profile. */
    public RecordKeywords(ExtractorProfile profile) {
        this.profile = profile;
        maxKeywords = profile.limits().keywords();
        maxValueBytes = profile.limits().valueBytes();
        ipPrefixes = profile.ipPrefixes().stream().mapToInt(bits -> bits).toArray();
        ip6Prefixes = profile.ip6Prefixes().stream().mapToInt(bits -> bits).toArray();
        tokenizer = Tokenizer.ofRecords(this, profile.rules());
        profile.numericFields().forEach(field -> numeric.put(field.field(), field));
    }

    /** Begins a record. */
    public void begin() {
        record++;
        count = 0;
        limited = false;
        if (!uncached.isEmpty()) {
            uncached.clear();
        }
    }

    /** The tokens of a text as written. */
    @Override
    public void text(String text) {
        byte[] utf8 = KeywordText.fold(text).getBytes(StandardCharsets.UTF_8);
        tokenizer.cut(utf8, 0, utf8.length);
    }

    /** The tokens of a text as written, in UTF-8 or what should be. */
    @Override
    public void text(byte[] utf8, int from, int to) {
        if (folded.length < to - from) {
            folded = new byte[Math.max(to - from, 2 * folded.length)];
        }
        if (KeywordText.foldAscii(utf8, from, to, folded)) {
            tokenizer.cut(folded, 0, to - from);
        } else {
            int end;
            for (int at = from; at < to; at = end) {
                end = to - at <= PIECE ? to : TokenBytes.endOfPiece(utf8, at + PIECE / 2, at + PIECE);
                byte[] text = KeywordText.fold(utf8, at, end);
                tokenizer.cut(text, 0, text.length);
            }
        }
    }

    /** The tokens of a text that is folded already. */
    @Override
    public void foldedText(byte[] text, int from, int to) {
        tokenizer.cut(text, from, to);
    }

    /** One token, folded; an address is in canonical form. Cut to the profile's length; nothing if empty. */
    @Override
    public void token(TokenKind kind, byte[] bytes, int from, int to) {
        if (from == to) {
            return;
        }
        add(
                kind.ordinal(),
                bytes,
                from,
                to - from <= maxValueBytes ? to : KeywordText.cut(bytes, from, to, maxValueBytes));
        if (kind == TokenKind.IP) {
            networks(bytes, from, to);
        } else if (kind == TokenKind.PATH && profile.rules() > ExtractorProfile.RULES) {
            folders(bytes, from, Math.min(to, from + maxValueBytes));
        }
    }

    /** Each folder that a path lies in, of one name or more: whoever searches for a folder finds what is in it. */
    private void folders(byte[] path, int from, int to) {
        int first = from;
        while (first < to && !isSeparator(path[first])) {
            first++;
        }
        for (int at = first + 2; at < to; at++) {
            if (path[at] == path[first] && path[at - 1] != path[first] && path[at - 1] != '.') {
                add(TokenKind.PATH.ordinal(), path, from, at);
            }
        }
    }

    private static boolean isSeparator(byte b) {
        return b == '/' || b == '\\';
    }

    private void networks(byte[] address, int from, int to) {
        if (ipPrefixes.length > 0 && IpAddresses.endOfIp4(address, from, to) == to) {
            int bitsOf = IpAddresses.ip4(address, from, to);
            for (int bits : ipPrefixes) {
                add(TokenKind.IP_PREFIX.ordinal(), scratch, 0, IpAddresses.network(bitsOf, bits, scratch));
            }
        } else if (ip6Prefixes.length > 0) {
            int[] parts = IpAddresses.ip6(address, from, to);
            for (int bits : ip6Prefixes) {
                if (parts.length > 0) {
                    add(TokenKind.IP_PREFIX.ordinal(), scratch, 0, IpAddresses.network6(parts, bits, scratch));
                }
            }
        }
    }

    /** One token as written. */
    @Override
    public void token(TokenKind kind, String value) {
        byte[] utf8 = KeywordText.value(value, maxValueBytes).getBytes(StandardCharsets.UTF_8);
        token(kind, utf8, 0, utf8.length);
    }

    /**
     * The time of the record. Indexed by its parts, each of which other records share, see {@link KeywordQuery} for how it is searched.
     *
     * @param year  0 if it is not known
     * @param month 1 to 12
     */
    @Override
    public void time(int year, int month, int day, int hour, int minute) {
        TimeKeywords.add(year, month, day, hour, minute, scratch, this);
    }

    /** Whether a number may be a process id: 1 to 10 ASCII digits. */
    static boolean mayBePid(String number) {
        return number.length() <= 10 && number.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /**
     * The value of a named field, as written: its keyword, or for a numeric field its intervals. Nothing for a reserved or unsearchable name, an empty value or
     * one longer than the profile's field values, which is found by its words.
     */
    @Override
    public void field(String name, String value) {
        String field = KeywordText.field(name);
        if (field.isEmpty() || ExtractorProfile.isReserved(field)) {
            return;
        }
        String normal = KeywordText.value(value, maxValueBytes);
        DyadicIntervals intervals = numeric.isEmpty() ? null : numeric.get(field);
        if (intervals != null) {
            OptionalLong number = Numbers.floor(normal);
            if (number.isPresent()
                    && number.getAsLong() >= intervals.origin()
                    && number.getAsLong() <= intervals.last()) {
                intervals.keywordsOf(number.getAsLong()).forEach(this::add);
                return;
            }
        }
        byte[] utf8 = (field + '\0' + normal).getBytes(StandardCharsets.UTF_8);
        int nameBytes = field.length() == utf8.length ? 0 : indexOfZero(utf8);
        int valueBytes = utf8.length - nameBytes - 1;
        if (valueBytes > 0 && valueBytes <= profile.limits().fieldValueBytes()) {
            add(NAMED, utf8, 0, utf8.length);
        }
    }

    private static int indexOfZero(byte[] bytes) {
        int at = 0;
        while (bytes[at] != 0) {
            at++;
        }
        return at;
    }

    /** A keyword that the caller made. */
    public void add(Keyword keyword) {
        if (count >= maxKeywords) {
            limited = true;
        } else if (uncached.add(keyword)) {
            append(keyword);
        }
    }

    /** Whether the record had more keywords than the profile allows. */
    public boolean limited() {
        return limited;
    }

    /** The record's keywords, each once, in the order of their first occurrence. */
    public List<Keyword> finish() {
        return List.of(Arrays.copyOf(keywords, count));
    }

    private void add(int kind, byte[] bytes, int from, int to) {
        if (count >= maxKeywords) {
            limited = true;
            return;
        }
        KeywordCache.Entry entry = cache.entry(kind, bytes, from, to, record);
        if (entry == null) {
            add(KeywordCache.keyword(kind, bytes, from, to));
        } else if (entry.record != record) {
            entry.record = record;
            append(entry.keyword);
        }
    }

    private void append(Keyword keyword) {
        if (count == keywords.length) {
            keywords = Arrays.copyOf(keywords, 2 * count);
        }
        keywords[count++] = keyword;
    }
}

package dev.veilgate.archive.words;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordText;
import dev.veilgate.extract.Tokenizer;
import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.segments.WordCounter;
import dev.veilgate.sse.segments.WordCounts;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Gathers the words of one document after the other, with how often each occurs. Beside the words of a value that is a
 * number or a time stands one by which it is found between others, see {@link NumberWords} and {@link TimeWords}, if
 * the archive can be asked so. For one thread.
 */
@Secret
public final class DocumentWords {
    private static final int PIECE = 1 << 16;
    private static final String TIME = RangeTerm.ordered(TimeWords.FIELD);
    private static final int MOST_FIELDS = 1 << 12;
    private static final int MOST_BYTES = ArchiveWords.profile().limits().valueBytes();

    private final WordCounter words = new WordCounter(new SecureRandom());
    private final Tokenizer tokenizer = Tokenizer.ofRecords((_, bytes, from, to) -> token(bytes, from, to));
    private final LineWords lines;
    private final Map<String, String> fields = new HashMap<>();
    private final boolean ordered;
    private final int rules;
    private String field = ArchiveWords.TEXT;

    /** No words yet; numbers and times are found between others. */
    public DocumentWords() {
        this(true);
    }

    /** @param ordered whether numbers and times are found between others */
    public DocumentWords(boolean ordered) {
        this(ordered, ExtractorProfile.RULES);
    }

    /**
     * No words yet.
     *
     * @param ordered whether numbers and times are found between others
     * @param rules   of {@link ExtractorProfile}, by which lines of logs are read
     */
    public DocumentWords(boolean ordered, int rules) {
        this.ordered = ordered;
        this.rules = rules;
        this.lines = new LineWords(this, ArchiveWords.profile(rules));
    }

    /** By which lines of logs are read. */
    public int rules() {
        return rules;
    }

    /** Rules by which mails are read. */
    public static ExtractorProfile profile() {
        return ArchiveWords.profile();
    }

    /** Forgets all words, for the next document. */
    public DocumentWords clear() {
        words.clear();
        return this;
    }

    /** Adds the words of a text, in the field {@code text}. */
    public DocumentWords text(String text) {
        text.lines().forEach(line -> tokens(ArchiveWords.TEXT, line));
        return this;
    }

    /**
     * Adds the words of a line of a log: those of its text, and the fields that it has, which are host, app, pid,
     * level, and names of JSON, of key=value and of structured data.
     *
     * @param utf8    without its end
     * @param written when the log was written last: a time without a year is of the year before that
     */
    public DocumentWords line(byte[] utf8, int from, int to, Instant written) {
        lines.read(utf8, from, to, written);
        return this;
    }

    /** Adds the tokens of a text that is folded. */
    void foldedText(byte[] text, int from, int to) {
        field = ArchiveWords.TEXT;
        tokenizer.cut(text, from, to);
    }

    /** Adds a value that is one word of a field. */
    void whole(String field, String value) {
        words.addIfAbsent(Keyword.text(field, value));
    }

    /** Adds a value of ASCII that is one word of a field, and folded. */
    void whole(String field, byte[] value, int from, int to) {
        words.addAsciiIfAbsent(field, value, from, to);
    }

    /** Adds the time that the document is of. */
    void time(String word) {
        time(word.getBytes(StandardCharsets.US_ASCII));
    }

    /** Adds the time that the document is of, by its word. */
    void time(byte[] word) {
        if (ordered) {
            words.addAsciiIfAbsent(TIME, word, 0, word.length);
        }
    }

    private void tokens(String field, String text) {
        this.field = field;
        for (int from = 0; from < text.length(); ) { // by pieces: folding takes several times the bytes of a text
            int to = endOfPiece(text, from);
            byte[] utf8 = KeywordText.fold(text.substring(from, to)).getBytes(StandardCharsets.UTF_8);
            tokenizer.cut(utf8, 0, utf8.length);
            from = to;
        }
    }

    /** The end of a piece that can be cut by itself: at a blank or tab, which are in no token, or the end of all. */
    private static int endOfPiece(String text, int from) {
        int to = Math.min(text.length(), from + PIECE);
        while (to < text.length() && text.charAt(to) != ' ' && text.charAt(to) != '\t') {
            to++;
        }
        return to;
    }

    private void token(byte[] bytes, int from, int to) {
        int seen = 0;
        for (int i = from; i < to; i++) {
            seen |= bytes[i];
        }
        if (seen >= 0 && to - from <= MOST_BYTES) {
            words.addAscii(field, bytes, from, to);
        } else {
            ArchiveWords.token(bytes, from, to, false, word -> words.add(Keyword.text(field, word), 1));
        }
    }

    /**
     * Adds the words of a named value, such as a cell of a table: in the field of that name, and in {@code text}.
     *
     * @param name white space, colons and quotes in it become underscores
     */
    public DocumentWords value(String name, String value) {
        text(value);
        named(name, value);
        return this;
    }

    /** Adds the words of a named value in the field of that name only, unless this is one of a whole text. */
    void named(String name, String value) {
        String own = field(name);
        if (own.isEmpty() || value.isBlank()) {
            return;
        }
        tokens(own, value);
        if (ArchiveWords.isReadByField(own, value)) {
            ArchiveWords.asked(own, value).forEach(words::addIfAbsent);
        }
        if (ordered) {
            order(own, value);
        }
    }

    private void order(String own, String value) {
        String in = RangeTerm.ordered(own);
        if (in.length() > Keyword.MAX_FIELD_BYTES / 4) {
            return;
        }
        TimeWords.ofValue(value).ifPresent(word -> {
            words.addIfAbsent(Keyword.text(in, word));
            if (TimeWords.isTime(own)) {
                time(word);
            }
        });
        NumberWords.of(value.strip()).ifPresent(word -> words.addIfAbsent(Keyword.text(in, word)));
    }

    /** The field of a name, as {@link ArchiveWords#field} has it; empty for those of words of any text. */
    private String field(String name) {
        String known = fields.get(name);
        if (known != null) {
            return known;
        }
        String own = ArchiveWords.field(name.strip().replaceAll("[\\s:\"\\p{Z}]+", "_"));
        String named = own.equals(ArchiveWords.TEXT) ? "" : own;
        if (fields.size() >= MOST_FIELDS) {
            fields.clear();
        }
        fields.put(name, named);
        return named;
    }

    /** Adds what was extracted of a mail: words of its text in the field {@code text}, others in their fields. */
    public DocumentWords mail(Collection<Keyword> keywords) {
        for (Keyword keyword : keywords) {
            words.addIfAbsent(ArchiveWords.ofMail(keyword));
            if (keyword.field().equals(ArchiveWords.DATE)) {
                TimeWords.ofValue(keyword.value()).ifPresent(this::time);
            }
        }
        return this;
    }

    /** Each word that was gathered, with how often. */
    public WordCounts counts() {
        return words.counts();
    }

    /** Shows nothing of them. */
    @Override
    public String toString() {
        return "DocumentWords[hidden]";
    }
}

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
import java.util.Collection;

/** Gathers the words of one document after the other, with how often each occurs. For one thread. */
@Secret
public final class DocumentWords {
    private static final int PIECE = 1 << 16;
    private static final int MOST_BYTES = ArchiveWords.profile().limits().valueBytes();

    private final WordCounter words = new WordCounter(new SecureRandom());
    private final Tokenizer tokenizer = Tokenizer.ofRecords((_, bytes, from, to) -> token(bytes, from, to));
    private String field = ArchiveWords.TEXT;
    private byte[] folded = new byte[1 << 10];

    /** No words yet. */
    public DocumentWords() {}

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
     * Adds the words of a line in the field {@code text}, as {@link #text} does, if it has nothing but ASCII.
     *
     * @return false if it has something else, and nothing was added
     */
    public boolean asciiLine(byte[] line) {
        for (byte each : line) {
            if (each < 0 || each == '\r') { // of which lines() would make two
                return false;
            }
        }
        if (folded.length < line.length) {
            folded = new byte[Math.max(line.length, 2 * folded.length)];
        }
        KeywordText.foldAscii(line, 0, line.length, folded);
        field = ArchiveWords.TEXT;
        tokenizer.cut(folded, 0, line.length);
        return true;
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
        String own = ArchiveWords.field(name.strip().replaceAll("[\\s:\"\\p{Z}]+", "_"));
        if (!own.isEmpty() && !own.equals(ArchiveWords.TEXT)) {
            tokens(own, value);
            ArchiveWords.asked(own, value).forEach(words::addIfAbsent);
        }
        return this;
    }

    /** Adds what was extracted of a mail: words of its text in the field {@code text}, others in their fields. */
    public DocumentWords mail(Collection<Keyword> keywords) {
        keywords.forEach(keyword -> words.addIfAbsent(ArchiveWords.ofMail(keyword)));
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

package dev.veilgate.archive.words;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordText;
import dev.veilgate.extract.RecordSink;
import dev.veilgate.extract.TokenKind;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.log.LogReader;
import dev.veilgate.secret.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Reads lines of logs for their text, and for the fields that {@link LogReader} finds. For one thread. */
@Secret
final class LineWords implements RecordSink {
    private static final int MOST_BYTES = ArchiveWords.profile().limits().valueBytes();

    private final DocumentWords words;
    private final LogReader reader;
    private final byte[] time = new byte[TimeWords.MINUTE_BYTES];
    private Instant written = Instant.EPOCH;

    /**
     * A reader of lines.
     *
     * @param words   that get those of each line
     * @param profile by whose rules they are read
     */
    LineWords(DocumentWords words, ExtractorProfile profile) {
        this.words = words;
        this.reader = LogReader.of(profile, LogFormat.AUTO, this);
    }

    /** Reads a line, without its end. */
    void read(byte[] utf8, int from, int to, Instant written) {
        this.written = written;
        reader.read(utf8, from, to);
    }

    @Override
    public void text(String text) {
        words.text(text);
    }

    @Override
    public void text(byte[] utf8, int from, int to) {
        words.text(new String(utf8, from, to - from, StandardCharsets.UTF_8));
    }

    @Override
    public void foldedText(byte[] text, int from, int to) {
        words.foldedText(text, from, to);
    }

    @Override
    public void token(TokenKind kind, String value) {
        String normal = KeywordText.value(value, ArchiveWords.profile().limits().valueBytes());
        if (!normal.isEmpty()) {
            words.whole(kind.field(), normal);
            if (kind == TokenKind.PID) { // the reader leaves it out of the text
                words.whole(ArchiveWords.TEXT, normal);
            }
        }
    }

    @Override
    public void token(TokenKind kind, byte[] bytes, int from, int to) {
        int seen = to - from <= MOST_BYTES ? 0 : -1;
        for (int i = from; i < to && seen >= 0; i++) {
            seen |= bytes[i] > ' ' ? 0 : -1;
        }
        if (seen < 0 || from == to) { // not ASCII, cut, or with blanks
            token(kind, new String(bytes, from, to - from, StandardCharsets.UTF_8));
            return;
        }
        words.whole(kind.field(), bytes, from, to);
        if (kind == TokenKind.PID) {
            words.whole(ArchiveWords.TEXT, bytes, from, to);
        }
    }

    @Override
    public void field(String name, String value) {
        words.named(name, value);
    }

    @Override
    public void time(int year, int month, int day, int hour, int minute) {
        int known = year != 0 ? year : TimeWords.year(month, day, hour, minute, written);
        TimeWords.minute(known, month, day, hour, minute, time);
        words.time(time);
    }
}

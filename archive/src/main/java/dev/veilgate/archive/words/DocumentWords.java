package dev.veilgate.archive.words;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.peks.Keyword;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Gathers the words of one document, with how often each occurs. */
public final class DocumentWords {
    private final SortedMap<Keyword, Integer> words = new TreeMap<>();

    /** No words yet. */
    public DocumentWords() {}

    /** Rules by which mails are read. */
    public static ExtractorProfile profile() {
        return ArchiveWords.profile();
    }

    private void add(Keyword word) {
        words.merge(word, 1, Integer::sum);
    }

    /** Adds the words of a text, in the field {@code text}. */
    public DocumentWords text(String text) {
        text.lines()
                .forEach(line ->
                        ArchiveWords.tokens(line, false).forEach(token -> add(Keyword.text(ArchiveWords.TEXT, token))));
        return this;
    }

    /**
     * Adds the words of a named value, such as a cell of a table: in the field of that name, and in {@code text}.
     *
     * @param name white space, colons and quotes in it become underscores
     */
    public DocumentWords value(String name, String value) {
        text(value);
        String field = ArchiveWords.field(name.strip().replaceAll("[\\s:\"\\p{Z}]+", "_"));
        if (field.isEmpty() || field.equals(ArchiveWords.TEXT)) {
            return this;
        }
        SortedMap<Keyword, Integer> own = new TreeMap<>();
        ArchiveWords.tokens(value, false).forEach(token -> own.merge(Keyword.text(field, token), 1, Integer::sum));
        ArchiveWords.asked(field, value).forEach(word -> own.putIfAbsent(word, 1));
        own.forEach((word, times) -> words.merge(word, times, Integer::sum));
        return this;
    }

    /** Adds what was extracted of a mail: words of its text in the field {@code text}, others in their fields. */
    public DocumentWords mail(Collection<Keyword> keywords) {
        keywords.forEach(keyword -> words.putIfAbsent(ArchiveWords.ofMail(keyword), 1));
        return this;
    }

    /** Each word that was gathered, with how often. */
    public SortedMap<Keyword, Integer> words() {
        return Collections.unmodifiableSortedMap(words);
    }
}

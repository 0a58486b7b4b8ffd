package dev.veilgate.extract.mail;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The language of a text by its small words: each word of a text that is a stop word of a language in Lucene's lists is a vote for it, divided
 * between the languages that share it. Greek is known by its letters. Small, quick to start and always of the same opinion, where statistical
 * detectors need megabytes of profiles; a text of a few words may stay undecided and then has no stems.
 */
final class LanguageVote {
    /** Votes that a language needs, and its part of the words: a twelfth. */
    private static final double MIN_VOTES = 1.5;

    private static final int MIN_SHARE = 12;

    /** How much more than the next one. */
    private static final double MARGIN = 1.15;

    /** Lucene's English list is a quarter as long as the others. */
    private static final String[] MORE_ENGLISH =
            ("i you your he she his her we our us me my from what which who when where how has have had do does did "
                            + "been were would could should can may any some all about more than them out up so just only also other after before because")
                    .split(" ");

    private static final class Lists {
        /** Of each stop word a bit for each language, by ordinal. */
        static final Map<String, Integer> LANGUAGES = new HashMap<>();

        static {
            for (Language language : Language.values()) {
                for (Object word : language.stopWords()) {
                    add(dev.veilgate.extract.KeywordText.fold(new String((char[]) word)), language);
                }
            }
            for (String word : MORE_ENGLISH) {
                add(word, Language.EN);
            }
        }

        private static void add(String word, Language language) {
            LANGUAGES.merge(word, 1 << language.ordinal(), (x, y) -> x | y);
        }
    }

    private LanguageVote() {}

    /** Reads the lists, unless they have been: 0.2 s of processor time, which is no cost of the mail that comes first. */
    static void prepare() {
        if (Lists.LANGUAGES.isEmpty()) {
            throw new IllegalStateException("there are no lists of stop words");
        }
    }

    /**
     * The language, if one is clear.
     *
     * @param words   folded words of the text, in its order, with repetitions
     */
    static Optional<Language> of(Collection<String> words) {
        Language[] languages = Language.values();
        double[] votes = new double[languages.length];
        int greek = 0;
        for (String word : words) {
            int of = Lists.LANGUAGES.getOrDefault(word, 0);
            double vote = of == 0 ? 0 : 1.0 / Integer.bitCount(of);
            for (int rest = of; rest != 0; rest &= rest - 1) {
                votes[Integer.numberOfTrailingZeros(rest)] += vote;
            }
            if (Character.UnicodeScript.of(word.codePointAt(0)) == Character.UnicodeScript.GREEK) {
                greek++;
            }
        }
        if (greek > 1 && 2 * greek > words.size()) {
            return Optional.of(Language.EL);
        }
        return winner(languages, votes, words.size());
    }

    private static Optional<Language> winner(Language[] languages, double[] votes, int words) {
        @Nullable Language best = null;
        double first = 0;
        double second = 0;
        for (Language language : languages) {
            double vote = votes[language.ordinal()];
            if (vote > first) {
                second = first;
                first = vote;
                best = language;
            } else if (vote > second) {
                second = vote;
            }
        }
        boolean clear = first >= MIN_VOTES && first * MIN_SHARE >= words && first >= MARGIN * second;
        return clear ? Optional.ofNullable(best) : Optional.empty();
    }
}

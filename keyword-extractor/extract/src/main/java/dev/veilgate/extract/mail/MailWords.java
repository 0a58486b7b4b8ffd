package dev.veilgate.extract.mail;

import dev.veilgate.envelope.smime.InvisibleCharacters;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordText;
import dev.veilgate.extract.RecordKeywords;
import dev.veilgate.extract.TokenKind;
import dev.veilgate.extract.Tokenizer;
import dev.veilgate.extract.UnspacedScripts;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the keywords of one mail: those of header fields, then words as in logs ({@link Tokenizer}), then stems,
 * then prefixes, each once. For one thread; used again after {@link #finish}.
 */
final class MailWords {
    /** Words of a part that vote on its language. */
    private static final int MAX_VOTERS = 5_000;

    private static final int TOKENS_BETWEEN_CHECKS = 1024;

    /** Folded text that waits for a blank to be cut at. */
    private static final int UNCUT_CHARS = 1 << 16;

    /** Fields whose keywords there are whatever else there is too much of. */
    private static final List<String> FIRST = List.of("from", "subject");

    private final ExtractorProfile profile;
    private final int max;
    private final RecordKeywords words;
    private final Tokenizer tokenizer;
    /**
     * By fields, of each as many as there may be in all: a list of recipients leaves no less for what is told first.
     */
    private final Map<String, Set<Keyword>> header = new LinkedHashMap<>();

    private final Set<Keyword> stems = new LinkedHashSet<>();
    private final Set<String> prefixed = new LinkedHashSet<>();
    private final List<String> voters = new ArrayList<>();
    private final Set<String> ofPart = new LinkedHashSet<>();
    private final Set<String> ofShortTexts = new LinkedHashSet<>();
    private final List<String> shortVoters = new ArrayList<>();
    private @Nullable Language main;
    private boolean limited;
    private @Nullable ProcessorTime time;
    private int tokens;

    MailWords(ExtractorProfile profile) {
        this.profile = profile;
        this.max = profile.limits().keywords();
        this.words = new RecordKeywords(profile);
        this.tokenizer = Tokenizer.ofRecords(this::token, profile.rules());
        LanguageVote.prepare();
    }

    /** By which the mail is read. */
    int rules() {
        return profile.rules();
    }

    /** @param allowed what reading this mail may take */
    void begin(ProcessorTime allowed) {
        time = allowed;
        tokens = 0;
        words.begin();
        header.clear();
        stems.clear();
        prefixed.clear();
        ofShortTexts.clear();
        shortVoters.clear();
        main = null;
        limited = false;
    }

    /** A keyword of a header field; nothing for an empty value. */
    void header(String field, String value) {
        String normal = KeywordText.value(value, profile.limits().valueBytes());
        if (normal.isEmpty()) {
            return;
        }
        Set<Keyword> all = header.computeIfAbsent(field, name -> new LinkedHashSet<>());
        if (all.size() < max) {
            all.add(Keyword.text(field, normal));
        } else {
            limited = true;
        }
    }

    /** The words of a header field, as that field's. */
    void headerWords(String field, String text) {
        for (String word : tokens(text, false)) {
            header(field, word);
        }
        for (String word : tokens(InvisibleCharacters.wordsWithout(text), false)) {
            header(field, word);
        }
    }

    /** The tokens of a text, also as a query cuts it. */
    static List<String> tokens(String text, boolean query) {
        List<String> tokens = new ArrayList<>();
        byte[] folded = KeywordText.fold(text).getBytes(StandardCharsets.UTF_8);
        dev.veilgate.extract.TokenSink sink = (kind, bytes, from, to) -> {
            String token = new String(bytes, from, to - from, StandardCharsets.UTF_8);
            if (UnspacedScripts.in(token)) {
                tokens.addAll(UnspacedScripts.pieces(token));
            } else {
                tokens.add(token);
            }
        };
        (query ? Tokenizer.ofQueries(sink) : Tokenizer.ofRecords(sink)).cut(folded, 0, folded.length);
        return tokens;
    }

    /** A text that belongs together: its words, and their stems if its language is clear. */
    void text(String text) {
        cut(text);
        Language language = LanguageVote.of(voters).orElse(null);
        if (language != null) {
            main = main == null ? language : main;
            stem(language, ofPart);
        }
    }

    /** A text too short to tell its language, such as a subject: that of the first longer text is taken. */
    void shortText(String text) {
        cut(text);
        shortVoters.addAll(voters);
        ofShortTexts.addAll(ofPart);
    }

    private void cut(String text) {
        voters.clear();
        ofPart.clear();
        cutMore(text);
        cutMore(InvisibleCharacters.wordsWithout(text));
    }

    private void cutMore(String text) {
        ProcessorTime allowed = time;
        StringBuilder uncut = new StringBuilder();
        KeywordText.foldInParts(text, allowed == null ? () -> {} : allowed::check, part -> {
            int blank = uncut.length() + Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'));
            boolean hasBlank = blank >= uncut.length();
            uncut.append(part);
            if (hasBlank && uncut.length() > UNCUT_CHARS) { // a token has no blank in it
                cutFolded(uncut.substring(0, blank));
                uncut.delete(0, blank);
            }
        });
        cutFolded(uncut.toString());
    }

    private void cutFolded(String folded) {
        byte[] utf8 = folded.getBytes(StandardCharsets.UTF_8);
        tokenizer.cut(utf8, 0, utf8.length);
    }

    private boolean isWanted(Language language) {
        return profile.stemLanguages().isEmpty() || profile.stemLanguages().contains(language.code());
    }

    private void stem(Language language, Set<String> unstemmed) {
        if (!isWanted(language)) {
            return;
        }
        for (String stem : language.stems(String.join(" ", unstemmed))) {
            String value = KeywordText.value(stem, profile.limits().valueBytes());
            if (stems.size() >= max) {
                limited = true;
                return;
            }
            if (!value.isEmpty()) {
                stems.add(Keyword.text(language.field(), value));
            }
        }
    }

    private void token(TokenKind kind, byte[] bytes, int from, int to) {
        if (++tokens % TOKENS_BETWEEN_CHECKS == 0 && time != null) {
            time.check();
        }
        words.token(kind, bytes, from, to);
        if (kind != TokenKind.WORD) {
            return;
        }
        String word = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        if (UnspacedScripts.in(word)) {
            for (String piece : UnspacedScripts.pieces(word)) {
                byte[] utf8 = piece.getBytes(StandardCharsets.UTF_8);
                words.token(TokenKind.WORD, utf8, 0, utf8.length);
            }
            return;
        }
        if (voters.size() < MAX_VOTERS) {
            voters.add(word);
        }
        if (ofPart.size() < max && isStemmed(word)) {
            ofPart.add(word);
        }
        if (profile.wordPrefixes().enabled() && prefixed.size() < max) {
            prefixed.add(word);
        }
    }

    /** Words with digits, and monsters, have no stems. */
    static boolean isStemmed(String word) {
        return word.length() > 1
                && word.length() <= 64
                && word.codePoints()
                        .noneMatch(c -> Character.isDigit(c) || Character.getType(c) == Character.OTHER_NUMBER);
    }

    /** Whether there were more keywords than the profile allows. */
    boolean limited() {
        return limited || words.limited();
    }

    List<Keyword> finish() {
        Language language = main == null ? LanguageVote.of(shortVoters).orElse(null) : main;
        if (language != null) {
            stem(language, ofShortTexts);
        }
        Set<Keyword> all = new LinkedHashSet<>();
        for (String first : FIRST) {
            addAll(all, header.getOrDefault(first, Set.of()));
        }
        header.values().forEach(more -> addAll(all, more));
        addAll(all, words.finish());
        addAll(all, stems);
        for (String word : prefixed) {
            prefixes(word, all);
        }
        return List.copyOf(all);
    }

    private void addAll(Set<Keyword> all, Iterable<Keyword> more) {
        for (Keyword keyword : more) {
            add(all, keyword);
        }
    }

    private void prefixes(String word, Set<Keyword> all) {
        int length = word.codePointCount(0, word.length());
        int longest = Math.min(length, profile.wordPrefixes().longest());
        for (int n = profile.wordPrefixes().shortest(); n <= longest && !limited; n++) {
            add(all, Keyword.text("prefix", word.substring(0, word.offsetByCodePoints(0, n))));
        }
    }

    private void add(Set<Keyword> all, Keyword keyword) {
        if (all.size() < max) {
            all.add(keyword);
        } else if (!all.contains(keyword)) {
            limited = true;
        }
    }
}

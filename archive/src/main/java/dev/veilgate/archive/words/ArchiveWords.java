package dev.veilgate.archive.words;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.FieldNames;
import dev.veilgate.extract.KeywordText;
import dev.veilgate.extract.TokenSink;
import dev.veilgate.extract.Tokenizer;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Rules by which text becomes keywords, for documents and questions alike. */
final class ArchiveWords {
    /** The field of words of any text. */
    static final String TEXT = "text";

    /** Fields of words of text elsewhere, by what they are; here a question need not know that. */
    private static final Set<String> OF_TEXT = Set.of("word", "number", "ip", "path", "");

    /** Fields of log records that have most of their words, which are found in the text. */
    private static final Set<String> MESSAGES = Set.of(
            "message",
            "msg",
            "@message",
            "_msg",
            "short_message",
            "full_message",
            "log.message",
            "event.message",
            "event.original",
            "textpayload",
            "jsonpayload.message");

    /** The field of a record's level, such as error or info. */
    static final String LEVEL = "level";

    /** The day of a mail. */
    static final String DATE = "date";

    /** Fields of log records of which a question for another product's name is about them, too. */
    private static final Set<String> COMMON = Set.of(LEVEL, "host", "app", "pid", "user", "unit");

    /** Fields of log records whose value is one word. */
    private static final Set<String> ONE_WORD = Set.of(LEVEL, "host", "app", "pid");

    private static final Set<String> PEOPLE = Set.of("from", "to", "cc");
    private static final int MAX_KEYWORDS = 1 << 16;
    private static final int MAX_FIELDS = 1 << 10;

    /** More than any line of a log has, decoded. */
    private static final int MAX_RECORD_BYTES = 1 << 22;

    private static final ExtractorProfile PROFILE = makeProfile();

    private ArchiveWords() {}

    /** The usual rules, with room for more keywords. */
    static ExtractorProfile profile() {
        return PROFILE;
    }

    /**
     * The usual profile of some rules.
     *
     * @throws IllegalArgumentException if this software does not know them
     */
    static ExtractorProfile profile(int rules) {
        return rules == ExtractorProfile.RULES ? PROFILE : PROFILE.withRules(rules);
    }

    private static ExtractorProfile makeProfile() {
        ExtractorProfile usual = ExtractorProfile.defaults();
        ExtractorProfile.Limits limits = usual.limits();
        return new ExtractorProfile(
                usual.rules(),
                new ExtractorProfile.Limits(
                        MAX_KEYWORDS, limits.valueBytes(), limits.fieldValueBytes(), MAX_FIELDS, MAX_RECORD_BYTES),
                usual.ipPrefixes(),
                usual.fields(),
                usual.numericFields(),
                usual.wordPrefixes(),
                usual.templates(),
                usual.stemLanguages(),
                usual.ip6Prefixes());
    }

    /** The field that is searched by a name; empty if no field can have that name. */
    static String field(String name) {
        String folded = KeywordText.field(name);
        boolean text = OF_TEXT.contains(folded) || MESSAGES.contains(folded);
        return text && !name.isEmpty() ? TEXT : folded;
    }

    /** A keyword of mails as archives have it. */
    static Keyword ofMail(Keyword keyword) {
        return !keyword.isInterval() && OF_TEXT.contains(keyword.field())
                ? Keyword.text(TEXT, keyword.value())
                : keyword;
    }

    /** Tokens of a text, as documents or as questions have them; where no spaces divide words, pairs of characters. */
    static List<String> tokens(String text, boolean question) {
        List<String> tokens = new ArrayList<>();
        byte[] folded = KeywordText.fold(text).getBytes(StandardCharsets.UTF_8);
        TokenSink sink = (_, bytes, from, to) -> token(bytes, from, to, question, tokens::add);
        (question ? Tokenizer.ofQueries(sink) : Tokenizer.ofRecords(sink)).cut(folded, 0, folded.length);
        return tokens;
    }

    /** The words that documents or questions have of a token, folded as it is. */
    static void token(byte[] bytes, int from, int to, boolean question, Consumer<String> words) {
        String token = KeywordText.value(
                new String(bytes, from, to - from, StandardCharsets.UTF_8),
                profile().limits().valueBytes());
        List<String> pieces = token.chars().allMatch(c -> c < 0x80) ? List.of() : pieces(token);
        if (pieces.isEmpty() || !question) {
            words.accept(token);
        }
        pieces.forEach(words);
    }

    private static List<String> pieces(String token) {
        return MailQuery.ofField("word", token, profile()).stream()
                .flatMap(List::stream)
                .map(anyOf -> anyOf.getFirst().value())
                .toList();
    }

    /** Tells if a field is how serious a record is, by any of its names. */
    static boolean isLevel(String field) {
        return common(field).equals(LEVEL);
    }

    /** The field of log records that a name stands for; the name itself if it does for none. */
    static String common(String field) {
        return FieldNames.common(field).filter(COMMON::contains).orElse(field);
    }

    /** Tells if questions for a value of a field may be about other words than those of the value as text. */
    static boolean isReadByField(String field, String value) {
        return ONE_WORD.contains(field)
                || ArchiveQuery.WHOLE.contains(field)
                || field.equals("subject")
                || field.startsWith("stem.")
                || value.chars().anyMatch(c -> c >= 0x80);
    }

    /** The keywords that a question for a value of a field is about, all of which a document must have. */
    static List<Keyword> asked(String field, String value) {
        if (ONE_WORD.contains(field)) {
            String normal = KeywordText.value(value, profile().limits().valueBytes());
            String level = field.equals(LEVEL) ? KeywordText.level(normal) : "";
            return normal.isEmpty() ? List.of() : List.of(Keyword.text(field, level.isEmpty() ? normal : level));
        }
        if (!field.equals(TEXT)) {
            boolean name = PEOPLE.contains(field) && !value.contains("@");
            Optional<List<List<Keyword>>> ofMail =
                    MailQuery.ofField(field, name ? value.replace('.', ' ') : value, profile());
            if (ofMail.isPresent()) { // the first of an address's forms is the one that documents have
                return ofMail.get().stream()
                        .map(anyOf -> ofMail(anyOf.getFirst()))
                        .toList();
            }
        }
        return tokens(value, true).stream()
                .map(token -> Keyword.text(field, token))
                .toList();
    }
}

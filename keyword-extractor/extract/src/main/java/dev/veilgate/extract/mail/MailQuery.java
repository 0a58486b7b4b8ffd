package dev.veilgate.extract.mail;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.KeywordText;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.extract.ReadQuery;
import dev.veilgate.extract.TokenKind;
import dev.veilgate.extract.Tokenizer;
import dev.veilgate.extract.UnspacedScripts;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What somebody searches mails for, in the form in which mails are indexed: the queries of {@link KeywordQuery}, and on top
 * <pre>
 *   from:alice@example.org  to:@example.org  to:example.org       an address, a domain
 *   from:alice  cc:"Alice Smith"                                  words of a name, or of what is before the @
 *   from:@m\u00fcnchen.example  from:@xn--mnchen-3ya.example          the same domain
 *   subject:"quarterly report"                                    words of the subject, in any order
 *   stem.en:running                                               all forms of a word
 *   message-id:&lt;1@example.org&gt;  list-id:&lt;list.example.org&gt;        with or without angle brackets
 *   filename:*.pdf  filename:report.pdf  attachment-type:application/pdf
 *   date:2026-11-21  date:2026-11
 * </pre>
 * Chinese, Japanese, Thai: pairs of neighbouring characters, all of which must be there.
 */
public final class MailQuery {
    private static final List<String> PEOPLE = List.of("from", "to", "cc");
    private static final String WORDS =
            "Words are those of the text and the subject; who wrote or gets a mail is found by from:, to: and cc:.";
    private static final String DOMAINS =
            "Names of people are found by their words, a domain as a whole, as in from:example.org.";

    private MailQuery() {}

    /** Whether a term asks for one word of one of these fields, and for nothing else. */
    private static boolean has(ReadQuery read, List<String> fields) {
        return read.query().terms().stream()
                .anyMatch(anyOf -> anyOf.size() == 1
                        && fields.contains(anyOf.getFirst().field())
                        && anyOf.getFirst().value().indexOf('@') < 0);
    }

    /**
     * Reads a query.
     *
     * @throws MalformedQueryException as {@link KeywordQuery#parse}
     */
    public static KeywordQuery parse(String query, ExtractorProfile profile) throws MalformedQueryException {
        return read(query, profile).query();
    }

    /**
     * Reads a query, and says how it is understood.
     *
     * @throws MalformedQueryException as {@link KeywordQuery#parse}
     */
    public static ReadQuery read(String query, ExtractorProfile profile) throws MalformedQueryException {
        ReadQuery read = KeywordQuery.read(query, profile, new MailFields(profile));
        List<String> notes = new ArrayList<>(read.notes());
        if (has(read, List.of("word"))) {
            notes.add(WORDS);
        }
        if (has(read, PEOPLE)) {
            notes.add(DOMAINS);
        }
        return new ReadQuery(read.query(), read.meaning(), notes, read.warnings());
    }

    /**
     * The keywords that a field of mails has for a value, of each list one; no lists mean that the value has none.
     *
     * @param field folded; "" for bare text
     * @return empty if it is not one of the fields, or texts, that mails treat in their own way
     */
    public static Optional<List<List<Keyword>>> ofField(String field, String value, ExtractorProfile profile) {
        boolean isPerson = PEOPLE.contains(field);
        if (isPerson && value.strip().endsWith("@")) {
            return ofField(field, value.replace('@', ' '), profile);
        }
        if (field.isEmpty() && isAddress(bare(value))) {
            return Optional.of(addressAnywhere(bare(value), profile));
        }
        if (isPerson && value.contains("@")) {
            List<Keyword> anyOf = keywords(field, HeaderText.spellings(bare(value)), profile);
            return Optional.of(anyOf.isEmpty() ? List.of() : List.of(anyOf));
        }
        if (isPerson && value.strip().matches("(?:[\\p{L}\\p{M}\\p{N}_-]++\\.)++[\\p{L}\\p{N}-]{2,}+")) {
            return Optional.of(domainOrName(field, value.strip(), profile));
        }
        return allOfField(field, value, profile)
                .map(keywords -> keywords.stream().map(List::of).toList());
    }

    /** An address as programs copy it: behind a name, in angle brackets, with a sign that ends a sentence. */
    private static String bare(String value) {
        String text = value.strip();
        int open = text.lastIndexOf('<');
        String inner = open >= 0 && text.endsWith(">") && text.indexOf('@', open) > open
                ? text.substring(open + 1, text.length() - 1).strip()
                : text;
        int end = inner.length();
        while (end > 0 && ".,;".indexOf(inner.charAt(end - 1)) >= 0) {
            end--;
        }
        return inner.substring(0, end);
    }

    private static boolean isAddress(String value) {
        return value.matches("[^\\s@\"<>()/:,;]*+@(?:[\\p{L}\\p{M}\\p{N}_-]++\\.)++[\\p{L}\\p{N}-]{2,}+");
    }

    /** An address without a field: in the text, or of who wrote the mail or gets it. */
    private static List<List<Keyword>> addressAnywhere(String address, ExtractorProfile profile) {
        List<Keyword> people = new ArrayList<>();
        for (String field : List.of("from", "to", "cc")) {
            people.addAll(keywords(field, HeaderText.spellings(address), profile));
        }
        List<List<Keyword>> either = new ArrayList<>();
        byte[] folded = KeywordText.fold(address).getBytes(StandardCharsets.UTF_8);
        Tokenizer.ofQueries((kind, bytes, from, to) -> {
                    String token = new String(bytes, from, to - from, StandardCharsets.UTF_8);
                    List<Keyword> anyOf = new ArrayList<>(keywords(kind.field(), List.of(token), profile));
                    anyOf.addAll(people);
                    either.add(anyOf);
                })
                .cut(folded, 0, folded.length);
        return either;
    }

    /** Text such as {@code example.org} or {@code alice.smith}: a domain, or else all of the words are those of a name. */
    private static List<List<Keyword>> domainOrName(String field, String value, ExtractorProfile profile) {
        List<Keyword> domain = keywords(field, HeaderText.spellings("@" + value), profile);
        List<List<Keyword>> either = new ArrayList<>();
        for (Keyword word : keywords(field, MailWords.tokens(value, false), profile)) {
            List<Keyword> anyOf = new ArrayList<>(domain);
            anyOf.add(word);
            either.add(anyOf);
        }
        return either.isEmpty() ? List.of(domain) : either;
    }

    /** The form in which addresses are indexed and compared, whichever way their domains are written. */
    public static String address(String address) {
        return HeaderText.address(address);
    }

    private static Optional<List<Keyword>> allOfField(String field, String value, ExtractorProfile profile) {
        return switch (field) {
            case "", "word" -> unspaced(value);
            case "from", "to", "cc" -> Optional.of(keywords(field, MailWords.tokens(value, false), profile));
            case "subject" -> Optional.of(keywords(field, MailWords.tokens(value, true), profile));
            case "message-id", "in-reply-to", "list-id" ->
                Optional.of(keywords(field, List.of(value.replaceAll("^\\s*<|>\\s*$", "")), profile));
            case "filename", "attachment-type", "date" -> Optional.of(keywords(field, List.of(value), profile));
            default -> stems(field, value, profile);
        };
    }

    private static List<Keyword> keywords(String field, List<String> values, ExtractorProfile profile) {
        return values.stream()
                .map(text -> KeywordText.value(text, profile.limits().valueBytes()))
                .filter(normal -> !normal.isEmpty())
                .map(normal -> Keyword.text(field, normal))
                .distinct()
                .toList();
    }

    /** Stop words have no stem; they are asked for as they are. */
    private static Optional<List<Keyword>> stems(String field, String value, ExtractorProfile profile) {
        if (!field.startsWith("stem.")) {
            return Optional.empty();
        }
        List<String> words = MailWords.tokens(value, false);
        return Language.ofCode(field.substring("stem.".length())).map(language -> {
            List<String> stems = language.stems(String.join(" ", words));
            return stems.isEmpty() ? keywords("word", words, profile) : keywords(field, stems, profile);
        });
    }

    private static Optional<List<Keyword>> unspaced(String value) {
        List<Keyword> keywords = new ArrayList<>();
        boolean[] any = new boolean[1];
        byte[] folded = KeywordText.fold(value).getBytes(StandardCharsets.UTF_8);
        Tokenizer.ofQueries((kind, bytes, from, to) -> {
                    String token = new String(bytes, from, to - from, StandardCharsets.UTF_8);
                    if (kind == TokenKind.WORD && UnspacedScripts.in(token)) {
                        any[0] = true;
                        UnspacedScripts.pieces(token).forEach(piece -> keywords.add(Keyword.text("word", piece)));
                    } else {
                        keywords.add(Keyword.text(kind.field(), token));
                    }
                })
                .cut(folded, 0, folded.length);
        return any[0] ? Optional.of(keywords) : Optional.empty();
    }
}

package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random fields of hostile pieces: read as Python's email package reads them but for listed reasons, and without
 * losing a word.
 */
class MimeParametersLawsTest {
    private static final int FIELDS = Integer.getInteger("veilgate.laws.fields", 20_000);
    private static final long SEED = Long.getLong("veilgate.laws.seed", System.nanoTime());
    private static final Pattern WORD = Pattern.compile("w[0-9]+z");

    private static final String PYTHON = """
            import base64, sys
            from email.message import Message
            for line in sys.stdin:
                message = Message()
                message['Content-Disposition'] = base64.b64decode(line).decode('utf-8')
                try:
                    name = message.get_filename()
                except Exception as e:
                    print('!' + type(e).__name__)
                else:
                    text = '' if name is None else name.replace('\\r\\n', '')
                    print('=' + base64.b64encode(text.encode('utf-8', 'surrogatepass')).decode('ascii'))
            """;

    /** Where the name may be another one than Python's. */
    private enum Difference {
        /** Python's get_filename takes a comment for text. */
        COMMENT,
        /** Python does not decode encoded words in parameters; programs do. */
        ENCODED_WORD,
        /**
         * Python prefers filename to filename* and pieces, against RFC 6266 and Thunderbird, and fails where filename*
         * stands beside pieces.
         */
        SEVERAL_FORMS,
        /** Python sorts pieces of one number, and several filename*, by their text and joins them. */
        DOUBLED,
        /**
         * Python takes charset and language from pieces without a star if a later one has one: words before
         * apostrophes are lost.
         */
        ENCODED_LATER,
        /** Python takes any text before two apostrophes, encoded ones too, for charset and language: words are lost. */
        NO_CHARSET,
        /**
         * Python takes bytes of no charset or an unknown one for ASCII or Latin-1; here they are UTF-8 if they can be.
         */
        BYTES_WITHOUT_CHARSET,
        /**
         * Python takes characters beside percent-encoded ones for bytes, or writes them as a backslash and their
         * number.
         */
        RAW_IN_ENCODED,
        /**
         * Python keeps quotation marks if the second one is missing or something follows it, and takes one behind two
         * backslashes for protected.
         */
        QUOTE,
        /** Python drops text that has no equals sign, and what stands behind a disposition without a semicolon. */
        WITHOUT_NAME,
        /** Python drops angle brackets around a name. */
        BRACKETS
    }

    /** A field and what it has that Python reads otherwise. */
    private record Made(String body, Set<Difference> allowed) {}

    /** Writes one random field. */
    private static final class Maker {
        private final Random random;
        private final Set<Difference> allowed = EnumSet.noneOf(Difference.class);
        private final List<String> forms = new ArrayList<>();
        private int words;

        Maker(Random random) {
            this.random = random;
        }

        private boolean oneIn(int n) {
            return random.nextInt(n) == 0;
        }

        private String oneOf(String... all) {
            return all[random.nextInt(all.length)];
        }

        private String word() {
            return "w" + words++ + "z";
        }

        private String differing(Difference reason, String text) {
            allowed.add(reason);
            return text;
        }

        Made make() {
            StringBuilder body = new StringBuilder(oneOf("attachment", "inline", "ATTACHMENT"));
            if (oneIn(25)) {
                body.append(differing(Difference.WITHOUT_NAME, " " + word()));
            }
            int count = 1 + random.nextInt(4);
            boolean isOneForm = !oneIn(4);
            int form = random.nextInt(3);
            for (int i = 0; i < count; i++) {
                body.append(oneOf(";", "; ", " ; ", ";\r\n ", ";;", ";\t"));
                segment(body, isOneForm ? form : random.nextInt(3), isOneForm && form == 1, i);
                if (oneIn(12)) {
                    body.append(oneOf("; size=1", ";z*=1", "; x*0=a; x*1*=b", "; y=\";filename=z\""));
                }
                if (oneIn(25)) {
                    body.append(differing(Difference.WITHOUT_NAME, "; " + word()));
                }
                if (oneIn(25)) {
                    body.append(differing(Difference.COMMENT, " (" + word() + oneOf(")", "", ";)", "\\))", "(x))")));
                }
            }
            forms();
            if (forms.stream().anyMatch(each -> each.endsWith("*"))
                    && body.chars().anyMatch(c -> c > 0x7f)) {
                allowed.add(Difference.RAW_IN_ENCODED);
            }
            if (body.indexOf("\\\\\"") > 0) {
                allowed.add(Difference.QUOTE);
            }
            if (body.indexOf("us-ascii'") > 0 && body.indexOf("%C3") > 0) {
                allowed.add(Difference.BYTES_WITHOUT_CHARSET);
            }
            return new Made(body.toString(), allowed);
        }

        private void forms() {
            long kinds = forms.stream()
                    .map(form -> form.isEmpty() || form.equals("*") ? form : "0")
                    .distinct()
                    .count();
            if (kinds > 1) {
                allowed.add(Difference.SEVERAL_FORMS);
            }
            List<String> numbers = forms.stream()
                    .filter(form -> !form.isEmpty())
                    .map(form -> form.length() > 1 ? form.replace("*", "") : form)
                    .toList();
            if (numbers.stream().distinct().count() < numbers.size()) {
                allowed.add(Difference.DOUBLED);
            }
            List<String> pieces = forms.stream()
                    .filter(form -> form.length() > 1)
                    .sorted(java.util.Comparator.comparing(form -> form.replace("*", "")))
                    .toList();
            if (!pieces.isEmpty() && !pieces.getFirst().startsWith("*0")) {
                allowed.add(Difference.NO_CHARSET);
                allowed.add(Difference.BYTES_WITHOUT_CHARSET);
            }
            if (!pieces.isEmpty()
                    && !pieces.getFirst().endsWith("*")
                    && pieces.stream().anyMatch(form -> form.endsWith("*"))) {
                allowed.add(Difference.ENCODED_LATER);
            }
        }

        /** @param kind 0 for filename, 1 for a piece, 2 for filename* */
        private void segment(StringBuilder body, int kind, boolean isOrdered, int number) {
            int shown = isOrdered && !oneIn(6) ? number : random.nextInt(10);
            boolean isEncoded = kind == 2 || kind == 1 && oneIn(2);
            String form = kind == 0 ? "" : kind == 2 ? "*" : "*" + shown + (isEncoded ? "*" : "");
            boolean isFirst = kind == 2 || shown == 0;
            forms.add(form);
            body.append(oneOf("filename", "FileName", "FILENAME")).append(form).append(oneOf("=", " =", "= ", "="));
            StringBuilder value = new StringBuilder();
            if (isEncoded && isFirst) {
                charset(value);
            }
            boolean isQuoted = oneIn(2);
            for (int i = random.nextInt(4); i >= 0; i--) {
                value.append(word()).append(piece(isEncoded, isQuoted));
            }
            if (isQuoted && oneIn(15)) {
                body.append(differing(Difference.QUOTE, "\"" + value + oneOf("", "\"" + word(), "\" \"x\"")));
            } else if (isQuoted) {
                body.append('"').append(value).append('"');
            } else if (oneIn(20)) {
                body.append(differing(Difference.BRACKETS, "<" + value + ">"));
            } else {
                body.append(value);
            }
        }

        private void charset(StringBuilder value) {
            if (oneIn(10)) {
                value.append(differing(Difference.NO_CHARSET, word() + " 'x y'"));
            } else if (oneIn(8)) {
                value.append(differing(
                        Difference.BYTES_WITHOUT_CHARSET,
                        oneOf("''", "x-unknown''", "x-unknown'en'", word() + "'de'")));
            } else if (oneIn(8)) {
                allowed.add(Difference.BYTES_WITHOUT_CHARSET);
                allowed.add(Difference.NO_CHARSET);
            } else {
                value.append(oneOf("utf-8''", "UTF-8'en'", "iso-8859-1'de'", "us-ascii'en-us'", "utf8''", "koi8-r''"));
            }
        }

        private String piece(boolean isEncoded, boolean isQuoted) {
            return switch (random.nextInt(16)) {
                case 0 -> " ";
                case 1 -> isEncoded ? "%20" : "'";
                case 2 -> isEncoded ? "%C3%A4" : " '" + word() + "' ";
                case 3 -> oneOf("%", "%4", "%zz", "%%", "%41");
                case 4 -> isQuoted ? oneOf("\\\"", "\\\\", "\\x", ";", "; filename=y", " (", "(x)") : "(1)";
                case 5 -> isEncoded ? "\u65e5" : oneOf("\u00e4", "\u65e5", "\ud83d\ude00");
                case 6 -> oneOf(".", "-", "_", ",", "=", "@", "*", "[", "/", ":");
                case 7 -> isEncoded ? "%27" : "\t";
                case 8 ->
                    isEncoded || !oneIn(3)
                            ? "x"
                            : differing(
                                    Difference.ENCODED_WORD,
                                    oneOf("=?utf-8?Q?" + word() + "=C3=84?=", "=?utf-8?B?YQ==?=", "=?utf-8?Q?"));
                case 9 -> isQuoted ? "\r\n " : "\u202e";
                default -> ".txt";
            };
        }
    }

    private static List<String> python(List<Made> fields, Path folder) throws IOException, InterruptedException {
        Path in = folder.resolve("in");
        Path out = folder.resolve("out");
        Files.write(
                in,
                fields.stream()
                        .map(field ->
                                Base64.getEncoder().encodeToString(field.body().getBytes(StandardCharsets.UTF_8)))
                        .toList());
        Process process = new ProcessBuilder("python3", "-c", PYTHON)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isZero();
        return Files.readAllLines(out);
    }

    private static MimeParameters read(Made made) {
        return MimeParameters.of(Mails.field(("Content-Disposition: " + made.body()).getBytes(StandardCharsets.UTF_8)));
    }

    private static List<Made> made() {
        Random random = new Random(SEED);
        List<Made> fields = new ArrayList<>();
        for (int i = 0; i < FIELDS; i++) {
            fields.add(new Maker(random).make());
        }
        return fields;
    }

    @Test
    void namesArePythonsButForListedReasons(@TempDir Path folder) throws Exception {
        List<Made> fields = made();
        List<String> answers = python(fields, folder);
        assertThat(answers).hasSameSizeAs(fields);
        int exact = 0;
        Map<Difference, String> seen = new EnumMap<>(Difference.class);
        for (int i = 0; i < FIELDS; i++) {
            Made made = fields.get(i);
            String answer = answers.get(i);
            String name = read(made).parameter("filename").orElse("");
            boolean isSame =
                    answer.equals("=" + Base64.getEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8)));
            if (made.allowed().isEmpty()) {
                assertThat(isSame)
                        .as(
                                "seed %d, field %s, here %s, Python %s",
                                SEED,
                                made.body(),
                                name,
                                answer.startsWith("=")
                                        ? new String(
                                                Base64.getDecoder().decode(answer.substring(1)), StandardCharsets.UTF_8)
                                        : answer)
                        .isTrue();
                exact++;
            } else if (!isSame && made.allowed().size() == 1) {
                seen.put(made.allowed().iterator().next(), made.body());
            }
        }
        assertThat(exact).as("fields that were compared").isGreaterThan(FIELDS / 8);
        assertThat(seen.keySet()).as("reasons that are needed").containsExactlyInAnyOrder(Difference.values());
    }

    @Test
    void noWordOfAFieldIsLostToWhoIsShownItsLabel() {
        for (Made made : made()) {
            PartLabel label = Mails.label(("Content-Disposition: " + made.body()).getBytes(StandardCharsets.UTF_8));
            assertThat(WORD.matcher(label.name() + label.rest())
                            .results()
                            .map(MatchResult::group)
                            .toList())
                    .as("seed %d, field %s", SEED, made.body())
                    .containsAll(WORD.matcher(made.body())
                            .results()
                            .map(MatchResult::group)
                            .toList());
        }
    }

    @Test
    void noWordOfAFieldIsLost() {
        for (Made made : made()) {
            MimeParameters read = read(made);
            String shown = read.value() + read.names() + read.rest();
            for (String name : read.names()) {
                shown += read.parameter(name);
            }
            assertThat(WORD.matcher(shown).results().map(MatchResult::group).toList())
                    .as("seed %d, field %s", SEED, made.body())
                    .containsAll(WORD.matcher(made.body())
                            .results()
                            .map(MatchResult::group)
                            .toList());
        }
    }
}

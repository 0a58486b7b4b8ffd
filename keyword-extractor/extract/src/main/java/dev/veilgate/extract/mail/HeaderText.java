package dev.veilgate.extract.mail;

import dev.veilgate.envelope.smime.AddressList;
import dev.veilgate.envelope.smime.AddressList.Mailbox;
import dev.veilgate.envelope.smime.InvisibleCharacters;
import dev.veilgate.extract.KeywordText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.util.ByteSequence;
import org.jspecify.annotations.Nullable;

/** Header fields to text: unfolded, bytes above 127 as {@link EncodedText} says, comments and encoded words only where they may be. */
final class HeaderText {
    /** What ends words before an address, in folded text. */
    private static final String BEFORE_ADDRESS = "<>()[],;:\"\u00ab\u2039\u201c\u201d\u3008\u300a\u300c";

    private static final String AROUND_ADDRESS = "'`.\\\u2018\u2019{}|";

    private HeaderText() {}

    /**
     * One of a list of people.
     *
     * @param addresses in the form in which they are compared; several where programs may read it in several ways, none for a name alone
     */
    record Person(String name, List<String> addresses) {}

    /** The body of a field, unfolded; encoded words are still encoded. */
    static String raw(Field field) {
        @Nullable ByteSequence raw = field.getRaw();
        if (raw == null) {
            return field.getBody() == null ? "" : field.getBody().strip();
        }
        byte[] bytes = raw.toByteArray();
        return body(EncodedText.decode(bytes, bytes.length, null));
    }

    /** The same, as text that is neither encoded nor of Unicode may be read; null for most fields. */
    private static @Nullable String japanese(Field field) {
        @Nullable ByteSequence raw = field.getRaw();
        byte[] bytes = raw == null ? new byte[0] : raw.toByteArray();
        String line = EncodedText.japanese(bytes, bytes.length);
        return line == null ? null : body(line);
    }

    private static String body(String line) {
        String body = line.substring(line.indexOf(':') + 1);
        return body.replace("\r\n", "").replace('\r', ' ').replace('\n', ' ').strip();
    }

    /** The text of an unstructured field. */
    static String text(Field field) {
        return EncodedText.encodedWords(raw(field)).strip();
    }

    /** All texts that a field may be read as; one in most cases. */
    static List<String> texts(Field field) {
        String japanese = japanese(field);
        return japanese == null ? List.of(text(field)) : List.of(text(field), japanese);
    }

    /** The addresses of a field and their names, decoded; groups are opened. Read with and without characters that nobody sees. */
    static void people(Field field, Consumer<Person> found) {
        String raw = raw(field);
        Set<String> readings = new LinkedHashSet<>();
        readings.add(raw);
        readings.add(InvisibleCharacters.without(raw));
        String japanese = japanese(field);
        if (japanese != null) {
            readings.add(japanese);
        }
        for (String reading : readings) {
            AddressList.read(reading, box -> person(box, found));
        }
    }

    /** One of the list. A name without an address may be the address: in quotes, in brackets, or encoded with it. */
    private static void person(Mailbox box, Consumer<Person> found) {
        String name = EncodedText.encodedWords(box.name());
        found.accept(new Person(name, forms(box.addresses())));
        if (box.address().isEmpty() && name.indexOf('@') >= 0) {
            AddressList.read(name, inside -> {
                List<String> all = inside.addresses();
                found.accept(new Person(inside.name(), forms(all.isEmpty() ? addressesIn(inside.name()) : all)));
            });
        }
    }

    private static List<String> addressesIn(String quoted) {
        List<String> all = new ArrayList<>();
        if (quoted.indexOf('@') >= 0) {
            AddressList.read(quoted, box -> all.addAll(box.addresses()));
        }
        return all;
    }

    /** What is searched for: also decoded, without the root's point behind the domain, without characters that nobody sees, and without what stands in no address. */
    private static List<String> forms(List<String> written) {
        Set<String> forms = new LinkedHashSet<>();
        for (String address : written) {
            List<String> spellings = spellings(address);
            forms.addAll(spellings);
            spellings.forEach(form -> forms.add(InvisibleCharacters.without(form)));
            String decoded = InvisibleCharacters.without(EncodedText.encodedWords(address));
            forms.addAll(spellings(decoded));
            forms.addAll(spellings(bare(KeywordText.fold(decoded))));
            spellings.stream()
                    .filter(form -> form.endsWith("."))
                    .forEach(form -> forms.add(form.substring(0, form.length() - 1)));
        }
        return List.copyOf(forms);
    }

    /** A folded address without quotes, brackets and marks around it, as programs and people write them; the points of its domain may be those of Chinese and Japanese. */
    private static String bare(String address) {
        int at = address.lastIndexOf('@');
        int start = at;
        while (start > 0 && BEFORE_ADDRESS.indexOf(address.charAt(start - 1)) < 0) {
            start--;
        }
        int localEnd = at;
        while (localEnd > start && AROUND_ADDRESS.indexOf(address.charAt(localEnd - 1)) >= 0) {
            localEnd--;
        }
        while (start < localEnd && AROUND_ADDRESS.indexOf(address.charAt(start)) >= 0) {
            start++;
        }
        String domain = address.substring(at + 1).replace('\u3002', '.');
        int end = 0;
        while (end < domain.length() && domain.charAt(0) != '[' && isOfDomain(domain.charAt(end))) {
            end++;
        }
        while (end > 0 && domain.charAt(end - 1) == '.') {
            end--;
        }
        return end == 0 || start == localEnd
                ? address
                : address.substring(start, localEnd) + '@' + domain.substring(0, end);
    }

    private static boolean isOfDomain(char c) {
        return c < 0x80
                ? Character.isLetterOrDigit(c) || "-._".indexOf(c) >= 0
                : Character.isSurrogate(c)
                        || Character.isLetterOrDigit(c)
                        || Character.getType(c) == Character.NON_SPACING_MARK
                        || Character.getType(c) == Character.COMBINING_SPACING_MARK
                        || Character.getType(c) == Character.OTHER_SYMBOL;
    }

    /** The form in which addresses are compared: folded, the domain in Unicode. */
    static String address(String address) {
        String bare = address.strip();
        int at = bare.lastIndexOf('@');
        return KeywordText.fold(bare.substring(0, at + 1)) + DomainName.comparable(bare.substring(at + 1));
    }

    /** That form, and behind it the one of an earlier version if it is another: mails that it indexed and trapdoors that it made have that. */
    static List<String> spellings(String address) {
        String bare = address.strip();
        int at = bare.lastIndexOf('@');
        String now = address(bare);
        String before =
                KeywordText.fold(bare.substring(0, at + 1)) + DomainName.comparableBefore(bare.substring(at + 1));
        return now.equals(before) ? List.of(now) : List.of(now, before);
    }

    /** Ids of a field such as References, without the angle brackets. */
    static List<String> ids(String raw) {
        List<String> ids = new ArrayList<>();
        int open = raw.indexOf('<');
        int close = raw.indexOf('>', open + 1);
        while (open >= 0 && close >= 0) {
            if (close > open + 1) {
                ids.add(raw.substring(open + 1, close).strip());
            }
            open = raw.indexOf('<', close + 1);
            close = raw.indexOf('>', open + 1);
        }
        return ids;
    }
}

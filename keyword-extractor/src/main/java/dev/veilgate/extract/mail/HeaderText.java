package dev.veilgate.extract.mail;

import dev.veilgate.envelope.smime.AddressList;
import dev.veilgate.envelope.smime.AddressList.Mailbox;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.util.ByteSequence;
import org.jspecify.annotations.Nullable;

/** Header fields to text: unfolded, bytes above 127 as {@link EncodedText} says, comments and encoded words only where they may be. */
final class HeaderText {
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
        String line = EncodedText.decode(bytes, bytes.length, null);
        String body = line.substring(line.indexOf(':') + 1);
        return body.replace("\r", "").replace("\n", "").strip();
    }

    /** The text of an unstructured field. */
    static String text(Field field) {
        return EncodedText.encodedWords(raw(field)).strip();
    }

    /** The addresses of a field and their names, decoded; groups are opened. */
    static void people(Field field, Consumer<Person> found) {
        String raw = raw(field);
        boolean[] any = {false};
        Consumer<Mailbox> box = each -> {
            List<String> forms = forms(each.addresses());
            any[0] |= !forms.isEmpty();
            found.accept(new Person(EncodedText.encodedWords(each.name()), forms));
        };
        AddressList.read(raw, box);
        if (!any[0]) { // some programs encode the address as well
            AddressList.read(EncodedText.encodedWords(raw), box);
        }
    }

    /** What is searched for: also without the root's point behind the domain, and without characters that nobody sees. */
    private static List<String> forms(List<String> written) {
        Set<String> forms = new LinkedHashSet<>();
        for (String address : written) {
            String form = address(address);
            forms.add(form);
            forms.add(InvisibleCharacters.without(form));
            if (form.endsWith(".")) {
                forms.add(form.substring(0, form.length() - 1));
            }
        }
        return List.copyOf(forms);
    }

    /** The form in which addresses are compared: folded, the domain in Unicode. */
    static String address(String address) {
        String bare = address.strip();
        int at = bare.lastIndexOf('@');
        String domain = bare.substring(at + 1);
        if (domain.toLowerCase(Locale.ROOT).contains("xn--")) {
            domain = java.net.IDN.toUnicode(domain);
        }
        return dev.veilgate.extract.KeywordText.fold(bare.substring(0, at + 1) + domain);
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

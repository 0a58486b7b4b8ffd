package dev.veilgate.extract.mail;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.james.mime4j.dom.address.Address;
import org.apache.james.mime4j.dom.address.Group;
import org.apache.james.mime4j.dom.address.Mailbox;
import org.apache.james.mime4j.field.address.LenientAddressParser;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.util.ByteSequence;
import org.jspecify.annotations.Nullable;

/** Header fields to text: unfolded, bytes above 127 as {@link EncodedText} says, comments and encoded words only where they may be. */
final class HeaderText {
    private HeaderText() {}

    /** One address of a list. */
    record Person(String name, String address) {}

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

    /** The addresses of a field; groups are opened. */
    static List<Person> people(Field field) {
        List<Person> people = new ArrayList<>();
        String raw = EncodedText.sound(raw(field));
        try {
            for (Address address : LenientAddressParser.DEFAULT.parseAddressList(raw)) {
                if (address instanceof Group group) {
                    group.getMailboxes().forEach(box -> add(box, people));
                } else if (address instanceof Mailbox box) {
                    add(box, people);
                }
            }
        } catch (RuntimeException e) {
            people.clear();
        }
        return people.isEmpty() ? scan(raw) : people;
    }

    private static void add(Mailbox box, List<Person> people) {
        String address = box.getAddress() == null ? "" : box.getAddress();
        String name = box.getName() == null ? "" : EncodedText.encodedWords(box.getName());
        people.add(new Person(name, address.contains("@") ? address(address) : ""));
        if (!address.contains("@")) {
            people.add(new Person(address, ""));
        }
    }

    /** What cannot be parsed: everything with an @ in it is an address, the rest a name. */
    private static List<Person> scan(String raw) {
        List<Person> people = new ArrayList<>();
        StringBuilder name = new StringBuilder();
        for (String piece : EncodedText.encodedWords(raw).split("[\\s<>,;()\"]+")) {
            int at = piece.indexOf('@');
            if (at > 0 && at < piece.length() - 1) {
                people.add(new Person("", address(piece)));
            } else {
                name.append(piece).append(' ');
            }
        }
        people.add(new Person(name.toString(), ""));
        return people;
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

package dev.veilgate.settings;

import dev.veilgate.envelope.smime.AddressForm;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Places of the Subject of a sealed mail for mail programs that do not know header protection (RFC 9788), by recipient:
 * {@code text; acme.example = outside; ada@acme.example = hidden}.
 *
 * @param byName places by address or domain, in lower case; {@code *} for all others
 */
public record ShownSubjects(Map<String, Place> byName) {
    /** In the text, for all. */
    public static final ShownSubjects DEFAULT = new ShownSubjects(Map.of());

    private static final String OTHERS = "*";

    /** A place. */
    public enum Place {
        /** Inside only. */
        HIDDEN,
        /** As first lines of the text, which is sealed. */
        TEXT,
        /** Outside, where every server reads it. */
        OUTSIDE,
        /** In the text and outside. */
        BOTH;

        boolean isOutside() {
            return this == OUTSIDE || this == BOTH;
        }

        boolean isInText() {
            return this == TEXT || this == BOTH;
        }
    }

    /** Copies. */
    public ShownSubjects {
        byName = Map.copyOf(byName);
    }

    /** @throws SettingsException naming what is no place, or neither an address nor a domain */
    static ShownSubjects parse(String where, String text) throws SettingsException {
        Map<String, Place> places = new HashMap<>();
        for (String entry : text.split(";")) {
            if (entry.isBlank()) {
                continue;
            }
            int sign = entry.indexOf('=');
            String name = sign < 0 ? OTHERS : entry.substring(0, sign).strip().toLowerCase(Locale.ROOT);
            boolean isName = name.equals(OTHERS) || AddressForm.isTaken(name) || AddressForm.isTaken("a@" + name);
            if (!isName || name.startsWith("*@")) { // which means the domain
                throw new SettingsException(where + "\"" + name + "\" is neither an address, nor a domain, nor *");
            }
            if (places.put(name, place(where, entry.substring(sign + 1).strip())) != null) {
                throw new SettingsException(
                        where + (name.equals(OTHERS) ? "what is for all others" : name) + " is there twice");
            }
        }
        return new ShownSubjects(places);
    }

    private static Place place(String where, String word) throws SettingsException {
        for (Place place : Place.values()) {
            if (place.name().equalsIgnoreCase(word)) {
                return place;
            }
        }
        throw new SettingsException(where + "\"" + word + "\" is none of hidden, text, outside and both");
    }

    private Place of(String address) {
        String name = address.toLowerCase(Locale.ROOT);
        Place others = byName.getOrDefault(OTHERS, Place.TEXT);
        Place ofDomain = byName.getOrDefault(name.substring(name.lastIndexOf('@') + 1), others);
        return byName.getOrDefault(name, ofDomain);
    }

    /** Tells if it stays outside of a copy: if all its recipients have it there. */
    public boolean isOutside(Collection<String> recipients) {
        return recipients.stream().allMatch(each -> of(each).isOutside());
    }

    /** Tells if it is in the text of a copy: if some recipient has it there. */
    public boolean isInText(Collection<String> recipients) {
        return recipients.stream().anyMatch(each -> of(each).isInText());
    }
}

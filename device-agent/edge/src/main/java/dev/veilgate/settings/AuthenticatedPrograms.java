package dev.veilgate.settings;

import dev.veilgate.envelope.smime.AddressForm;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Recipients whose mail programs open AuthEnvelopedData, by address or by domain: {@code ada@acme.example, example.org}.
 *
 * @param names addresses and domains, in lower case; {@code *} for everybody
 */
public record AuthenticatedPrograms(Set<String> names) {
    /** Nobody's. */
    public static final AuthenticatedPrograms NONE = new AuthenticatedPrograms(Set.of());

    private static final String EVERYBODY = "*";

    /** Copies. */
    public AuthenticatedPrograms {
        names = Set.copyOf(names);
    }

    /** @throws SettingsException naming what is neither an address nor a domain */
    static AuthenticatedPrograms parse(String where, String text) throws SettingsException {
        Set<String> names = new HashSet<>();
        for (String each : text.split("[,;\\s]+")) {
            String name = each.toLowerCase(Locale.ROOT);
            if (name.isEmpty()) {
                continue;
            }
            boolean isAddress = AddressForm.isTaken(name) && !name.startsWith("*@"); // which means the domain
            if (!isAddress && !AddressForm.isTaken("a@" + name) && !name.equals(EVERYBODY)) {
                throw new SettingsException(where + "\"" + each + "\" is neither an address, nor a domain, nor *");
            }
            names.add(name);
        }
        return new AuthenticatedPrograms(names);
    }

    /** Whether everybody's do. */
    public boolean isEverybody() {
        return names.contains(EVERYBODY);
    }

    /** Whether that of a recipient does. */
    public boolean contains(String address) {
        String name = address.toLowerCase(Locale.ROOT);
        return isEverybody() || names.contains(name) || names.contains(name.substring(name.lastIndexOf('@') + 1));
    }
}

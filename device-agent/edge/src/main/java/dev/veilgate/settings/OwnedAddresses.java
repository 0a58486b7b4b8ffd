package dev.veilgate.settings;

import dev.veilgate.envelope.smime.AddressForm;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Addresses that users own, so that their mail may be signed as of them: {@code login; ada = login, info@acme.example;
 * crm = @acme.example; scanner = tenant}. Everything else is signed as the tenant.
 *
 * @param byLogin what is owned by login, in lower case, {@code *} for all others: addresses, {@code @} and a domain,
 *                {@code login} for an address that is the login, {@code from} for whatever stands in From
 */
public record OwnedAddresses(Map<String, Set<String>> byLogin) {
    /** The login, if it is an address. */
    public static final OwnedAddresses DEFAULT = new OwnedAddresses(Map.of());

    private static final String OTHERS = "*";
    private static final String LOGIN = "login";
    private static final String FROM = "from";
    private static final String TENANT = "tenant";

    /** Copies. */
    public OwnedAddresses {
        byLogin = Map.copyOf(byLogin);
    }

    /** @throws SettingsException naming what is none of these */
    static OwnedAddresses parse(String where, String text) throws SettingsException {
        Map<String, Set<String>> owned = new HashMap<>();
        for (String entry : text.split(";")) {
            if (entry.isBlank()) {
                continue;
            }
            int sign = entry.indexOf('=');
            String login = sign < 0 ? OTHERS : entry.substring(0, sign).strip().toLowerCase(Locale.ROOT);
            if (login.isEmpty() || login.contains(" ") || login.contains(",")) {
                throw new SettingsException(where + "\"" + login + "\" is no login");
            }
            if (owned.put(login, addresses(where, entry.substring(sign + 1))) != null) {
                throw new SettingsException(
                        where + (login.equals(OTHERS) ? "what is for all others" : login) + " is there twice");
            }
        }
        return new OwnedAddresses(owned);
    }

    private static Set<String> addresses(String where, String text) throws SettingsException {
        Set<String> all = new HashSet<>();
        for (String each : text.strip().split("[,\\s]+")) {
            String name = each.toLowerCase(Locale.ROOT);
            boolean isWord = name.equals(LOGIN) || name.equals(FROM) || name.equals(TENANT);
            if (!isWord && !AddressForm.isTaken(name.startsWith("@") ? "a" + name : name)) {
                throw new SettingsException(
                        where + "\"" + each + "\" is none of login, from, tenant, an address, and @ with a domain");
            }
            all.add(name);
        }
        if (all.contains(TENANT) && all.size() > 1) {
            throw new SettingsException(where + "tenant stands alone");
        }
        return all;
    }

    /** Addresses of whoever holds the signing key: all, unless mail is to be signed as the tenant. */
    public boolean isOwnedByHolder() {
        return !of(OTHERS).contains(TENANT);
    }

    /** Tells if those who do not log in own some address. */
    public boolean isAnyOwnedWithoutLogin() {
        return !Set.of(LOGIN, TENANT).containsAll(of(OTHERS));
    }

    /**
     * Tells if an address is a user's.
     *
     * @param login   null for nobody who logged in
     * @param address in lower case
     */
    public boolean isOwned(@Nullable String login, String address) {
        String name = login == null ? OTHERS : login.toLowerCase(Locale.ROOT);
        Collection<String> owned = of(name);
        return owned.contains(FROM)
                || owned.contains(address)
                || owned.contains(address.substring(Math.max(address.lastIndexOf('@'), 0)))
                || owned.contains(LOGIN) && address.equals(name);
    }

    private Set<String> of(String login) {
        return byLogin.getOrDefault(login, byLogin.getOrDefault(OTHERS, Set.of(LOGIN)));
    }
}

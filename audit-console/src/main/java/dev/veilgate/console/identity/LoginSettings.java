package dev.veilgate.console.identity;

import dev.veilgate.console.settings.ConsoleSettings;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How people log in: at an OpenID provider, or at the embedded one with the users that are listed here.
 *
 * @param issuer           of the OpenID provider, such as https://login.example.org/realms/veilgate; without it the embedded one serves
 * @param clientId         of the console at the provider
 * @param clientSecretFile file whose first line is the console's secret at the provider
 * @param users            of the embedded provider: a list, each with {@code name}, {@code password} (encoded, such as {bcrypt}$2y$...), {@code display-name}, {@code roles} and {@code attributes}; none: five users for a demonstration, all with the password {@code veilgate-demo}, which are refused unless the console's
 *                         address is of this machine
 * @param ownAddress       where the console reaches its embedded provider, such as https://localhost:8443, if the
 *                         console's own address leads elsewhere from its machine, as inside a container
 */
@ConfigurationProperties(prefix = "veilgate.login", ignoreUnknownFields = false)
public record LoginSettings(
        @Nullable URI issuer,
        @DefaultValue("veilgate-console") String clientId,
        @Nullable Path clientSecretFile,
        @DefaultValue List<Login> users,
        @Nullable URI ownAddress) {
    /** Claim with the roles. */
    static final String ROLES_CLAIM = "roles";
    /** Claim with the attributes to read by. */
    static final String ATTRIBUTES_CLAIM = "veilgate_attributes";

    /** Password of the users for a demonstration. */
    static final String DEMO_PASSWORD = "veilgate-demo";

    private static final List<Login> DEMO = List.of(
            demo("ada", "Ada Auditor", "role:auditor, site:plant-7", "auditor"),
            demo("ben", "Ben Approver", "role:dpo", "approver", "auditor"),
            demo("eve", "Eve Auditor", "", "auditor"),
            demo("kim", "Kim Keeper", "", "keeper"),
            demo("oli", "Oli Operator", "", "operator"));

    /** @throws IllegalArgumentException naming the key */
    public LoginSettings {
        users = List.copyOf(users);
        if (issuer != null && clientSecretFile == null) {
            throw new IllegalArgumentException(
                    "veilgate.login.client-secret-file is needed with veilgate.login.issuer");
        }
    }

    /**
     * A user of the embedded provider.
     *
     * @param name        what the user types
     * @param password    encoded, such as {bcrypt}$2a$...
     * @param displayName to be shown
     * @param roles       auditor, approver, keeper, operator
     * @param attributes  such as role:auditor, site:plant-7
     */
    public record Login(
            String name,
            String password,
            @DefaultValue("") String displayName,
            @DefaultValue List<String> roles,
            @DefaultValue List<String> attributes) {
        /** @throws IllegalArgumentException naming the key */
        @SuppressWarnings("ConstantValue")
        public Login {
            if (name == null || name.isBlank() || password == null || !password.startsWith("{")) {
                throw new IllegalArgumentException(
                        "veilgate.login.users[] needs name and an encoded password, such as {bcrypt}$2a$10$...");
            }
            for (String role : roles) {
                if (Role.of(role).isEmpty()) {
                    throw new IllegalArgumentException(
                            "veilgate.login.users[].roles are auditor, approver, keeper, operator");
                }
            }
            roles = List.copyOf(roles);
            attributes = List.copyOf(attributes);
        }

        @Override
        public String toString() {
            return "Login[" + name + "]";
        }
    }

    private static Login demo(String name, String displayName, String attributes, String... roles) {
        List<String> list = attributes.isEmpty() ? List.of() : List.of(attributes.split(", "));
        return new Login(name, "{noop}" + DEMO_PASSWORD, displayName, List.of(roles), list);
    }

    /** Whether the users are those for a demonstration. */
    boolean isDemo() {
        return issuer == null && users.isEmpty();
    }

    /**
     * The embedded provider's users.
     *
     * @throws IllegalArgumentException where a known password would be offered to others than this machine
     */
    List<Login> usersAt(ConsoleSettings console) {
        if (!isDemo()) {
            return users;
        }
        if (!isLoopback(console.url().getHost())) {
            throw new IllegalArgumentException(
                    "veilgate.url is not an address of this machine: set veilgate.login.issuer,"
                            + " or veilgate.login.users with passwords of their own");
        }
        return DEMO;
    }

    private static boolean isLoopback(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        boolean isAddress = host.matches("[0-9.]+") || host.startsWith("[");
        try {
            return isAddress && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}

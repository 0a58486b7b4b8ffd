package dev.veilgate.console.identity;

import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.PolicySyntaxException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;

/** From claims to users. */
final class Users {
    private static final Logger LOG = LoggerFactory.getLogger(Users.class);

    private Users() {}

    static User of(OidcUser claims) {
        String id = Objects.requireNonNullElseGet(claims.getPreferredUsername(), claims::getSubject);
        String name = Objects.requireNonNullElse(claims.getFullName(), id);
        Set<Role> roles = EnumSet.noneOf(Role.class);
        strings(claims, LoginSettings.ROLES_CLAIM)
                .forEach(label -> Role.of(label).ifPresent(roles::add));
        return new User(id, name, roles, attributes(strings(claims, LoginSettings.ATTRIBUTES_CLAIM)));
    }

    private static List<String> strings(OidcUser claims, String name) {
        List<String> list = claims.getClaimAsStringList(name);
        return list == null ? List.of() : list;
    }

    private static Optional<AttributeSet> attributes(List<String> texts) {
        if (texts.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(AttributeSet.parse(String.join(", ", texts)));
        } catch (PolicySyntaxException | IllegalArgumentException e) {
            LOG.warn(
                    "the claim {} of a user is not a list of attributes; the user has none",
                    LoginSettings.ATTRIBUTES_CLAIM);
            return Optional.empty();
        }
    }
}

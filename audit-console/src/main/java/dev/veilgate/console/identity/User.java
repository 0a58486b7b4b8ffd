package dev.veilgate.console.identity;

import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.console.http.ProblemException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who is logged in, as the provider says.
 *
 * @param id         unique and lasting: what rules count and the log names
 * @param name       to be shown
 * @param roles      what the user may do
 * @param attributes what the user may read by; empty: only what is sealed for the whole tenant
 */
public record User(String id, String name, Set<Role> roles, Optional<AttributeSet> attributes) {
    /** Copies. */
    public User {
        roles = Set.copyOf(roles);
    }

    /** Whether the user has one of the roles. */
    public boolean is(Role... any) {
        return Stream.of(any).anyMatch(roles::contains);
    }

    /**
     * Goes on only with one of the roles.
     *
     * @throws ProblemException 403
     */
    public void require(Role... any) {
        if (!is(any)) {
            throw ProblemException.forbidden(
                    "this takes the role " + Stream.of(any).map(Role::label).collect(Collectors.joining(" or ")));
        }
    }

    /** The attributes, without the bits of numbers. */
    public List<String> attributeTexts() {
        return attributes.stream()
                .flatMap(set -> Stream.of(set.toString().split(", ")))
                .toList();
    }
}

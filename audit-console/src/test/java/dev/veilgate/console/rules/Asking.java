package dev.veilgate.console.rules;

import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.query.Intent.Purpose;
import dev.veilgate.console.query.QueryText;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.query.Filter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Users and what they ask, for tests. */
final class Asking {
    private Asking() {}

    static User user(String id, String attributes, Role... roles) throws Exception {
        Optional<AttributeSet> set =
                attributes.isEmpty() ? Optional.empty() : Optional.of(AttributeSet.parse(attributes));
        return new User(id, id, Set.of(roles), set);
    }

    static Intent search(String scope, String query, String... epochs) throws Exception {
        return search(scope, query, null, null, epochs);
    }

    static Intent search(String scope, String query, @Nullable Instant from, @Nullable Instant to, String... epochs)
            throws Exception {
        QueryText text = new QueryText(query, scope, false, from, to, null, null);
        KeywordQuery parsed = KeywordQuery.parse(query, ExtractorProfile.defaults());
        Filter filter = new Filter(Optional.ofNullable(from), Optional.ofNullable(to), Set.of());
        return new Intent(
                text, QueryReadings.of(parsed, ExtractorProfile.defaults()), filter, List.of(epochs), Purpose.SEARCH);
    }
}

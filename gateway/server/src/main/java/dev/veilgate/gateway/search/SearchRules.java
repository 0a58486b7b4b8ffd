package dev.veilgate.gateway.search;

import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.http.ProblemException;
import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.query.RefusedGrantException;
import dev.veilgate.query.SearchRequest;
import java.time.Clock;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** Who may run, or install, which search. */
@Component
public final class SearchRules {
    private final SearchSettings settings;
    private final Clock clock;

    SearchRules(SearchSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /** @throws ProblemException if the search is of another tenant, names a scope that the token may not see, or lacks a grant that holds */
    public void require(Principal principal, Tenant tenant, SearchRequest request) {
        if (!request.tenant().equals(tenant.name())) {
            throw ProblemException.malformed("the search is for another tenant");
        }
        boolean mayAll =
                request.terms().stream().flatMap(List::stream).allMatch(trapdoor -> principal.maySee(trapdoor.scope()));
        if (!mayAll) {
            throw ProblemException.forbidden("the token may not search all scopes of the search");
        }
        if (request.grant().isEmpty()) {
            if (settings.grants() == SearchSettings.Grants.REQUIRED) {
                throw new ProblemException(
                        HttpStatus.FORBIDDEN, "grant", "a search needs a grant of the tenant's authority here");
            }
            return;
        }
        try {
            request.grant().get().verify(tenant.bundle().authority(), request, clock.instant());
        } catch (RefusedGrantException e) {
            throw new ProblemException(HttpStatus.FORBIDDEN, "grant", String.valueOf(e.getMessage()));
        }
    }
}

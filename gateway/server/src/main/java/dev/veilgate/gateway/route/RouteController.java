package dev.veilgate.gateway.route;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.http.ProblemException;
import dev.veilgate.gateway.http.Rights;
import dev.veilgate.gateway.search.SearchRules;
import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.gateway.tenant.Tenants;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Routes over HTTP. A token that may see some scopes sees only routes whose scopes are all among them. */
@RestController
@RequestMapping("/v1/tenants/{tenant}/routes")
class RouteController {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final int SECRET_BYTES = 32;
    private static final int MAX_JSON_BESIDE_SEARCH = 16 << 10;
    private static final int MOST_RULES = 8;
    private static final int GREATEST_RULES = 1000;

    private final RouteStore routes;
    private final ActionQueue actions;
    private final Tenants tenants;
    private final SearchRules rules;
    private final IndexSchemes schemes;
    private final RouteSettings settings;
    private final JsonMapper json;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    RouteController(
            RouteStore routes,
            ActionQueue actions,
            Tenants tenants,
            SearchRules rules,
            IndexSchemes schemes,
            RouteSettings settings,
            JsonMapper json,
            Clock clock) {
        this.routes = routes;
        this.actions = actions;
        this.tenants = tenants;
        this.rules = rules;
        this.schemes = schemes;
        this.settings = settings;
        this.json = json;
        this.clock = clock;
    }

    /**
     * The body of a PUT.
     *
     * @param rules of keywords, by which the search was issued; of software that does not say so, rules 1
     */
    record Installation(
            byte @Nullable [] search,
            @Nullable Action action,
            @Nullable List<Integer> rules) {}

    /** What to do. */
    record Action(@Nullable String type, @Nullable String target) {}

    /**
     * How many actions are in which state.
     *
     * @param waitingSince when the oldest message arrived whose action waits; null if none does
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Actions(
            long waiting, long done, long givenUp, @Nullable Instant waitingSince) {}

    /**
     * A route as it is shown; the search is not.
     *
     * @param lastMatch when the newest arrived of the messages whose actions are still known
     * @param rules     of keywords, by which it was issued
     * @param isFormer  whether it was issued by former rules alone, see {@link RouteRules#isFormer}
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record View(
            String name,
            Action action,
            Instant installed,
            @Nullable Instant lastEpochEnds,
            @Nullable Actions actions,
            @Nullable Instant lastMatch,
            @Nullable String secret,
            List<Integer> rules,
            @JsonProperty("formerRules") boolean isFormer,
            List<String> warnings) {}

    /** 201 for a new route, 200 for one that was replaced. The secret of a webhook is in the answer that made it, and nowhere else. */
    @PutMapping(path = "/{name}", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<View> put(
            Principal principal, @PathVariable String tenant, @PathVariable String name, HttpServletRequest request)
            throws IOException, MalformedEncodingException {
        Tenant of = Rights.require(principal, Right.ROUTES, tenant, tenants);
        if (!NAME.matcher(name).matches()) {
            throw ProblemException.malformed(
                    "a route's name is 1 to 64 letters, digits, '.', '-' and '_', the first a letter or digit");
        }
        Installation body = body(request);
        if (body.search() == null) {
            throw ProblemException.malformed("search must be the search in base64");
        }
        RouteAction action = action(body.action());
        Instant now = clock.instant();
        PreparedSearch search = search(principal, of, body.search());
        Route old = routes.find(tenant, name).orElse(null);
        if (old != null && !maySee(principal, old)) {
            throw ProblemException.forbidden("a route of this name has scopes that the token may not name");
        }
        String fresh = freshSecret();
        Route put;
        try {
            put = routes.put(name, search, action, rules(body.rules()), fresh, settings.maxRoutes());
        } catch (RouteStore.TooManyRoutesException e) {
            throw new ProblemException(
                    HttpStatus.CONFLICT,
                    "too-many-routes",
                    "the tenant has " + settings.maxRoutes() + " routes, the most it may");
        }
        boolean isNew = put.secret().equals(fresh);
        return ResponseEntity.status(old == null ? HttpStatus.CREATED : HttpStatus.OK)
                .body(view(put, of, null, isNew ? fresh : null, now));
    }

    private PreparedSearch search(Principal principal, Tenant tenant, byte[] encoded)
            throws MalformedEncodingException {
        SearchRequest request = SearchRequest.decode(encoded);
        rules.require(principal, tenant, request);
        if (request.terms().stream().mapToInt(List::size).sum() > settings.maxTrapdoors()) {
            throw ProblemException.malformed("a route has at most " + settings.maxTrapdoors()
                    + " trapdoors here: take fewer epochs or a shorter range");
        }
        return PreparedSearch.of(request, schemes);
    }

    private Installation body(HttpServletRequest request) throws IOException {
        int max = Math.toIntExact(settings.maxSearch().toBytes() * 4 / 3 + MAX_JSON_BESIDE_SEARCH);
        byte[] bytes = request.getInputStream().readNBytes(max + 1);
        if (bytes.length > max) {
            throw new ProblemException(
                    HttpStatus.CONTENT_TOO_LARGE,
                    "too-large",
                    "a route's search has at most " + settings.maxSearch().toBytes() + " bytes here");
        }
        try {
            return json.readValue(bytes, Installation.class);
        } catch (JacksonException e) {
            throw ProblemException.malformed(
                    "the body must be JSON: {\"search\": BASE64, \"action\": {\"type\": ..., \"target\": ...}}");
        }
    }

    private static List<Integer> rules(@Nullable List<Integer> given) {
        if (given == null) {
            return Route.FIRST_RULES;
        }
        boolean isUsable = !given.isEmpty()
                && given.size() <= MOST_RULES
                && given.stream().allMatch(each -> each != null && each > 0 && each <= GREATEST_RULES);
        if (!isUsable) {
            throw ProblemException.malformed("rules are 1 to " + MOST_RULES + " numbers from 1 to " + GREATEST_RULES);
        }
        return given.stream().distinct().sorted().toList();
    }

    private static RouteAction action(@Nullable Action action) {
        if (action == null || action.type() == null || action.target() == null) {
            throw ProblemException.malformed("action must have type and target");
        }
        try {
            return new RouteAction(RouteAction.Kind.of(action.type()), action.target());
        } catch (IllegalArgumentException e) {
            throw ProblemException.malformed("action: " + e.getMessage());
        }
    }

    private String freshSecret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return "vgw_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** All that the token may see, by name. */
    @GetMapping
    List<View> list(Principal principal, @PathVariable String tenant) {
        Tenant of = Rights.require(principal, Right.ROUTES, tenant, tenants);
        Map<UUID, ActionQueue.Counts> counts = actions.counts(tenant);
        Instant now = clock.instant();
        return routes.list(tenant).stream()
                .filter(route -> maySee(principal, route))
                .map(route -> view(route, of, counts.get(route.id()), null, now))
                .toList();
    }

    /** One. */
    @GetMapping("/{name}")
    View get(Principal principal, @PathVariable String tenant, @PathVariable String name) {
        Tenant of = Rights.require(principal, Right.ROUTES, tenant, tenants);
        Route route = find(principal, tenant, name);
        return view(route, of, actions.counts(tenant).get(route.id()), null, clock.instant());
    }

    /** Removes it, and what it has still to do. */
    @DeleteMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(Principal principal, @PathVariable String tenant, @PathVariable String name) {
        Rights.require(principal, Right.ROUTES, tenant, tenants);
        find(principal, tenant, name);
        routes.delete(tenant, name);
    }

    private Route find(Principal principal, String tenant, String name) {
        return routes.find(tenant, name)
                .filter(route -> maySee(principal, route))
                .orElseThrow(() -> ProblemException.notFound("the route"));
    }

    private static boolean maySee(Principal principal, Route route) {
        return route.scopes().stream().allMatch(principal::maySee);
    }

    private static View view(
            Route route, Tenant tenant, ActionQueue.@Nullable Counts counts, @Nullable String secret, Instant now) {
        ActionQueue.Counts known = counts == null ? ActionQueue.Counts.NONE : counts;
        return new View(
                route.name(),
                new Action(route.action().kind().label(), route.action().target()),
                route.installed(),
                RouteEnd.lastEpochEnds(route, tenant).orElse(null),
                new Actions(known.waiting(), known.done(), known.givenUp(), known.waitingSince()),
                known.last(),
                secret,
                route.rules(),
                RouteRules.isFormer(route, tenant),
                RouteEnd.warnings(route, tenant, now));
    }
}

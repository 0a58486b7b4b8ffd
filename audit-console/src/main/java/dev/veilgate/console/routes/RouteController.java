package dev.veilgate.console.routes;

import dev.veilgate.client.JsonObject;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.Name;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.rules.Approvals;
import dev.veilgate.console.rules.Authorizer;
import dev.veilgate.console.rules.Decision;
import dev.veilgate.issuing.EntryKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/routes")
class RouteController {
    private final RouteIssuer issuer;
    private final InstalledRoutes installed;
    private final Authorizer authorizer;
    private final Approvals approvals;
    private final Gateway gateway;
    private final AuditLog log;

    RouteController(
            RouteIssuer issuer,
            InstalledRoutes installed,
            Authorizer authorizer,
            Approvals approvals,
            Gateway gateway,
            AuditLog log) {
        this.issuer = issuer;
        this.installed = installed;
        this.authorizer = authorizer;
        this.approvals = approvals;
        this.gateway = gateway;
        this.log = log;
    }

    @GetMapping
    List<Route> list(User user) {
        user.require(Role.values());
        boolean isTold = user.is(Role.OPERATOR) || user.is(Role.APPROVER);
        return gateway.ask(client -> routes(client.routes(), isTold));
    }

    private List<Route> routes(List<JsonObject> all, boolean isTold) throws IOException {
        List<Route> routes = new ArrayList<>();
        for (JsonObject route : all) {
            routes.add(Route.of(route, installed.find(route.text("name")), isTold));
        }
        return routes;
    }

    /** Rules decide, as for a search. An approval is for this name, action and target. In place of one that is there, operators only. */
    @PostMapping
    ResponseEntity<?> install(User user, @RequestBody NewRoute wanted) throws Exception {
        user.require(Role.values());
        return issue(user, wanted);
    }

    /** A route that is to be issued again. */
    record Renewal(@Nullable String name, @Nullable String reason) {}

    /**
     * Issues a route again as it was asked for, by the present rules of keywords and for the present epochs. It is
     * allowed, approved and logged as it was when it was installed.
     */
    @PostMapping("/renew")
    ResponseEntity<?> renew(User user, @RequestBody Renewal wanted) throws Exception {
        user.require(Role.OPERATOR);
        String name = new Name(wanted.name()).required();
        Route.Known known = installed.find(name).orElseThrow(() -> ProblemException.notFound("the route"));
        Route there = gateway.ask(client -> routes(client.routes(), true)).stream()
                .filter(route -> route.name().equals(name))
                .findFirst()
                .orElseThrow(() -> ProblemException.notFound("the route"));
        if (!there.renewable()) {
            throw ProblemException.conflict(
                    "the query of this route is not known here: make it anew, with its query and under its name");
        }
        return issue(user, known.asked().orElseThrow().because(wanted.reason()));
    }

    private ResponseEntity<?> issue(User user, NewRoute wanted) throws Exception {
        wanted.check();
        issuer.replaces(user, wanted.checkedName()); // before anybody is asked to approve it
        Intent intent = issuer.read(user, wanted);
        String reason = Objects.requireNonNullElse(wanted.reason(), "");
        Decision decision = authorizer.authorise(user, intent, reason, wanted.about());
        return switch (decision.outcome()) {
            case REFUSED -> throw decision.refusal();
            case NEEDS_APPROVAL ->
                ResponseEntity.status(HttpStatus.ACCEPTED)
                        .body(decision.approval()
                                .flatMap(id -> approvals.find(user, id))
                                .orElseThrow());
            case ALLOWED ->
                ResponseEntity.status(HttpStatus.CREATED).body(issuer.install(user, wanted, intent, decision));
        };
    }

    @PostMapping("/remove")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(User user, @RequestBody Name wanted) {
        user.require(Role.OPERATOR);
        String name = wanted.required();
        gateway.ask(client -> {
            boolean isThere = false;
            for (JsonObject route : client.routes()) {
                isThere |= route.text("name").equals(name);
            }
            if (!isThere) {
                throw ProblemException.notFound("the route");
            }
            log.append(Entries.change(EntryKind.ROUTE_CHANGE, user.id(), "removed", name));
            client.removeRoute(name);
            return true;
        });
        installed.forget(name);
    }
}

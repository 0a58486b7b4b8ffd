package dev.veilgate.gateway.status;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Requests for endpoints of management other than health. Paths are read as the dispatcher reads them when it chooses
 * an endpoint, from the undecoded address segment by segment, so that no spelling is one thing here and another there.
 */
final class GuardedEndpoints implements Predicate<HttpServletRequest> {
    private static final EndpointId HEALTH = EndpointId.of("health");

    private final Supplier<PathMappedEndpoints> endpoints;

    /** @param endpoints asked with each request: at the start they are not known yet */
    GuardedEndpoints(Supplier<PathMappedEndpoints> endpoints) {
        this.endpoints = endpoints;
    }

    @Override
    public boolean test(HttpServletRequest request) {
        List<String> path = ServletRequestPathUtils.parse(request).pathWithinApplication().elements().stream()
                .filter(PathSegment.class::isInstance)
                .map(element -> ((PathSegment) element).valueToMatch())
                .toList();
        PathMappedEndpoints known = endpoints.get();
        String health = known.getPath(HEALTH);
        if (health != null && isBelow(path, health, String::equals)) {
            return false;
        }
        String base = known.getBasePath();
        return !segments(base).isEmpty() && isBelow(path, base, String::equalsIgnoreCase)
                || known.getAllPaths().stream().anyMatch(each -> isBelow(path, each, String::equalsIgnoreCase));
    }

    private static boolean isBelow(List<String> path, String root, BiPredicate<String, String> isSame) {
        List<String> start = segments(root);
        if (path.size() < start.size()) {
            return false;
        }
        for (int i = 0; i < start.size(); i++) {
            if (!isSame.test(path.get(i), start.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static List<String> segments(String path) {
        return Arrays.stream(path.split("/"))
                .filter(segment -> !segment.isEmpty())
                .toList();
    }
}

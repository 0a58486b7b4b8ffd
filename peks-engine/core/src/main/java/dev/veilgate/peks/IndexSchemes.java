package dev.veilgate.peks;

import dev.veilgate.encoding.MalformedEncodingException;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The schemes that this installation has, by id. */
public final class IndexSchemes {
    private final Map<String, IndexScheme> byId;

    private IndexSchemes(Map<String, IndexScheme> byId) {
        this.byId = byId;
    }

    /**
     * Loads every scheme that is registered as a service.
     *
     * @throws IllegalStateException if two have the same id
     */
    public static IndexSchemes load() {
        return new IndexSchemes(ServiceLoader.load(IndexScheme.class, IndexSchemes.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .collect(Collectors.toUnmodifiableMap(IndexScheme::id, Function.identity())));
    }

    /** Whether a scheme of this id is here. */
    public boolean isKnown(String id) {
        return byId.containsKey(id);
    }

    /** @throws MalformedEncodingException if there is no scheme of that id: ids come from untrusted bytes */
    public IndexScheme byId(String id) throws MalformedEncodingException {
        IndexScheme scheme = byId.get(id);
        if (scheme == null) {
            throw new MalformedEncodingException(
                    "scheme",
                    "must be one of " + byId.keySet().stream().sorted().toList());
        }
        return scheme;
    }
}

package dev.veilgate.sse;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/** All schemes on the class path. */
public final class SseSchemes {
    private SseSchemes() {}

    /** Each of them, by name. */
    public static List<SseScheme> all() {
        return ServiceLoader.load(SseScheme.class, SseScheme.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(SseScheme::id))
                .toList();
    }

    /**
     * The scheme of a name.
     *
     * @throws RefusedException if there is none; the message names those that there are
     */
    public static SseScheme of(String id) throws RefusedException {
        List<SseScheme> all = all();
        return all.stream()
                .filter(scheme -> scheme.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new RefusedException("there is no such scheme; there are "
                        + String.join(", ", all.stream().map(SseScheme::id).toList())));
    }
}

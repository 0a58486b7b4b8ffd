package dev.veilgate.sse;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The numbers that an archive was set up with. They are fixed for its life.
 *
 * @param values all parameters of the scheme, by name
 */
public record Parameters(SortedMap<String, Long> values) {
    /** Copies. */
    public Parameters {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    /** A scheme's defaults. */
    public static Parameters standard(SseScheme scheme) {
        try {
            return of(scheme, Map.of());
        } catch (RefusedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Some set, the others as they are by default.
     *
     * @throws RefusedException if the scheme has no such parameter, or a number is not allowed
     */
    public static Parameters of(SseScheme scheme, Map<String, Long> set) throws RefusedException {
        SortedMap<String, Long> values = new TreeMap<>();
        for (Parameter parameter : scheme.parameters()) {
            long value = set.getOrDefault(parameter.name(), parameter.standard());
            if (value < parameter.least() || value > parameter.most()) {
                throw new RefusedException(parameter.name() + " must be " + parameter.least() + " to "
                        + parameter.most() + ": " + parameter.help());
            }
            values.put(parameter.name(), value);
        }
        List<String> unknown =
                set.keySet().stream().filter(name -> !values.containsKey(name)).toList();
        if (!unknown.isEmpty()) {
            throw new RefusedException("the scheme " + scheme.id() + " has no parameter " + unknown.getFirst()
                    + "; it has " + (values.isEmpty() ? "none" : String.join(", ", values.keySet())));
        }
        return new Parameters(values);
    }

    /** The value of one that the scheme has. */
    public long get(String name) {
        Long value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no such parameter");
        }
        return value;
    }

    /** The same for a switch, which is 0 or 1. */
    public boolean isOn(String name) {
        return get(name) != 0;
    }
}

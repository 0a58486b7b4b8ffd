package dev.veilgate.extract.template;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The catalogues of many senders as one list of events, for the one who may open them: each event with all of its names, so that
 * a search for the event asks for each of them.
 *
 * <p>Names are of one event if a miner says that they are the same, or if their templates read the same, of whichever
 * sender. A name that two senders have is one name. Catalogues come in any order and more than once; within one
 * sender and generation the later version of an entry holds, and counts of generations and senders add up. All of it is as
 * the senders say: one that lies can give an event names that are another's, or hide one under another's template.
 */
public final class TemplateListing {
    /**
     * A kind of message.
     *
     * @param template        the template, as the name with the most messages has it
     * @param names           all of its names, in alphabetical order
     * @param senders         who has seen it, in alphabetical order
     * @param count           messages of all of its names
     * @param firstSeenMillis earliest of them, in milliseconds since 1970
     * @param lastSeenMillis  latest of them
     */
    public record Event(
            String template,
            List<TemplateName> names,
            List<String> senders,
            long count,
            long firstSeenMillis,
            long lastSeenMillis) {
        /** Copies the lists. */
        public Event {
            names = List.copyOf(names);
            senders = List.copyOf(senders);
        }

        @Override
        public String toString() {
            return "Event[hidden]";
        }
    }

    /** Whose entries have versions that can be compared. */
    private record Source(String sender, long generation) {}

    private record Known(Source source, TemplateEntry entry) {}

    private final Map<Source, Map<TemplateName, TemplateEntry>> entries = new HashMap<>();

    /** Adds what one sender has sealed. */
    public void add(String sender, TemplateCatalogue catalogue) {
        Map<TemplateName, TemplateEntry> ofSource =
                entries.computeIfAbsent(new Source(sender, catalogue.generation()), source -> new HashMap<>());
        for (TemplateEntry entry : catalogue.entries()) {
            ofSource.merge(entry.name(), entry, TemplateCatalogue::later);
        }
    }

    /** The events, those with the most messages first, of as many by template. */
    public List<Event> events() {
        List<Known> all = new ArrayList<>();
        entries.forEach((source, ofSource) -> ofSource.values().forEach(entry -> all.add(new Known(source, entry))));
        Map<String, String> parents = new HashMap<>();
        for (Known known : all) {
            String name = "name " + known.entry.name().value();
            join(parents, name, "template " + known.entry.template());
            known.entry.sameAs().ifPresent(other -> join(parents, name, "name " + other.value()));
        }
        Map<String, List<Known>> groups = new HashMap<>();
        for (Known known : all) {
            groups.computeIfAbsent(root(parents, "name " + known.entry.name().value()), root -> new ArrayList<>())
                    .add(known);
        }
        return groups.values().stream()
                .map(TemplateListing::event)
                .sorted(Comparator.comparingLong(Event::count).reversed().thenComparing(Event::template))
                .toList();
    }

    private static Event event(Collection<Known> group) {
        Comparator<TemplateEntry> shown = Comparator.comparingLong(TemplateEntry::count)
                .thenComparing(TemplateEntry::template, Comparator.reverseOrder());
        TemplateEntry most = group.stream().map(Known::entry).max(shown).orElseThrow();
        Set<String> names = new TreeSet<>();
        Set<String> senders = new TreeSet<>();
        long count = 0;
        for (Known known : group) {
            names.add(known.entry.name().value());
            senders.add(known.source.sender);
            count = saturated(count, known.entry.count());
        }
        return new Event(
                most.template(),
                names.stream().map(TemplateName::new).toList(),
                List.copyOf(senders),
                count,
                group.stream()
                        .mapToLong(known -> known.entry.firstSeenMillis())
                        .min()
                        .orElseThrow(),
                group.stream()
                        .mapToLong(known -> known.entry.lastSeenMillis())
                        .max()
                        .orElseThrow());
    }

    /** A sender can claim any count. */
    private static long saturated(long sum, long count) {
        return sum > Long.MAX_VALUE - count ? Long.MAX_VALUE : sum + count;
    }

    private static String root(Map<String, String> parents, String key) {
        String root = key;
        for (String up = parents.get(root); up != null; up = parents.get(root)) {
            root = up;
        }
        String at = key;
        while (!at.equals(root)) {
            String up = parents.put(at, root);
            at = up == null ? root : up;
        }
        return root;
    }

    private static void join(Map<String, String> parents, String one, String other) {
        String root = root(parents, one);
        String otherRoot = root(parents, other);
        if (!root.equals(otherRoot)) {
            parents.put(root, otherRoot);
        }
    }
}

package dev.veilgate.extract.template;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the names of one miner's templates stand for, or what has changed of it: sealed as a record of its own beside the log
 * records, of media type {@value #MEDIA_TYPE}.
 *
 * <p>Deterministic CBOR, integer keys:
 *
 * <pre>
 * catalogue = {0: 1 (format), 1: generation, 2: version, 3: [* entry]}               entries by name, each name once
 * entry     = {0: name, 1: template, 2: count, 3: first, 4: last, 5: version, ? 6: same as}
 * </pre>
 *
 * Generation and times are milliseconds since 1970. Catalogues of one generation are one miner's: of two entries of a name,
 * the one of the higher version holds. Contains words of messages: {@link #toString} hides them.
 */
public final class TemplateCatalogue {
    /** Media type of the record. */
    public static final String MEDIA_TYPE = "application/vnd.veilgate.templates+cbor";

    /** Most entries: as many as a miner knows, and as many that it has let go. */
    public static final int MAX_ENTRIES = 2 * TemplateSettings.MAX_TEMPLATES;

    /** Most bytes of a template in UTF-8. */
    public static final int MAX_TEMPLATE_BYTES = 3 * TemplateSettings.MAX_BYTES;

    private static final int FORMAT = 1;

    private final long generation;
    private final long version;
    private final List<TemplateEntry> entries;

    TemplateCatalogue(long generation, long version, Collection<TemplateEntry> entries) {
        List<TemplateEntry> sorted = new ArrayList<>(entries);
        sorted.sort(Comparator.comparing(entry -> entry.name().value()));
        this.generation = generation;
        this.version = version;
        this.entries = List.copyOf(sorted);
    }

    /** When the miner began. */
    public long generation() {
        return generation;
    }

    /** The miner's version up to which this catalogue speaks: what to give to {@link TemplateMiner#changesSince} next. */
    public long version() {
        return version;
    }

    /** The entries by name. */
    public List<TemplateEntry> entries() {
        return entries;
    }

    /** Whether there is nothing to seal. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /**
     * This catalogue and another of the same miner, in either order.
     *
     * @throws IllegalArgumentException if the other is of another generation
     */
    public TemplateCatalogue merge(TemplateCatalogue other) {
        if (generation != other.generation) {
            throw new IllegalArgumentException("catalogues of two generations are not one miner's");
        }
        Map<String, TemplateEntry> merged = new TreeMap<>();
        for (TemplateCatalogue catalogue : List.of(this, other)) {
            for (TemplateEntry entry : catalogue.entries) {
                merged.merge(entry.name().value(), entry, TemplateCatalogue::later);
            }
        }
        return new TemplateCatalogue(generation, Math.max(version, other.version), merged.values());
    }

    /** Of the same version the one with more messages: counts grow without a new version. */
    static TemplateEntry later(TemplateEntry one, TemplateEntry other) {
        if (one.version() != other.version()) {
            return one.version() > other.version() ? one : other;
        }
        return one.count() >= other.count() ? one : other;
    }

    /** The encoding. */
    public byte[] encode() {
        CborWriter out = new CborWriter(64 + 128 * entries.size());
        out.map(4).integer(0).integer(FORMAT);
        out.integer(1).integer(generation);
        out.integer(2).integer(version);
        out.integer(3).array(entries.size());
        for (TemplateEntry entry : entries) {
            write(out, entry);
        }
        return out.toByteArray();
    }

    static void write(CborWriter out, TemplateEntry entry) {
        out.map(entry.sameAs().isPresent() ? 7 : 6);
        out.integer(0).text(entry.name().value());
        out.integer(1).text(entry.template());
        out.integer(2).integer(entry.count());
        out.integer(3).integer(entry.firstSeenMillis());
        out.integer(4).integer(entry.lastSeenMillis());
        out.integer(5).integer(entry.version());
        entry.sameAs().ifPresent(name -> out.integer(6).text(name.value()));
    }

    /**
     * Reads an encoding.
     *
     * @throws MalformedEncodingException if it is none
     */
    public static TemplateCatalogue decode(byte[] encoding) throws MalformedEncodingException {
        CborReader in = new CborReader("templates", encoding);
        keys(in, "templates", in.map("templates", 4), 4);
        key(in, 0);
        if (in.uint("format", Integer.MAX_VALUE) != FORMAT) {
            throw in.malformed("format", "must be " + FORMAT);
        }
        key(in, 1);
        long generation = in.integer("generation");
        key(in, 2);
        long version = in.unsigned("version", Long.MAX_VALUE);
        key(in, 3);
        int size = in.array("entries", MAX_ENTRIES);
        List<TemplateEntry> entries = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            TemplateEntry entry = read(in, version);
            if (i > 0
                    && entries.get(i - 1).name().value().compareTo(entry.name().value()) >= 0) {
                throw in.malformed("entries", "must be in the order of their names, each once");
            }
            entries.add(entry);
        }
        in.end();
        return new TemplateCatalogue(generation, version, entries);
    }

    static TemplateEntry read(CborReader in, long maxVersion) throws MalformedEncodingException {
        int size = in.map("entry", 7);
        keys(in, "entry", size, 6);
        key(in, 0);
        TemplateName name = readName(in, "name");
        key(in, 1);
        String template = in.text("template", MAX_TEMPLATE_BYTES);
        key(in, 2);
        long count = in.unsigned("count", Long.MAX_VALUE);
        key(in, 3);
        long first = in.integer("first");
        key(in, 4);
        long last = in.integer("last");
        key(in, 5);
        long version = in.unsigned("version", maxVersion);
        Optional<TemplateName> sameAs = Optional.empty();
        if (size == 7) {
            key(in, 6);
            sameAs = Optional.of(readName(in, "same as"));
        }
        if (count < 1 || version < 1 || last < first) {
            throw in.malformed(
                    "entry", "must have a count and a version from 1 on, and its first time not after its last");
        }
        return new TemplateEntry(name, template, count, first, last, version, sameAs);
    }

    static TemplateName readName(CborReader in, String field) throws MalformedEncodingException {
        String name = in.text(field, TemplateName.MAX_LENGTH);
        if (!TemplateName.isName(name)) {
            throw in.malformed(field, "must have 1 to " + TemplateName.MAX_LENGTH + " of a-z, 0-9 and hyphen");
        }
        return new TemplateName(name);
    }

    private static void keys(CborReader in, String field, int size, int least) throws MalformedEncodingException {
        if (size < least) {
            throw in.malformed(field, "must have at least " + least + " fields");
        }
    }

    static void key(CborReader in, int key) throws MalformedEncodingException {
        if (in.uint("key", Integer.MAX_VALUE) != key) {
            throw in.malformed("key", "must be " + key);
        }
    }

    @Override
    public String toString() {
        return "TemplateCatalogue[hidden]";
    }
}

package dev.veilgate.extract.template;

import static dev.veilgate.extract.template.TemplateCatalogue.key;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a miner as deterministic CBOR:
 *
 * <pre>
 * state    = {0: 1 (format), 1: [settings], 2: generation, 3: version, 4: messages, 5: births,
 *             6: [* template] (seen once), 7: [* template] (seen again), 8: [* entry of the catalogue] (let go)}
 * template = [id, name, text, way, count, first, last, version, used, ? id of the older that it is the same as]
 * </pre>
 *
 * Templates are in the order of their last use. The tree is made again from them: the order of birth gives the order in a
 * leaf, {@code way} the keys on the way to it, which are hashes of {@link MaskedMessage}: another hash or other masking is another format.
 */
final class MinerState {
    private static final int FORMAT = 1;

    private MinerState() {}

    static byte[] encode(TemplateStore store) {
        CborWriter out = new CborWriter(256 + 192 * store.size());
        TemplateSettings settings = store.settings;
        out.map(9).integer(0).integer(FORMAT);
        out.integer(1).array(7);
        out.integer(settings.maxTemplates()).integer(settings.maxChildren()).integer(settings.maxLeafTemplates());
        out.integer(settings.maxBytes()).integer(settings.maxTokens());
        out.integer(settings.pathWords()).integer(settings.similarPermille());
        out.integer(2).integer(store.generation);
        out.integer(3).integer(store.version);
        out.integer(4).integer(store.messages);
        out.integer(5).integer(store.births);
        write(out.integer(6), store, store.untried);
        write(out.integer(7), store, store.tried);
        out.integer(8).array(store.gone.size());
        for (TemplateEntry entry : store.gone) {
            TemplateCatalogue.write(out, entry);
        }
        return out.toByteArray();
    }

    private static void write(CborWriter out, TemplateStore store, UseOrder order) {
        List<Template> templates = new ArrayList<>(order.size());
        order.addTo(templates);
        out.array(templates.size());
        for (Template template : templates) {
            Template same = template.same;
            out.array(same == null ? 9 : 10).integer(template.id).text(template.name.value());
            out.bytes(template.text);
            long[] way = store.tree.way(template.leaf);
            out.array(way.length);
            for (long key : way) {
                out.integer(key);
            }
            out.integer(template.count);
            out.integer(template.firstSeenMillis).integer(template.lastSeenMillis);
            out.integer(template.version).integer(template.used);
            if (same != null) {
                out.integer(same.id);
            }
        }
    }

    /** A template as it is read, before the tree is there. */
    private record Read(
            long id,
            TemplateName name,
            byte[] text,
            long[] hashes,
            long[] way,
            long count,
            long first,
            long last,
            long version,
            long used,
            long same,
            boolean tried) {}

    static TemplateStore decode(byte[] state) throws MalformedEncodingException {
        CborReader in = new CborReader("miner", state);
        if (in.map("miner", 9) != 9) {
            throw in.malformed("miner", "must have 9 fields");
        }
        key(in, 0);
        if (in.uint("format", Integer.MAX_VALUE) != FORMAT) {
            throw in.malformed("format", "must be " + FORMAT);
        }
        key(in, 1);
        TemplateSettings settings = settings(in);
        key(in, 2);
        TemplateStore store = new TemplateStore(settings, in.integer("generation"));
        key(in, 3);
        store.version = in.unsigned("version", Long.MAX_VALUE);
        key(in, 4);
        store.messages = in.unsigned("messages", Long.MAX_VALUE);
        key(in, 5);
        store.births = in.unsigned("births", Long.MAX_VALUE);
        List<Read> templates = new ArrayList<>();
        key(in, 6);
        read(in, store, false, templates);
        key(in, 7);
        read(in, store, true, templates);
        key(in, 8);
        int gone = in.array("gone", settings.maxTemplates());
        for (int i = 0; i < gone; i++) {
            store.gone.add(TemplateCatalogue.read(in, store.version));
        }
        in.end();
        restore(in, store, templates);
        return store;
    }

    private static TemplateSettings settings(CborReader in) throws MalformedEncodingException {
        if (in.array("settings", 7) != 7) {
            throw in.malformed("settings", "must have 7 values");
        }
        int[] values = new int[7];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.uint("settings", Integer.MAX_VALUE);
        }
        try {
            return new TemplateSettings(values[0], values[1], values[2], values[3], values[4], values[5], values[6]);
        } catch (IllegalArgumentException e) {
            throw in.malformed("settings", "must be in their ranges");
        }
    }

    private static void read(CborReader in, TemplateStore store, boolean tried, List<Read> templates)
            throws MalformedEncodingException {
        int max = store.settings.maxTemplates();
        int size = in.array("templates", (tried ? max / 4 * 3 : max) - (tried ? 0 : templates.size()));
        if (size + templates.size() > max) {
            throw in.malformed("templates", "must be at most " + max);
        }
        for (int i = 0; i < size; i++) {
            templates.add(read(in, store, tried));
        }
    }

    private static Read read(CborReader in, TemplateStore store, boolean tried) throws MalformedEncodingException {
        int size = in.array("template", 10);
        if (size < 9) {
            throw in.malformed("template", "must have 9 or 10 values");
        }
        long id = in.unsigned("id", store.births - 1);
        TemplateName name = TemplateCatalogue.readName(in, "name");
        byte[] text = in.bytes("text", store.settings.maxBytes());
        if (!isMasked(text)) {
            throw in.malformed("text", "must be tokens with one blank between them");
        }
        long[] hashes = Template.hashesOf(text);
        if (hashes.length > store.settings.maxTokens()) {
            throw in.malformed("text", "must have at most " + store.settings.maxTokens() + " tokens");
        }
        long[] way = new long[store.settings.pathWords()];
        if (in.array("way", way.length) != way.length) {
            throw in.malformed("way", "must have " + way.length + " keys");
        }
        for (int i = 0; i < way.length; i++) {
            way[i] = in.integer("way");
        }
        long count = in.unsigned("count", Long.MAX_VALUE);
        long first = in.integer("first");
        long last = in.integer("last");
        long version = in.unsigned("version", store.version);
        long used = in.unsigned("used", store.messages);
        long same = size == 10 ? in.unsigned("same", Long.MAX_VALUE) : -1;
        if (count < 1 || version < 1 || last < first || same >= id) {
            throw in.malformed("template", "must have a count, times and an older template that are possible");
        }
        return new Read(id, name, text, hashes, way, count, first, last, version, used, same, tried);
    }

    private static boolean isMasked(byte[] text) {
        byte before = ' ';
        for (byte b : text) {
            if (b == ' ' ? before == ' ' : b > 0 && b < ' ' || b == 127) {
                return false;
            }
            before = b;
        }
        return text.length == 0 || before != ' ';
    }

    /** Makes the tree in the order of birth, then what points from one template to another, then the order of use. */
    private static void restore(CborReader in, TemplateStore store, List<Read> inUse)
            throws MalformedEncodingException {
        Map<Long, Template> byId = new HashMap<>();
        List<Read> byBirth = new ArrayList<>(inUse);
        byBirth.sort(Comparator.comparingLong(Read::id));
        for (Read read : byBirth) {
            Node leaf = store.tree.leaf(read.hashes.length, read.way);
            if (leaf.size() == store.settings.maxLeafTemplates()) {
                throw in.malformed("templates", "must be at most " + leaf.size() + " in a leaf");
            }
            Template template = new Template(read.id, read.name, read.first, leaf, read.text, read.hashes);
            template.lastSeenMillis = read.last;
            template.count = read.count;
            template.version = read.version;
            template.used = read.used;
            template.tried = read.tried;
            leaf.add(template);
            if (byId.put(read.id, template) != null) {
                throw in.malformed("id", "must be of one template");
            }
            @Nullable Template same = read.same < 0 ? null : byId.get(read.same);
            if (read.same >= 0 && (same == null || same.hashes.length != template.hashes.length)) {
                throw in.malformed("same", "must be the id of an older template of as many tokens");
            }
            if (!store.restore(template, same)) {
                throw in.malformed("templates", "must differ in name");
            }
        }
        for (Read read : inUse) {
            Template template = byId.get(read.id);
            if (template != null) {
                store.order(template).add(template);
            }
        }
    }
}

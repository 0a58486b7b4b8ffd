package dev.veilgate.extract.template;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The templates that a {@link TemplateMiner} knows: which to let go, which have become the same, what has changed since. */
final class TemplateStore {
    final TemplateSettings settings;

    /** When the miner began, in milliseconds since 1970: versions of another beginning are others. */
    final long generation;

    final TemplateTree tree;
    private final Map<TemplateName, Template> names = new HashMap<>();
    private final Map<Long, Template> byTokens = new HashMap<>();

    /** Those that were seen once, or not for long, and the others: at most three quarters of all. */
    final UseOrder untried = new UseOrder();

    final UseOrder tried = new UseOrder();

    /** The last that were let go, for the catalogue. */
    final Deque<TemplateEntry> gone = new ArrayDeque<>();

    long version;
    /** As {@link #version}, without changes of counts. */
    long shapes;

    long messages;
    long births;

    TemplateStore(TemplateSettings settings, long generation) {
        this.settings = settings;
        this.generation = generation;
        this.tree = new TemplateTree(settings);
    }

    private void changed(Template template) {
        template.version = ++version;
        shapes++;
    }

    int size() {
        return untried.size() + tried.size();
    }

    @Nullable
    Template named(TemplateName name) {
        return names.get(name);
    }

    void generalise(Template template, long[] message) {
        if (template.fits(message)) {
            return;
        }
        if (template.same == null) {
            byTokens.remove(template.tokensHash(), template);
        }
        template.generalise(message);
        changed(template);
        if (template.same == null) {
            register(template);
        }
    }

    /** Notes the template by its tokens, and that it is the same as another if there is one of the same tokens. */
    void register(Template template) {
        Template other = byTokens.putIfAbsent(template.tokensHash(), template);
        if (other == null || other == template || !other.sameTokens(template)) {
            return;
        }
        Template older = other.id < template.id ? other : template;
        Template younger = older == other ? template : other;
        younger.same = older;
        older.stubs++;
        changed(younger);
        byTokens.put(older.tokensHash(), older);
    }

    /** Notes that the template was used just now. */
    void use(Template template) {
        template.used = messages;
        if (template.tried) {
            tried.touch(template);
            return;
        }
        untried.remove(template);
        template.tried = true;
        tried.add(template);
        Template last = tried.oldest();
        if (tried.size() > settings.maxTemplates() / 4 * 3 && last != null) {
            tried.remove(last);
            last.tried = false;
            untried.add(last);
        }
    }

    /** A new template, for which another one may have to go. */
    Template birth(TemplateName name, MaskedMessage message, long atMillis) {
        makeRoom(message);
        Node leaf = tree.leaf(message);
        Template born = new Template(births++, name, atMillis, leaf, message.copyOfText(), message.copyOfHashes());
        born.count = 1;
        born.used = messages;
        changed(born);
        add(born);
        register(born);
        return born;
    }

    /** In the leaf and in all; whoever goes may take nodes away, so the message may come to another leaf then. */
    private void makeRoom(MaskedMessage message) {
        while (true) {
            Node leaf = tree.leafIfPresent(message);
            if (leaf != null && leaf.size() == settings.maxLeafTemplates()) {
                letGo(leaf.leastUsed());
            } else if (size() == settings.maxTemplates()) {
                Template last = untried.oldest();
                letGo(Objects.requireNonNull(last != null ? last : tried.oldest()));
            } else {
                return;
            }
        }
    }

    private void add(Template template) {
        template.leaf.add(template);
        names.put(template.name, template);
        order(template).add(template);
    }

    /** The order of use that the template is in. */
    UseOrder order(Template template) {
        return template.tried ? tried : untried;
    }

    /** Takes back a template that hangs in its leaf already; false if there is another of its name. */
    boolean restore(Template template, @Nullable Template same) {
        template.same = same;
        if (same != null) {
            same.stubs++;
        }
        if (same == null) {
            byTokens.putIfAbsent(template.tokensHash(), template);
        }
        return names.putIfAbsent(template.name, template) == null;
    }

    private void letGo(Template template) {
        order(template).remove(template);
        template.leaf.remove(template);
        names.remove(template.name);
        if (template.same == null) {
            byTokens.remove(template.tokensHash(), template);
        } else {
            template.same.stubs--;
        }
        if (gone.size() == settings.maxTemplates()) {
            gone.removeFirst();
        }
        gone.add(entry(template));
        if (template.stubs > 0) {
            for (Template stub : templates()) {
                if (stub.same == template) {
                    stub.same = null;
                    changed(stub);
                    register(stub);
                }
            }
        }
    }

    /** All, by last use, those seen once first. */
    List<Template> templates() {
        List<Template> all = new ArrayList<>(size());
        untried.addTo(all);
        tried.addTo(all);
        return all;
    }

    private static TemplateEntry entry(Template template) {
        return new TemplateEntry(
                template.name,
                template.display(),
                template.count,
                template.firstSeenMillis,
                template.lastSeenMillis,
                template.version,
                Optional.ofNullable(template.same).map(same -> same.name));
    }

    /** What has changed after a version. */
    Collection<TemplateEntry> changesSince(long since) {
        Map<TemplateName, TemplateEntry> changes = new HashMap<>();
        if (since < version) {
            for (TemplateEntry entry : gone) {
                if (entry.version() > since) {
                    changes.put(entry.name(), entry);
                }
            }
            for (Template template : templates()) {
                if (template.version > since) {
                    changes.put(template.name, entry(template));
                }
            }
        }
        return changes.values();
    }
}

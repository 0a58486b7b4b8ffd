package dev.veilgate.extract.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list of templates by last use; the links are in the templates. */
final class UseOrder {
    private @Nullable Template oldest;
    private @Nullable Template newest;
    private int size;

    int size() {
        return size;
    }

    @Nullable
    Template oldest() {
        return oldest;
    }

    /** Puts a template that is in no list at the end. */
    void add(Template template) {
        template.older = newest;
        template.newer = null;
        if (newest == null) {
            oldest = template;
        } else {
            newest.newer = template;
        }
        newest = template;
        size++;
    }

    void remove(Template template) {
        Template before = template.older;
        Template after = template.newer;
        if (before == null) {
            oldest = after;
        } else {
            before.newer = after;
        }
        if (after == null) {
            newest = before;
        } else {
            after.older = before;
        }
        template.older = null;
        template.newer = null;
        size--;
    }

    /** Appends all, oldest first. */
    void addTo(List<Template> all) {
        for (Template template = oldest; template != null; template = template.newer) {
            all.add(template);
        }
    }

    /** Used just now. */
    void touch(Template template) {
        if (template != newest) {
            remove(template);
            add(template);
        }
    }
}

package dev.veilgate.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An add-on in a running Thunderbird, and what it shows beside a mail. */
public final class ThunderbirdAddOn {
    private static final String LOOK = """
            const pane = window.veilgateMail.document.getElementById("messageBrowser").contentDocument
                .getElementById("messagepane");
            const page = pane.contentDocument;
            const host = page.getElementById(arguments[0]);
            const drawn = host && host.openOrClosedShadowRoot;
            if (!drawn || !drawn.firstElementChild) {
              return null;
            }
            const all = [...drawn.querySelectorAll("*")];
            const box = host.getBoundingClientRect();
            const left = box.left + 12, top = box.top + 12;
            return {
              text: drawn.firstElementChild.innerText,
              elements: [...new Set(all.map(each => each.localName))].sort(),
              isOnTop: box.height > 0 && page.elementFromPoint(left, top) === host,
              isInside: box.left >= 0 && box.top >= 0 && box.height <= pane.clientHeight
                  && all.every(each => each.getBoundingClientRect().right <= pane.clientWidth),
            };
            """;

    private final Thunderbird thunderbird;
    private final String id;

    /**
     * The part of a window that an add-on drew above the text of a mail.
     *
     * @param text     of it
     * @param elements names of the elements that it is made of, each once
     * @param isOnTop  whether nothing of the mail covers it
     * @param isInside whether it is in the window, as a whole
     */
    public record Notice(String text, List<String> elements, boolean isOnTop, boolean isInside) {}

    /**
     * A mail with what an add-on says of it.
     *
     * @param mail   the window, without the add-on's part of it
     * @param notice empty if there is none
     */
    public record Shown(Thunderbird.Shown mail, Optional<Notice> notice) {}

    ThunderbirdAddOn(Thunderbird thunderbird, String id) {
        this.thunderbird = thunderbird;
        this.id = id;
    }

    /** The name in the manifest of the add-on. */
    public String id() {
        return id;
    }

    /**
     * Opens a mail, and closes it when its window says no more.
     *
     * @param mail    as a server keeps it
     * @param element id of the element that the add-on draws in
     * @param picture where a photograph of the window goes, a PNG; null for none
     */
    public Shown open(byte[] mail, String element, @Nullable Path picture) throws IOException, InterruptedException {
        List<String> before = thunderbird.windows();
        Thunderbird.Shown window = Thunderbird.shown(thunderbird.show(mail));
        JsonNode seen = thunderbird.script(LOOK, element);
        if (picture != null) {
            thunderbird.photograph(before, picture);
        }
        thunderbird.closeMail();
        return new Shown(window, seen.isNull() ? Optional.empty() : Optional.of(notice(seen)));
    }

    private static Notice notice(JsonNode seen) {
        return new Notice(
                seen.get("text").asText(),
                Thunderbird.texts(seen.get("elements")),
                seen.get("isOnTop").asBoolean(),
                seen.get("isInside").asBoolean());
    }
}

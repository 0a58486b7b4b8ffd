package dev.veilgate.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An add-on in a running Thunderbird, and what it shows beside a mail. */
public final class ThunderbirdAddOn {
    /** The document around a mail: of the window that it was opened in, or of the main one. */
    private static final String SHOWN = """
            const shown = window.veilgateMail && !window.veilgateMail.closed
                ? window.veilgateMail.document.getElementById("messageBrowser").contentDocument
                : document.getElementById("tabmail").currentAboutMessage.document;
            """;

    private static final String LOOK = SHOWN + """
            const pane = shown.getElementById("messagepane");
            const page = pane.contentDocument;
            const host = page && page.getElementById(arguments[0]);
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

    private static final String BUTTON = SHOWN + """
            const button = shown.querySelector("#header-view-toolbar [data-extensionid='" + arguments[0] + "']");
            """;

    private static final String PRESS = BUTTON + "button.click();";

    private static final String LOOK_AT_BUTTON = BUTTON + "return button.getAttribute('badge') || '';";

    /** The popup is in a process of its own: a script in it sends its text. */
    private static final String LOOK_AT_POPUP = """
            const around = window.veilgateMail && !window.veilgateMail.closed ? window.veilgateMail : window;
            const open = around.document.querySelector(".webextension-popup-browser");
            if (!open || !open.messageManager) {
              return null;
            }
            if (!window.veilgatePopup || window.veilgatePopup.of !== open) {
              const popup = { of: open, text: "" };
              window.veilgatePopup = popup;
              open.messageManager.addMessageListener("veilgate", message => popup.text = message.data);
            }
            const send = "sendAsyncMessage('veilgate', content.document.body ? content.document.body.innerText : '')";
            open.messageManager.loadFrameScript("data:," + send, false);
            return window.veilgatePopup.text || null;
            """;

    private static final String END_BACKGROUND = """
            const extension = WebExtensionPolicy.getByID(arguments[0]).extension;
            extension.terminateBackground();
            return extension.backgroundState;
            """;

    private static final String IS_BACKGROUND_ENDED =
            "return WebExtensionPolicy.getByID(arguments[0]).extension.backgroundState == 'stopped';";

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
     * @param badge  on the add-on's button; empty if there is none
     */
    public record Shown(Thunderbird.Shown mail, Optional<Notice> notice, String badge) {}

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
        return opened(thunderbird.show(mail), before, element, picture);
    }

    /** Does the same with a mail in a file. */
    public Shown openFile(byte[] mail, String element, @Nullable Path picture)
            throws IOException, InterruptedException {
        List<String> before = thunderbird.windows();
        return opened(thunderbird.showFile(mail), before, element, picture);
    }

    /**
     * Opens a mail that the add-on says something of, waits for that, and closes the mail.
     *
     * @param mail    as a server keeps it
     * @param element id of the element that the add-on draws in
     * @param picture where a photograph of the window goes, a PNG
     */
    public Notice openUntilNotice(byte[] mail, String element, Path picture) throws IOException, InterruptedException {
        List<String> before = thunderbird.windows();
        thunderbird.show(mail);
        JsonNode seen = thunderbird.awaited(LOOK, element);
        thunderbird.photograph(before, picture);
        thunderbird.closeMail();
        return notice(seen);
    }

    private Shown opened(JsonNode looked, List<String> before, String element, @Nullable Path picture)
            throws IOException {
        Thunderbird.Shown window = Thunderbird.shown(looked);
        JsonNode seen = thunderbird.script(LOOK, element);
        if (picture != null) {
            thunderbird.photograph(before, picture);
        }
        String badge = thunderbird.script(LOOK_AT_BUTTON, id).asText();
        thunderbird.closeMail();
        return new Shown(window, seen.isNull() ? Optional.empty() : Optional.of(notice(seen)), badge);
    }

    /**
     * Shows a mail below the list of mails.
     *
     * @param mail    as a server keeps it
     * @param element id of the element that the add-on draws in
     * @param text    that it draws at last
     */
    public Notice showInMainWindow(byte[] mail, String element, String text) throws IOException, InterruptedException {
        thunderbird.showInMainWindow(mail);
        return notice(thunderbird.awaited(
                LOOK.replace("return {", "return drawn.firstElementChild.innerText.includes(arguments[1]) && {"),
                element,
                text));
    }

    /**
     * Shows a mail below the list of mails, which the add-on says nothing of, and waits until it drew nothing for a
     * while.
     *
     * @return the badge on its button
     */
    public String showWithoutNotice(byte[] mail, String element) throws IOException, InterruptedException {
        thunderbird.showInMainWindow(mail);
        for (int i = 0; i < 20; i++) {
            JsonNode seen = thunderbird.script(LOOK, element);
            if (!seen.isNull()) {
                throw new IOException("there is a notice: " + seen);
            }
            Thread.sleep(100);
        }
        return thunderbird.script(LOOK_AT_BUTTON, id).asText();
    }

    /** The text that the add-on's button opens beside a mail. */
    public String popup(byte[] mail) throws IOException, InterruptedException {
        thunderbird.show(mail);
        String text = popupInMainWindow();
        thunderbird.closeMail();
        return text;
    }

    /** The text that the add-on's button opens beside the mail that is shown. */
    public String popupInMainWindow() throws IOException, InterruptedException {
        thunderbird.script(PRESS, id);
        return thunderbird.awaited(LOOK_AT_POPUP).asText();
    }

    /** Ends the add-on's background page, as Thunderbird does when it is idle for half a minute. */
    public void endBackground() throws IOException, InterruptedException {
        thunderbird.script(END_BACKGROUND, id);
        thunderbird.awaited(IS_BACKGROUND_ENDED, id);
    }

    /** The same add-on in a Thunderbird that was started again. */
    public ThunderbirdAddOn in(Thunderbird restarted) {
        return new ThunderbirdAddOn(restarted, id);
    }

    private static Notice notice(JsonNode seen) {
        return new Notice(
                seen.get("text").asText(),
                Thunderbird.texts(seen.get("elements")),
                seen.get("isOnTop").asBoolean(),
                seen.get("isInside").asBoolean());
    }
}

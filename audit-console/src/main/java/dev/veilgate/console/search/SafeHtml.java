package dev.veilgate.console.search;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.safety.Cleaner;
import org.jsoup.safety.Safelist;

/**
 * A mail's HTML with what shows text, and nothing that runs, asks for input or fetches: to be shown in a frame without rights besides.
 *
 * @param removed what was taken out, to be said to the reader
 */
record SafeHtml(String html, List<String> removed) {
    private static final Pattern REMOTE = Pattern.compile("(?i)^\\s*(?:https?:|ftp:|//).*");

    /** Text, tables and lists. Links are text; where they lead is their title. */
    private static final Safelist ALLOWED = Safelist.relaxed()
            .removeTags("img", "a")
            .addTags("a", "hr", "center", "font", "s")
            .addAttributes("a", "title")
            .removeAttributes("blockquote", "cite")
            .removeAttributes("q", "cite");

    static SafeHtml of(String html) {
        Document document = Jsoup.parse(html);
        List<String> removed = new ArrayList<>();
        say(removed, document.select("script").size(), "script", "scripts");
        say(
                removed,
                (int) document.select("img, image, picture, video, audio, source, bgsound").stream()
                        .filter(SafeHtml::isRemote)
                        .count(),
                "remote image or sound",
                "remote images and sounds");
        say(
                removed,
                (int) document.select("img").stream()
                        .filter(image -> !isRemote(image))
                        .count(),
                "embedded image",
                "embedded images");
        say(removed, document.select("form, input, button, textarea, select").size(), "form field", "form fields");
        say(
                removed,
                document.select("iframe, frame, object, embed, applet, meta[http-equiv=refresh], base, link")
                        .size(),
                "reference to something elsewhere",
                "references to something elsewhere");
        say(removed, document.select("style, [style]").size(), "style", "styles");
        long handlers = document.getAllElements().stream()
                .flatMap(element -> element.attributes().asList().stream())
                .filter(attribute -> attribute.getKey().startsWith("on"))
                .count();
        say(removed, (int) handlers, "event handler", "event handlers");
        for (Element link : document.select("a[href]")) {
            link.attr("title", link.attr("href"));
        }
        Document safe = new Cleaner(ALLOWED).clean(document);
        safe.outputSettings().prettyPrint(false);
        return new SafeHtml(safe.body().html(), List.copyOf(removed));
    }

    private static boolean isRemote(Element element) {
        return REMOTE.matcher(element.attr("src")).matches()
                || REMOTE.matcher(element.attr("srcset")).matches();
    }

    private static void say(List<String> removed, int count, String one, String several) {
        if (count > 0) {
            removed.add(count + " " + (count == 1 ? one : several));
        }
    }

    @Override
    public String toString() {
        return "SafeHtml[hidden]";
    }
}

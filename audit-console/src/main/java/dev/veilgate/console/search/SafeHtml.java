package dev.veilgate.console.search;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
        return of(List.of(html));
    }

    /** Several texts, each read by itself: what one leaves open hides nothing of the next. */
    static SafeHtml of(List<String> texts) {
        List<Document> documents = texts.stream().map(Jsoup::parse).toList();
        List<String> removed = new ArrayList<>();
        say(removed, documents, "script", element -> true, "script", "scripts");
        say(
                removed,
                documents,
                "img, image, picture, video, audio, source, bgsound",
                SafeHtml::isRemote,
                "remote image or sound",
                "remote images and sounds");
        say(removed, documents, "img", image -> !isRemote(image), "embedded image", "embedded images");
        say(removed, documents, "form, input, button, textarea, select", element -> true, "form field", "form fields");
        say(
                removed,
                documents,
                "iframe, frame, object, embed, applet, meta[http-equiv=refresh], base, link",
                element -> true,
                "reference to something elsewhere",
                "references to something elsewhere");
        say(removed, documents, "style, [style]", element -> true, "style", "styles");
        long handlers = documents.stream()
                .flatMap(document -> document.getAllElements().stream())
                .flatMap(element -> element.attributes().asList().stream())
                .filter(attribute -> attribute.getKey().startsWith("on"))
                .count();
        say(removed, (int) handlers, "event handler", "event handlers");
        String html = documents.stream().map(SafeHtml::cleaned).collect(Collectors.joining("<hr>"));
        return new SafeHtml(html, List.copyOf(removed));
    }

    private static String cleaned(Document document) {
        for (Element link : document.select("a[href]")) {
            link.attr("title", link.attr("href"));
        }
        Document safe = new Cleaner(ALLOWED).clean(document);
        safe.outputSettings().prettyPrint(false);
        return safe.body().html();
    }

    private static void say(
            List<String> removed,
            List<Document> documents,
            String selector,
            Predicate<Element> which,
            String one,
            String several) {
        long count = documents.stream()
                .flatMap(document -> document.select(selector).stream())
                .filter(which)
                .count();
        say(removed, (int) count, one, several);
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

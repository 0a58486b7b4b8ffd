package dev.veilgate.extract.mail;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What stands in a text beside the words that a reader sees, and the text without it. */
enum TextForm {
    PLAIN,
    HTML,
    XML,
    ENRICHED,
    DIRECTORY;

    private static final Set<String> HTML_TYPES =
            Set.of("text/html", "application/xhtml+xml", "text/x-amp-html", "text/watch-html");
    private static final Set<String> DIRECTORY_TYPES = Set.of(
            "text/calendar",
            "text/x-vcalendar",
            "application/ics",
            "text/vcard",
            "text/x-vcard",
            "text/directory",
            "application/vcard");

    /**
     * The forms that a body is read in. Several where the text as it is written was always found, and where it is not clear what it is.
     *
     * @param declared all types that the header gives
     */
    static Set<TextForm> of(String type, List<ContentType> declared) {
        Set<TextForm> forms = EnumSet.noneOf(TextForm.class);
        add(type, forms);
        for (ContentType more : declared) {
            add(more.type(), forms);
            if (more.isDoubtful()) {
                forms.add(PLAIN);
                forms.add(HTML);
            }
        }
        return forms;
    }

    private static void add(String type, Set<TextForm> forms) {
        if (HTML_TYPES.contains(type)) {
            forms.add(HTML);
        } else if (isXml(type) || type.equals("text/xml")) {
            forms.add(XML);
        } else if (type.equals("text/enriched")) {
            forms.addAll(List.of(XML, ENRICHED));
        } else if (type.equals("text/richtext")) {
            forms.addAll(List.of(PLAIN, ENRICHED));
        } else if (DIRECTORY_TYPES.contains(type)) {
            forms.addAll(List.of(PLAIN, DIRECTORY));
        } else {
            forms.add(PLAIN);
        }
    }

    static boolean isXml(String type) {
        return type.equals("application/xml") || type.startsWith("application/") && type.endsWith("+xml");
    }

    static boolean isDirectory(String type) {
        return DIRECTORY_TYPES.contains(type);
    }

    /** Whether there is anything in the text that this form would take away. */
    boolean mayBe(String written) {
        return this != HTML || written.indexOf('<') >= 0 || written.indexOf('&') >= 0;
    }

    String text(String written) {
        return switch (this) {
            case PLAIN -> written;
            case HTML -> HtmlText.ofHtml(written);
            case XML -> HtmlText.ofXml(written);
            case ENRICHED -> EnrichedText.of(written);
            case DIRECTORY -> DirectoryText.of(written);
        };
    }
}

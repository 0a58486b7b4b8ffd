package dev.veilgate.extract.mail;

import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.nodes.DataNode;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.select.NodeVisitor;

/** The text of HTML or XML: what a reader sees, the title, and texts that stand for pictures; not scripts, styles, addresses of links. */
final class HtmlText {
    private static final int MAX_DEPTH = 256;
    private static final Set<String> INLINE = Set.of(
            "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
            "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr");

    /** What begins a line or a field of its own. Whatever else stands inside a word leaves it whole for who reads it: elements that no program knows, scripts, pictures without size. */
    private static final Set<String> BLOCKS = Set.of(
            "address",
            "article",
            "aside",
            "blockquote",
            "body",
            "br",
            "button",
            "caption",
            "center",
            "col",
            "colgroup",
            "dd",
            "details",
            "dialog",
            "dir",
            "div",
            "dl",
            "dt",
            "fieldset",
            "figcaption",
            "figure",
            "footer",
            "form",
            "frame",
            "frameset",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "head",
            "header",
            "hgroup",
            "hr",
            "html",
            "legend",
            "li",
            "listing",
            "main",
            "menu",
            "nav",
            "ol",
            "optgroup",
            "option",
            "p",
            "plaintext",
            "pre",
            "search",
            "section",
            "select",
            "summary",
            "table",
            "tbody",
            "td",
            "textarea",
            "tfoot",
            "th",
            "thead",
            "tr",
            "ul",
            "xmp");

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    /** Of a style that hides what it is given to. */
    private static final Pattern HIDING =
            Pattern.compile("display:none|font-size:0(?![.]?0*[1-9])", Pattern.CASE_INSENSITIVE);

    private static final Pattern IN_LINE = Pattern.compile("display:inline", Pattern.CASE_INSENSITIVE);

    /** Divides words for those who search for the parts, and is nothing for those who search for the whole. */
    private static final char INVISIBLE = '\u200b';

    private HtmlText() {}

    static String ofHtml(String html) {
        return text(Parser.htmlParser().setMaxDepth(MAX_DEPTH), html, true);
    }

    /** Entities that the document defines are not expanded. */
    static String ofXml(String xml) {
        return text(Parser.xmlParser().setMaxDepth(MAX_DEPTH), xml, false);
    }

    private static String text(Parser parser, String markup, boolean html) {
        StringBuilder seen = new StringBuilder();
        StringBuilder hidden = new StringBuilder();
        parser.parseInput(markup, "").traverse(new NodeVisitor() {
            private int hiding;

            private StringBuilder text() {
                return hiding > 0 ? hidden : seen;
            }

            @Override
            public void head(Node node, int depth) {
                if (node instanceof TextNode words) {
                    text().append(words.getWholeText());
                } else if (node instanceof Element element) {
                    separate(element, html, text());
                    hiding += html && isHidden(element) ? 1 : 0;
                    String alternative = element.attr("alt");
                    if (!alternative.isEmpty()) {
                        hidden.append('\n').append(alternative).append('\n');
                    }
                } else if (node instanceof DataNode) {
                    text().append(html ? INVISIBLE : '\n');
                }
            }

            @Override
            public void tail(Node node, int depth) {
                if (node instanceof Element element) {
                    if (html && isHidden(element)) {
                        hidden.append('\n');
                        hiding--;
                    }
                    separate(element, html, text());
                }
            }
        });
        return hidden.isEmpty()
                ? seen.toString()
                : seen.append('\n').append(hidden).toString();
    }

    /** Whether nobody sees what is in an element, so that what is before and behind it is one word. Read all the same. */
    private static boolean isHidden(Element element) {
        String name = element.normalName();
        return element.hasAttr("hidden")
                || name.equals("template")
                || name.equals("title")
                || HIDING.matcher(style(element)).find();
    }

    private static String style(Element element) {
        String style = element.attr("style");
        return style.isEmpty() ? "" : BLANKS.matcher(style).replaceAll("");
    }

    private static void separate(Element element, boolean html, StringBuilder text) {
        String name = element.normalName();
        if (INLINE.contains(name)) {
            return;
        }
        boolean line = !html
                || BLOCKS.contains(name) && !IN_LINE.matcher(style(element)).find();
        text.append(line ? '\n' : INVISIBLE);
    }
}

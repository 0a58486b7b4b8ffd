package dev.veilgate.extract.mail;

import java.util.Set;
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

    private HtmlText() {}

    static String ofHtml(String html) {
        return text(Parser.htmlParser().setMaxDepth(MAX_DEPTH), html);
    }

    /** Entities that the document defines are not expanded. */
    static String ofXml(String xml) {
        return text(Parser.xmlParser().setMaxDepth(MAX_DEPTH), xml);
    }

    private static String text(Parser parser, String markup) {
        StringBuilder text = new StringBuilder();
        parser.parseInput(markup, "").traverse(new NodeVisitor() {
            @Override
            public void head(Node node, int depth) {
                if (node instanceof TextNode words) {
                    text.append(words.getWholeText());
                } else if (node instanceof Element element) {
                    separate(element, text);
                    String alternative = element.attr("alt");
                    if (!alternative.isEmpty()) {
                        text.append(' ').append(alternative).append(' ');
                    }
                } else if (node instanceof DataNode) {
                    text.append('\n');
                }
            }

            @Override
            public void tail(Node node, int depth) {
                if (node instanceof Element element) {
                    separate(element, text);
                }
            }
        });
        return text.toString();
    }

    private static void separate(Element element, StringBuilder text) {
        if (!INLINE.contains(element.normalName())) {
            text.append('\n');
        }
    }
}

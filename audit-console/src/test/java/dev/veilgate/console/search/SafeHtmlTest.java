package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a hostile mail brings does not run, ask or fetch. */
class SafeHtmlTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "<img src=x onerror=alert(1)>",
                "<svg onload=alert(1)><script>alert(1)</script></svg>",
                "<svg><style><img src=x onerror=alert(1)></style></svg>",
                "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
                "<a href=\"javascript:alert(1)\">x</a>",
                "<a href=\"  java\nscript:alert(1)\">x</a>",
                "<a href=https://evil.example/?you=1>x</a>",
                "<form action=https://evil.example><input name=password></form>",
                "<iframe src=https://evil.example></iframe>",
                "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
                "<object data=https://evil.example></object><embed src=https://evil.example>",
                "<link rel=stylesheet href=https://evil.example/a.css>",
                "<style>body{background:url(https://evil.example/a.png)}</style>",
                "<p style=\"background:url(https://evil.example/a.png)\">x</p>",
                "<meta http-equiv=refresh content=\"0;url=https://evil.example\">",
                "<base href=https://evil.example/>",
                "<table background=https://evil.example/a.png><tr><td background=//evil.example/b.png>x</table>",
                "<img src=https://evil.example/a.png srcset=\"https://evil.example/b.png 2x\">",
                "<video poster=https://evil.example/a.png><source src=https://evil.example/a.mp4></video>",
                "<blockquote cite=https://evil.example/>x</blockquote>",
                "<body onload=alert(1) background=https://evil.example/a.png>x",
                "<details ontoggle=alert(1) open>x</details>",
                "<template><script>alert(1)</script></template>",
                "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\"></noscript>",
            })
    void takesOutWhatRunsAsksOrFetches(String hostile) {
        SafeHtml safe = SafeHtml.of("<p>before</p>" + hostile + "<p>after</p>");
        Document shown = Jsoup.parse(safe.html());
        assertThat(
                        shown.select(
                                "script, style, svg, math, img, picture, video, audio, source, iframe, object, embed, form, input, button, link, meta[http-equiv], base, template"))
                .as(safe.html())
                .isEmpty();
        shown.getAllElements()
                .forEach(element -> element.attributes()
                        .forEach(attribute -> assertThat(attribute.getKey())
                                .as(safe.html())
                                .isIn(
                                        "title", "align", "color", "face", "size", "width", "height", "colspan",
                                        "rowspan", "span", "start", "type", "abbr", "axis", "scope", "valign",
                                        "summary")));
        assertThat(shown.text()).contains("before");
    }

    @Test
    void keepsWhatPeopleWroteAndSaysWhatWasTakenOut() {
        SafeHtml safe = SafeHtml.of(
                "<h1>Offer</h1><ul><li>two <b>presses</b></li></ul><table><tr><td colspan=2>1</td></tr></table>"
                        + "<a href=\"https://shop.example/4711\">order</a><img src=https://shop.example/pixel.gif><script>1</script>");
        assertThat(safe.html())
                .contains(
                        "<h1>Offer</h1>",
                        "<b>presses</b>",
                        "colspan=\"2\"",
                        ">order</a>",
                        "title=\"https://shop.example/4711\"")
                .doesNotContain("href", "pixel");
        assertThat(safe.removed()).containsExactly("1 script", "1 remote image or sound");
        assertThat(SafeHtml.of("<p>plain</p>").removed()).isEmpty();
    }
}

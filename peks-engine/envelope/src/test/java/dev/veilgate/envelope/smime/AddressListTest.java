package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.smime.AddressList.Mailbox;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressListTest {
    private static List<String> addresses(String text) {
        return AddressList.read(text).stream()
                .map(Mailbox::address)
                .filter(address -> !address.isEmpty())
                .toList();
    }

    private static String names(String text) {
        return String.join(
                " / ", AddressList.read(text).stream().map(Mailbox::name).toList());
    }

    /** Names as people and programs write them, good and bad, one a line. */
    static List<String> senderNames() throws Exception {
        try (InputStream in = AddressListTest.class.getResourceAsStream("/mail/sender-names.txt");
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return lines.lines().filter(line -> !line.startsWith("#")).toList();
        }
    }

    @Test
    void noNameHidesTheAddressBehindIt() throws Exception {
        List<String> names = senderNames();
        assertThat(names).hasSizeGreaterThanOrEqualTo(200);
        for (String name : names) {
            assertThat(addresses(name + " <x@evil.example>")).as(name).contains("x@evil.example");
            assertThat(addresses("Bob <bob@y.example>, " + name + " <x@evil.example>, Zoe <zoe@z.example>"))
                    .as(name)
                    .contains("bob@y.example", "x@evil.example", "zoe@z.example");
            assertThat(addresses(name + "<x@evil.example>")).as(name).contains("x@evil.example");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "ada@x.example                                     | ada@x.example",
                "ceo@demo.example <x@evil.example>                 | x@evil.example",
                "\"ceo@demo.example\" <x@evil.example>             | x@evil.example",
                "a@x.example <a@x.example>                         | a@x.example",
                "eva@m\u00fcnchen.example                          | eva@m\u00fcnchen.example",
                "J\u00fcrgen M\u00fcller <a@x.example>             | a@x.example",
                "Friends: ada@x.example, \"B, C\" <b@y.example>; z@z.example | ada@x.example b@y.example z@z.example",
                "undisclosed-recipients:;                          | ``",
                "<@relay.example,@other.example:ada@x.example>     | ada@x.example",
                "pete(his account)@silly.test(his host)            | pete@silly.test",
                "Chris Jones <c@(Chris's host.)public.example>     | c@public.example",
                "a . b @ c . d                                     | a.b@c.d",
                "< a . b @ c . d >                                 | a.b@c.d",
                "John Q. bob@x.example                             | bob@x.example",
                "\"ada b\"@x.example                               | ada b@x.example",
                "\"ada\".b@x.example                               | ada.b@x.example",
                "O\"Brien <a@b.example>                            | a@b.example",
                "(unclosed <a@b.example>                           | a@b.example",
                "x <<a@b.example>>                                 | a@b.example",
                "<a@b.example, c@d.example                         | a@b.example c@d.example",
                "a@b.example; c@d.example                          | a@b.example c@d.example",
                "a@x.example b@y.example                           | a@x.example b@y.example",
                "Ada <a@x.example> <b@y.example>                   | a@x.example b@y.example",
                "mailto:ada@x.example                              | ada@x.example",
                "<mailto:ada@x.example>                            | ada@x.example",
                "<x@evil.example:ceo@demo.example>                 | x@evil.example ceo@demo.example",
                "evil@x.example <nothing>                          | evil@x.example",
                "ada@[192.0.2.1], eva@[IPv6:2001:db8::1]           | ada@[192.0.2.1] eva@[IPv6:2001:db8::1]",
                "=?utf-8?Q?Doe,_John_<q>?= <j@x.example>           | j@x.example",
                "=?utf-8?q?a <x@evil.example>                      | x@evil.example",
                "\"=?utf-8?q?a\" <x@evil.example>                  | x@evil.example",
                "root                                              | ``",
                "@x.example                                        | ``",
                ",,;:, ada@x.example ,                             | ada@x.example"
            })
    void findsTheAddresses(String text, String expected) {
        assertThat(String.join(" ", addresses(text))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Ada Lovelace <a@x.example>                        | Ada Lovelace",
                "a@x.example (Ada (the first) L\\) ovelace)        | Ada (the first) L) ovelace",
                "\"\\\"q\\\" a\" <q@x.example>                     | \"q\" a",
                "Doe, John <j@x.example>                           | Doe / John",
                "ceo@demo.example <x@evil.example>                 | ceo@demo.example",
                "J.R.\"Bob\"Dobbs <b@x.example>                    | J.R.BobDobbs",
                "Friends: a@x.example;                             | Friends /"
            })
    void findsTheNames(String text, String expected) {
        assertThat(names(text).strip()).isEqualTo(expected.strip());
    }

    @Test
    void whatMayBeReadInTwoWaysIsGivenInBoth() {
        assertThat(AddressList.read("ada@x.example. Thanks").getFirst().addresses())
                .containsExactly("ada@x.example.Thanks", "ada@x.example.");
        assertThat(AddressList.read("a@b@c").getFirst().addresses()).containsExactly("a@b@c", "a@b", "b@c");
        assertThat(AddressList.read("to J. b@x.example").getFirst().addresses())
                .containsExactly("b@x.example", "J.b@x.example");
    }

    /** Whatever stands before it, without closing what it does not open, an address in brackets is found, and so is the next. */
    @Test
    void nothingBeforeAnAddressHidesIt() {
        long seed = Long.getLong("veilgate.seed", 1);
        System.out.println("AddressListTest: -Dveilgate.seed=" + seed);
        Random random = new Random(seed);
        String[] parts = {
            "<",
            ">",
            "(",
            ")",
            "\"",
            "\\",
            ",",
            ":",
            ";",
            "@",
            "[",
            "]",
            ".",
            " ",
            "a",
            "\u00e9",
            "\u200b",
            "=?utf-8?q?",
            "?=",
            "x@y",
            "\ud83d\ude00",
            "\u0000",
            "\t"
        };
        for (int i = 0; i < 300_000; i++) {
            StringBuilder before = new StringBuilder();
            for (int left = random.nextInt(12); left > 0; left--) {
                before.append(parts[random.nextInt(parts.length)]);
            }
            String text = before + " <x@evil.example>, Bob <b@y.example>";
            assertThat(addresses(text)).as("seed %d: %s", seed, text).contains("x@evil.example", "b@y.example");
        }
    }

    /** A header has a megabyte at most. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "@",
                "a@b,",
                "<",
                "<a@b",
                "(",
                "()",
                "((",
                "\"",
                "\\\"",
                "\"\"",
                "=?a?q?",
                "=?",
                "=?a?q?@?=",
                ":",
                "a:",
                "<@a,",
                "<@a:",
                "[",
                "@[",
                "@[a",
                ".",
                " .",
                "a . ",
                " @ ",
                "a@",
                "\u00e9"
            })
    void costsItsLength(String pump) {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        List<Mailbox> last = new ArrayList<>(List.of(new Mailbox("", "", List.of())));
        AddressList.read(pump.repeat((1 << 20) / pump.length()) + " <x@evil.example>", box -> last.set(0, box));
        assertThat(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before)
                .isLessThan(5_000_000_000L);
        assertThat(last.getFirst().addresses()).contains("x@evil.example");
    }

    /** Words are kept by the thousand; where one thousand ends and the next begins there may be an address. */
    @Test
    void noNumberOfWordsBeforeAnAddressHidesIt() {
        for (int words = 4_080; words < 4_104; words++) {
            for (String address :
                    new String[] {"x@evil.example", "<x@evil.example>", "< x @ evil.example >", "\"x\"@evil.example"}) {
                List<String> found = AddressList.read("a ".repeat(words) + address).stream()
                        .flatMap(box -> box.addresses().stream())
                        .toList();
                assertThat(found).as(words + " words and " + address).contains("x@evil.example");
            }
        }
    }

    @Test
    void aCommaDividesWordsInBracketsToo() {
        assertThat(AddressList.read("<@foo,x@evil.example>").getFirst().addresses())
                .containsExactly("x@evil.example");
    }
}

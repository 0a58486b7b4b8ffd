package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.SigningKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What stands around a record, of a sender that seals a line at a time. */
class SurroundingsTest extends ScriptedGateway {
    private static final String HERE = "plant-near";

    private List<String> around(String search, int records) throws Exception {
        List<String> texts = new ArrayList<>();
        read(search + "/rows/0/surrounding?before=" + records + "&after=" + records)
                .forEach(each -> texts.add(each.get("text").asString()));
        return texts;
    }

    @Test
    void goesAcrossEnvelopesAndPassesOverWhatTheSearchDoesNotLookInto() throws Exception {
        SigningKey press = newSender("press-near");
        register(press);
        List<byte[]> chain = chain(
                press,
                List.of(HERE, HERE, HERE, "mailbox-ceo", HERE, HERE),
                List.of("one", "", "two overheated", "a secret", "three", "four"));
        serve(chain.get(2), chain.get(0), chain.get(1), chain.get(3), chain.get(4), chain.get(5));
        String search = search(HERE);
        assertThat(around(search, 10)).containsExactly("one", "two overheated", "three", "four");
        assertThat(chainsAsked).as("once each way").isEqualTo(2);
        assertThat(around(search, 1)).containsExactly("one", "two overheated", "three");
        assertThat(around(search, 0)).containsExactly("two overheated");
    }

    @Test
    void whatIsOpenedForThemIsInTheLog() throws Exception {
        SigningKey press = newSender("press-logged");
        register(press);
        List<byte[]> chain = chain(press, List.of(HERE, HERE, HERE), List.of("one", "two overheated", "three"));
        serve(chain.get(1), chain.get(0), chain.get(2));
        String search = search(HERE);
        List<String> before = decryptions();
        assertThat(before.getFirst()).contains(id(chain.get(1)).toString());
        around(search, 5);
        List<String> after = decryptions();
        assertThat(after).hasSize(before.size() + 1);
        assertThat(after.getFirst())
                .contains(id(chain.get(0)).toString(), id(chain.get(2)).toString())
                .doesNotContain(id(chain.get(1)).toString());
    }

    @Test
    void whatIsShownOfAnEnvelopeThatCannotBeOpenedToItsEndIsInTheLog() throws Exception {
        List<byte[]> chain =
                chain(newSender("press-cut"), List.of(HERE, HERE), List.of("one overheated", "two\nthree"));
        byte[] cut = withoutSecond(chain.get(1));
        serve(chain.get(0), cut);
        String shown =
                read(search(HERE) + "/rows/0/surrounding?before=0&after=5").toString();
        assertThat(shown).contains("two").contains("why").doesNotContain("three");
        assertThat(decryptions().getFirst()).contains(id(cut).toString());
    }

    @Test
    void whatAnotherWroteInASendersNameIsNotAmongWhatItSigned() throws Exception {
        SigningKey press = newSender("press-forged");
        register(press);
        List<byte[]> real = chain(press, List.of(HERE, HERE), List.of("one overheated", "two"));
        List<byte[]> forged = chain(newSender("press-forged"), List.of(HERE, HERE), List.of("zero", "a lie"));
        serve(real.get(0), forged.get(1));
        assertThat(around(search(HERE), 5)).containsExactly("one overheated");
        serve(real.get(0), real.get(1));
        assertThat(around(search(HERE), 5)).containsExactly("one overheated", "two");
    }
}

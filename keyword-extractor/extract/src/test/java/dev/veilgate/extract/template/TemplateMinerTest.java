package dev.veilgate.extract.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TemplateMinerTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(1_000));

    private final TemplateMiner miner = new TemplateMiner(TemplateSettings.DEFAULT, CLOCK);

    private TemplateEntry entry(TemplateName name) {
        return miner.catalogue().entries().stream()
                .filter(e -> e.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void nameStaysWhenTheTemplateGeneralises() {
        TemplateName name = miner.learn("Failed password for anna from 10.0.0.1 port 22 ssh2");
        assertThat(entry(name).template()).isEqualTo("Failed password for anna from <*> port <*> <*>");
        assertThat(miner.learn("Failed password for bob from 10.0.0.2 port 23 ssh2"))
                .isEqualTo(name);
        assertThat(entry(name).template()).isEqualTo("Failed password for <*> from <*> port <*> <*>");
        assertThat(miner.learn("Failed password for carol from 10.0.0.3 port 24 ssh2"))
                .isEqualTo(name);
        assertThat(entry(name).count()).isEqualTo(3);
    }

    @Test
    void nameIsReadableAndAKeyword() {
        TemplateName name = miner.learn("Connection closed by 10.0.0.1 [preauth]");
        assertThat(name.value()).matches("connection-closed-by-[a-z2-7]{10}");
        assertThat(Keyword.text("template", name.value()).value()).isEqualTo(name.value());
    }

    @Test
    void maskedVariablesAreNotInTheName() {
        TemplateName name = miner.learn("session 4711 token=hunter2 host 10.1.2.3");
        assertThat(name.value()).startsWith("session-token-host-").doesNotContain("hunter");
        assertThat(miner.learn("session 4712 token=swordfish host 10.1.2.4")).isEqualTo(name);
    }

    @Test
    void anotherDeviceGivesTheSameName() {
        TemplateMiner other = new TemplateMiner(TemplateSettings.DEFAULT, InstantSource.system());
        other.learn("something else came first here");
        assertThat(other.learn("disk 7 is full at /var/log/a/b"))
                .isEqualTo(miner.learn("disk 1 is full at /var/c" + "/d"));
    }

    @Test
    void differentKindsHaveDifferentNames() {
        assertThat(miner.learn("disk full")).isNotEqualTo(miner.learn("disk empty"));
        assertThat(miner.learn("disk full")).isNotEqualTo(miner.learn("disk full now"));
    }

    /** Equal templates come to be in two leaves: the one of a word, and the wildcard's, when a node has no room. */
    @Test
    void youngerOfEqualTemplatesTakesTheNameOfTheOlder() {
        TemplateMiner narrow = new TemplateMiner(new TemplateSettings(64, 2, 8, 256, 16, 1, 500), CLOCK);
        narrow.learn("p x y z");
        TemplateName older = narrow.learn("1 x y w");
        TemplateName younger = narrow.learn("r x y z");
        assertThat(narrow.learn("s x y z")).isEqualTo(younger);
        assertThat(narrow.learn("2 x y k")).isEqualTo(older);
        assertThat(narrow.changesSince(0).entries()).allMatch(e -> e.sameAs().isEmpty());
        long before = narrow.version();
        assertThat(narrow.learn("t x y m")).isEqualTo(older);
        assertThat(narrow.changesSince(before).entries()).singleElement().satisfies(e -> {
            assertThat(e.name()).isEqualTo(younger);
            assertThat(e.template()).isEqualTo("<*> x y <*>");
            assertThat(e.sameAs()).contains(older);
        });
        assertThat(narrow.learn("u x y n")).isEqualTo(older);
        assertThat(narrow.learn("3 x y n")).isEqualTo(older);
    }

    @Test
    void templateTakesItsNameBackWhenTheOneItWasTheSameAsIsLetGo() throws Exception {
        TemplateMiner narrow = new TemplateMiner(new TemplateSettings(64, 2, 2, 256, 16, 1, 500), CLOCK);
        narrow.learn("p x y z");
        TemplateName older = narrow.learn("1 x y w");
        TemplateName younger = narrow.learn("r x y z");
        narrow.learn("s x y z");
        narrow.learn("2 x y k");
        assertThat(narrow.learn("t x y m")).isEqualTo(older);
        narrow.learn("1 x e f");
        narrow.learn("1 x e f");
        assertThat(narrow.learn("t x y m")).isEqualTo(older);
        narrow.learn("1 x e f");
        narrow.learn("1 x g h"); // the leaf of x has room for two
        TemplateMiner restarted = TemplateMiner.decodeState(narrow.encodeState(), CLOCK);
        for (TemplateMiner now : List.of(narrow, restarted)) {
            assertThat(now.learn("t x y m")).isEqualTo(younger);
            assertThat(now.catalogue().entries())
                    .filteredOn(e -> e.name().equals(younger))
                    .allMatch(e -> e.sameAs().isEmpty())
                    .hasSize(1);
            assertThat(now.catalogue().entries())
                    .extracting(TemplateEntry::name)
                    .contains(older);
        }
    }

    @Test
    void emptyAndBlankMessagesAreOneKind() {
        TemplateName empty = miner.learn("");
        assertThat(miner.learn(" \t\r\n")).isEqualTo(empty);
        assertThat(empty.value()).startsWith("message-");
        assertThat(entry(empty).template()).isEmpty();
    }

    @Test
    void catalogueCountsAndDates() {
        byte[] line = "fan stopped".getBytes(StandardCharsets.US_ASCII);
        TemplateName name = miner.learn(line, 0, line.length, 50);
        miner.learn(line, 0, line.length, 10);
        miner.learn(line, 0, line.length, 70);
        assertThat(entry(name)).isEqualTo(new TemplateEntry(name, "fan stopped", 3, 10, 70, 1, Optional.empty()));
    }

    @Test
    void changesAreWhatIsNewSince() {
        miner.learn("fan stopped");
        long seen = miner.version();
        assertThat(miner.changesSince(seen).isEmpty()).isTrue();
        miner.learn("fan stopped");
        assertThat(miner.changesSince(seen).isEmpty()).isTrue();
        TemplateName fresh = miner.learn("door opened by anna");
        assertThat(miner.changesSince(seen).entries())
                .extracting(TemplateEntry::name)
                .containsExactly(fresh);
        seen = miner.version();
        miner.learn("door opened by bob");
        assertThat(miner.changesSince(seen).entries())
                .extracting(TemplateEntry::template)
                .containsExactly("door opened by <*>");
        seen = miner.version();
        for (int i = 0; i < 14; i++) {
            miner.learn("door opened by eve");
        }
        assertThat(miner.changesSince(seen).entries())
                .extracting(TemplateEntry::count)
                .containsExactly(16L);
    }

    @Test
    void floodOfStrangersDoesNotPushOutWhatComesAgain() {
        TemplateMiner small = new TemplateMiner(new TemplateSettings(16, 100, 64, 256, 16, 2, 750), CLOCK);
        TemplateName known = small.learn("fan stopped on board alpha");
        small.learn("fan stopped on board beta");
        long seen = small.version();
        for (int i = 0; i < 1_000; i++) {
            small.learn("q" + "x".repeat(i % 97 + 1) + " y".repeat(i % 11) + " z" + "w".repeat(i % 89));
        }
        assertThat(small.size()).isEqualTo(16);
        assertThat(small.learn("fan stopped on board gamma")).isEqualTo(known);
        assertThat(small.changesSince(seen).entries()).hasSizeBetween(16, 32); // what was let go is still told of
    }

    @Test
    void rangeIsChecked() {
        assertThatThrownBy(() -> miner.learn(new byte[4], 2, 5)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new TemplateName("No Name")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TemplateSettings(1 << 20, 100, 64, 1024, 96, 2, 500))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxTemplates");
    }

    @Test
    void nothingOfAMessageIsPrinted() {
        TemplateName name = miner.learn("secret door opened");
        assertThat(name.toString() + entry(name) + miner.catalogue()).doesNotContain("secret", "door");
    }
}

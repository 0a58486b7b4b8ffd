package dev.veilgate.extract.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TemplateCatalogueTest {
    private static final TemplateName FAN = new TemplateName("fan-stopped-aaaaaaaaaa");
    private static final TemplateName DOOR = new TemplateName("door-opened-bbbbbbbbbb");

    private static TemplateEntry entry(TemplateName name, String template, long count, long version) {
        return new TemplateEntry(name, template, count, 10, 20, version, Optional.empty());
    }

    private static TemplateCatalogue catalogue(long generation, long version, TemplateEntry... entries) {
        return new TemplateCatalogue(generation, version, List.of(entries));
    }

    /** Frozen: what is sealed must be readable for years. */
    @Test
    void encodingIsFrozen() throws Exception {
        TemplateCatalogue catalogue = catalogue(
                1_000,
                7,
                entry(FAN, "fan <*> stopped", 3, 2),
                new TemplateEntry(DOOR, "door opened", 1, -5, 300, 7, Optional.of(FAN)));
        String hex = "a40001011903e802070382a7" + "0076646f6f722d6f70656e65642d62626262626262626262"
                + "016b646f6f72206f70656e6564" + "0201" + "0324" + "0419012c" + "0507"
                + "067666616e2d73746f707065642d61616161616161616161"
                + "a6" + "007666616e2d73746f707065642d61616161616161616161"
                + "016f66616e203c2a3e2073746f70706564" + "0203" + "030a" + "0414" + "0502";
        assertThat(HexFormat.of().formatHex(catalogue.encode())).isEqualTo(hex);
        TemplateCatalogue decoded = TemplateCatalogue.decode(HexFormat.of().parseHex(hex));
        assertThat(decoded.entries()).isEqualTo(catalogue.entries());
        assertThat(decoded.generation()).isEqualTo(1_000);
        assertThat(decoded.version()).isEqualTo(7);
    }

    @Test
    void mergeKeepsTheLaterEntry() {
        TemplateCatalogue early =
                catalogue(1, 4, entry(FAN, "fan one stopped", 1, 3), entry(DOOR, "door opened", 5, 4));
        TemplateCatalogue late = catalogue(1, 9, entry(FAN, "fan <*> stopped", 2, 8));
        assertThat(early.merge(late).entries())
                .containsExactly(entry(DOOR, "door opened", 5, 4), entry(FAN, "fan <*> stopped", 2, 8));
        assertThat(late.merge(early).encode()).isEqualTo(early.merge(late).encode());
        assertThatThrownBy(() -> early.merge(catalogue(2, 1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesWhatIsNotCanonical() {
        byte[] good = catalogue(1, 9, entry(FAN, "fan", 2, 8)).encode();
        assertThatThrownBy(() -> TemplateCatalogue.decode(changed(good, 2, 2)))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("format");
        assertThatThrownBy(() -> TemplateCatalogue.decode(java.util.Arrays.copyOf(good, good.length + 1)))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("trailing");
        assertThatThrownBy(
                        () -> TemplateCatalogue.decode(catalogue(1, 9, entry(FAN, "fan", 2, 8), entry(FAN, "fan", 2, 8))
                                .encode()))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("entries");
        assertThatThrownBy(() -> TemplateCatalogue.decode(
                        catalogue(1, 7, entry(FAN, "fan", 2, 8)).encode()))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("version");
    }

    private static byte[] changed(byte[] bytes, int at, int value) {
        byte[] copy = bytes.clone();
        copy[at] = (byte) value;
        return copy;
    }

    @Test
    void listingPutsNamesOfOneEventTogether() {
        TemplateName other = new TemplateName("door-opened-cccccccccc");
        TemplateListing listing = new TemplateListing();
        listing.add(
                "press-1", catalogue(1, 9, entry(DOOR, "door opened by <*>", 5, 4), entry(FAN, "fan stopped", 1, 5)));
        listing.add("press-1", catalogue(1, 9, entry(DOOR, "door opened by anna", 1, 1)));
        listing.add("press-1", catalogue(2, 3, entry(DOOR, "door opened by <*>", 7, 3)));
        listing.add("press-2", catalogue(5, 9, entry(other, "door opened by <*>", 100, 6)));
        listing.add(
                "press-2",
                catalogue(
                        5, 20, new TemplateEntry(FAN, "fan off", 2, 1, 99, 20, Optional.of(new TemplateName("off")))));
        assertThat(listing.events())
                .containsExactly(
                        new TemplateListing.Event(
                                "door opened by <*>", List.of(DOOR, other), List.of("press-1", "press-2"), 112, 10, 20),
                        new TemplateListing.Event("fan off", List.of(FAN), List.of("press-1", "press-2"), 3, 1, 99));
    }

    @Test
    void countsOfALiarDoNotOverflow() {
        TemplateListing listing = new TemplateListing();
        listing.add("liar", catalogue(1, 1, entry(FAN, "fan", Long.MAX_VALUE, 1)));
        listing.add("other", catalogue(1, 1, entry(FAN, "fan", Long.MAX_VALUE, 1)));
        assertThat(listing.events().getFirst().count()).isEqualTo(Long.MAX_VALUE);
    }
}

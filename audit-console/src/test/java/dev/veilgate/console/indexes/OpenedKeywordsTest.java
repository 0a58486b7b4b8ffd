package dev.veilgate.console.indexes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is asked for that a sender who reads a record in one of the formats does not have. */
class OpenedKeywordsTest {
    private static final List<ExtractorProfile> PROFILES =
            List.of(ExtractorProfile.defaults(), ExtractorProfile.defaults().upgraded());

    private static final List<String> PIECES = List.of(
            "-",
            "=",
            ".",
            ":",
            " ",
            "\"",
            "{",
            "}",
            "k=",
            "a",
            "10.0.0.7",
            "\u001b[31m",
            "\0",
            "[",
            "]",
            "2026-11-21T12:23:01Z",
            " stdout F ",
            "<34>1 ",
            "<34>",
            "\"log\":\"\"",
            "\\n",
            "é",
            "中文");

    private static void asksForWhatEachFormatHas(String record) {
        byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
        for (ExtractorProfile profile : PROFILES) {
            OpenedKeywords asked = OpenedKeywords.ofRecord(bytes, "", "", profile);
            for (LogFormat format : LogFormat.values()) {
                assertThat(LogExtractor.of(profile, format).extract(bytes).keywords())
                        .as("%s by rules %s in format %s", record, profile.rules(), format)
                        .containsAll(asked.keywords());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-=-=-=-=-=-", ".=", "-=:", "", " ", "{}"})
    void asksForNothingOfALineThatOneFormatAloneReads(String record) {
        asksForWhatEachFormatHas(record);
    }

    @Test
    void asksForNothingThatAFormatDoesNotRead() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            StringBuilder record = new StringBuilder();
            for (int j = random.nextInt(6); j >= 0; j--) {
                record.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            try {
                asksForWhatEachFormatHas(record.toString());
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }
}

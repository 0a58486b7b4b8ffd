package dev.veilgate.extract.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A record has the same keywords whatever its source wrote before it: whoever opens it reads it alone. */
class RecordOrderLawsTest {
    /** More than one extractor may have fields in a record, so that a count which went on would run out. */
    private static final int REPEATED = 100;

    private static ExtractorProfile profile(int rules) {
        return ExtractorProfile.defaults().withRules(rules);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<34>1 2026-11-28T10:00:00Z h1 su 7 - [x@1 user=\"bob\" code=\"7\"] text",
                "10.2.3.4 - ivan [28/Nov/2026:10:00:00 +0000] \"GET /x HTTP/1.1\" 401 5 \"https://a/\" \"curl\"",
                "*Nov 28 10:00:00.123: %SYS-5-CONFIG_I: Configured [user: bob]",
                "2026-11-28T10:00:00Z stdout F failed user=bob",
                "Nov 28 10:00:00 r1 1: *Nov 28 10:00:00.1: %SYS-4-LOGIN: failed [user: bob]",
                "CEF:0|V|P|1|2|login|High|suser=bob shost=pc7"
            })
    void aLineIsReadAlikeHoweverOftenItComes(String line) {
        byte[] record = line.getBytes(StandardCharsets.UTF_8);
        for (int rules = 1; rules <= ExtractorProfile.NEWEST_RULES; rules++) {
            LogExtractor extractor = LogExtractor.of(profile(rules), LogFormat.AUTO);
            Extraction first = extractor.extract(record);
            for (int i = 0; i < REPEATED; i++) {
                assertThat(extractor.extract(record).keywords())
                        .as("rules " + rules)
                        .isEqualTo(first.keywords());
            }
        }
    }

    @Test
    void linesOfAllFormsInAnyOrder() throws IOException {
        long seed = Long.getLong("veilgate.seed", 1);
        List<byte[]> lines = new ArrayList<>(Loghub.synthetic(20));
        FormTable.forms().forEach(form -> form.lines().forEach(line -> lines.add(line.bytes())));
        Collections.shuffle(lines, new Random(seed));
        for (int rules = 1; rules <= ExtractorProfile.NEWEST_RULES; rules++) {
            LogExtractor extractor = LogExtractor.of(profile(rules), LogFormat.AUTO);
            for (byte[] line : lines) {
                Extraction alone =
                        LogExtractor.of(profile(rules), LogFormat.AUTO).extract(line);
                Extraction found = extractor.extract(line);
                String shown = "seed " + seed + ": " + new String(line, StandardCharsets.UTF_8);
                assertThat(found.keywords()).as(shown).isEqualTo(alone.keywords());
                assertThat(found.dated()).as(shown).isEqualTo(alone.dated());
                assertThat(found.messageFrom()).as(shown).isEqualTo(alone.messageFrom());
                assertThat(found.messageTo()).as(shown).isEqualTo(alone.messageTo());
            }
        }
    }
}

package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.SearchRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that were issued before the tenant had later rules of keywords. */
class RequestFileTest {
    private static final ExtractorProfile FIRST = ExtractorProfile.defaults();

    @TempDir
    private Path temporary;

    /** Rules 2 are made to read words that begin with "other" otherwise. */
    private static QueryReadings read(String query, ExtractorProfile... profiles) throws Exception {
        return QueryReadings.read(
                List.of(profiles),
                profile -> KeywordQuery.read(
                        query,
                        profile,
                        (_, value) -> value.startsWith("other") && profile.rules() == 2
                                ? Optional.of(List.of(List.of(Keyword.text("word", value + "-2"))))
                                : Optional.empty()));
    }

    @Test
    void oneOfFormerRulesIsToldByItsTrapdoors() throws Exception {
        Site site = new Site(temporary);
        byte[] passphrase = CommandRun.PASSPHRASE.getBytes(StandardCharsets.UTF_8);
        try (KeyFolder folder = KeyFolder.open(site.keys, passphrase, KeyFolder.Access.READ, new SecureRandom())) {
            for (String query : List.of("disk", "other1", "disk AND other1", "disk AND NOT other1")) {
                SearchRequest former = issue(folder, read(query, FIRST).asked());
                QueryReadings both = read(query, FIRST.withRules(2), FIRST);
                boolean differs = query.contains("other");
                assertThat(RequestFile.isOfFormerRules(former, both)).as(query).isEqualTo(differs);
                assertThat(RequestFile.isOfFormerRules(issue(folder, both.asked()), both))
                        .as(query)
                        .isFalse();
                assertThat(RequestFile.isOfFormerRules(former, read(query, FIRST)))
                        .as("without later rules")
                        .isFalse();
                assertThat(RequestFile.epochs(former)).containsExactlyInAnyOrder("2026-11", "2026-12");
            }
        }
    }

    private static SearchRequest issue(KeyFolder folder, KeywordQuery query) throws Exception {
        try (FileTrapdoorStore store = KeyFolderOptions.trapdoors(folder)) {
            return folder.keys()
                    .request("plant-7", List.of("2026-11", "2026-12"), query.terms(), query.expression(), store);
        }
    }
}

package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Test over the index parts of mails that went through the proxy finds exactly the mails of which the extractor says
 * so.
 */
class MailIndexSearchTest {
    private static final int MAILS = 120;
    private static final int KEYWORDS = 200;
    private static final int ABSENT = 24;
    private static final List<String> RECIPIENTS = List.of("rsa@example.org", "ec@example.org");

    @TempDir
    private Path folder;

    @Test
    void findsExactlyWhatAPlaintextSearchFinds() throws Exception {
        long seed = Long.getLong("veilgate.seed", 1);
        System.out.println("MailIndexSearchTest: -Dveilgate.seed=" + seed);
        Random random = new Random(seed);
        List<byte[]> mails = new ArrayList<>(MailCorpusTest.realMails());
        Collections.shuffle(mails, random);
        mails = mails.subList(0, Math.min(MAILS, mails.size()));
        List<Set<Keyword>> plain = extract(mails);
        List<Envelope> indexes = seal(mails);

        List<Keyword> sample = sample(plain, random);
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder.resolve("trapdoors"))) {
            for (Keyword keyword : sample) {
                Set<Integer> expected = new TreeSet<>();
                for (int i = 0; i < plain.size(); i++) {
                    if (plain.get(i).contains(keyword)) {
                        expected.add(i);
                    }
                }
                assertThat(test(keyword, indexes, store))
                        .as("%s:%s", keyword.field(), keyword.value())
                        .isEqualTo(expected);
            }
        }
        Map<String, Long> byField =
                sample.stream().collect(Collectors.groupingBy(Keyword::field, TreeMap::new, Collectors.counting()));
        System.out.println(
                "MailIndexSearchTest: " + mails.size() + " mails, " + sample.size() + " keywords " + byField);
    }

    private static List<Set<Keyword>> extract(List<byte[]> mails) {
        List<Set<Keyword>> keywords = new ArrayList<>();
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            mails.forEach(
                    mail -> keywords.add(new HashSet<>(extractor.extract(mail).keywords())));
        }
        return keywords;
    }

    /** The index parts, in the order of the mails. */
    private List<Envelope> seal(List<byte[]> mails) throws Exception {
        MailLab lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        Envelope[] indexes = new Envelope[mails.size()];
        try (var relay = new CaptureServer();
                var proxy = lab.proxy(lab.settings(folder.resolve("spool"), 16 << 20, false), relay.port());
                var smtp = new RawSmtp(proxy.port())) {
            for (int i = 0; i < mails.size(); i++) {
                String answer = smtp.send("m" + i + "@example.org", List.of(RECIPIENTS.get(i % 2)), mails.get(i));
                assertThat(answer).startsWith("250 ");
            }
            for (CaptureServer.Mail mail : relay.await(mails.size())) {
                int i = Integer.parseInt(
                        mail.sender().substring(1, mail.sender().indexOf('@')));
                indexes[i] = Envelope.decode(SealedParts.of(mail.bytes()).index());
            }
        }
        return List.of(indexes);
    }

    private static Set<Integer> test(Keyword keyword, List<Envelope> indexes, FileTrapdoorStore store)
            throws Exception {
        List<ScopedTrapdoor> trapdoors = new ArrayList<>();
        for (String recipient : RECIPIENTS) {
            trapdoors.add(NtruPeks.withDefaults()
                    .trapdoor(
                            MailLab.indexKeys().secretKey(),
                            new KeywordDomain(MailLab.TENANT, "mailbox-" + recipient, "2026-11"),
                            keyword,
                            store));
        }
        var search = PreparedSearch.of(SearchRequest.allOf(MailLab.TENANT, List.of(trapdoors)), IndexSchemes.load());
        Set<Integer> found = new TreeSet<>();
        for (int i = 0; i < indexes.size(); i++) {
            if (!search.match(indexes.get(i), IndexAdmission.trust(indexes.get(i), IndexSchemes.load()))
                    .isEmpty()) {
                found.add(i);
            }
        }
        return found;
    }

    /** Keywords of all fields in turn, then some that no mail has. */
    private static List<Keyword> sample(List<Set<Keyword>> mails, Random random) {
        SortedMap<String, TreeSet<Keyword>> all = new TreeMap<>();
        mails.forEach(mail -> mail.forEach(keyword ->
                all.computeIfAbsent(keyword.field(), field -> new TreeSet<>()).add(keyword)));
        List<Iterator<Keyword>> fields = new ArrayList<>();
        for (TreeSet<Keyword> field : all.values()) {
            List<Keyword> shuffled = new ArrayList<>(field);
            Collections.shuffle(shuffled, random);
            fields.add(shuffled.iterator());
        }
        List<Keyword> sample = new ArrayList<>();
        while (sample.size() < KEYWORDS - ABSENT && fields.stream().anyMatch(Iterator::hasNext)) {
            fields.stream().filter(Iterator::hasNext).forEach(field -> sample.add(field.next()));
        }
        List<Keyword> words = new ArrayList<>(all.get("word"));
        for (int i = 0, absent = 0; absent < ABSENT; i++) {
            String word = words.get(random.nextInt(words.size())).value();
            Keyword made = i % 2 == 0 ? Keyword.text("filename", word) : Keyword.text("word", word + "q");
            if (mails.stream().noneMatch(mail -> mail.contains(made))) {
                sample.add(made);
                absent++;
            }
        }
        return sample;
    }
}

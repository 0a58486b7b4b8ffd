package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.veilgate.application.TestClock;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.peks.IndexSchemes;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

/**
 * Sealed mail that nobody signed, whose index a stranger replaced: a block whose mask is not bound to it is refused,
 * and the index is bounded by what address, network and size of the mail justify.
 */
class ForgedArrivalTest {
    private static final String MAIL =
            "From: Bob <bob@elsewhere.example>\r\nTo: ada@example.org\r\nSubject: hello\r\n\r\nhello\r\n";

    @TempDir
    static Path folder;

    private static TestMail mails;

    private final TestClock clock = new TestClock();

    @BeforeAll
    static void keys() throws Exception {
        mails = new TestMail(folder, TestTenant.of("acme"));
    }

    private Admission admission(StrangerSettings strangers) {
        IngestSettings settings = new IngestSettings(
                DataSize.ofMegabytes(16),
                256,
                Duration.ofHours(1),
                1000,
                DataSize.ofGigabytes(1),
                DataSize.ofMegabytes(1),
                DataSize.ofGigabytes(1),
                DataSize.ofMegabytes(1),
                Duration.ofMinutes(5),
                Duration.ofDays(30));
        return new Admission(
                TestTenant.tenants(TestTenant.of("acme")),
                new OutdatedBlocks(Instant.EPOCH, Optional.empty(), Instant.EPOCH, IndexSchemes.load()),
                settings,
                strangers,
                new Quota(settings, strangers, clock),
                recipients -> {},
                SenderChecks.none(),
                DeliveredForms.strict(),
                clock);
    }

    /** Null for what is admitted. */
    private static Refusal refusal(Admission admission, String address, byte[] mail) throws Exception {
        return refusal(admission, Optional.empty(), address, mail);
    }

    private static Refusal refusal(Admission admission, Optional<Principal> login, String address, byte[] mail)
            throws Exception {
        Submission.OfMail submission = new Submission.OfMail(
                login,
                Optional.of(InetAddress.getByName(address)),
                "bob@elsewhere.example",
                List.of("ada@example.org"),
                mail);
        RefusedException refused = catchThrowableOfType(RefusedException.class, () -> admission.admit(submission));
        return refused == null ? null : refused.refusal();
    }

    private static byte[] sealed(int keywords) throws Exception {
        return mails.seal(
                MAIL, IntStream.range(0, keywords).mapToObj(i -> "word" + i).toArray(String[]::new));
    }

    @Test
    void refusesAMaskThatIsNotTheOneItsBindingNames() throws Exception {
        Admission admission = admission(StrangerSettings.DEFAULTS);
        assertThat(refusal(admission, "192.0.2.1", sealed(3))).isNull();
        assertThat(refusal(admission, "192.0.2.1", ForgedMail.otherMask(sealed(3))))
                .isEqualTo(Refusal.MALFORMED);
    }

    @Test
    void refusesTwoBlocksThatShareTheirMask() throws Exception {
        for (int keywords : new int[] {300, 512}) { // the second block of another size, and of the same
            byte[] two = sealed(keywords);
            byte[] shared = ForgedMail.sharedMask(two);
            Admission admission = admission(StrangerSettings.DEFAULTS);
            assertThat(refusal(admission, "192.0.2.1", two)).isNull();
            assertThat(refusal(admission, "192.0.2.1", shared)).isEqualTo(Refusal.MALFORMED);
        }
    }

    /** A relay that alters content makes such mail too. */
    @Test
    void whatIsRefusedCostsWhatAnyMailCosts() throws Exception {
        Admission admission = admission(new StrangerSettings(20, DataSize.ofGigabytes(1), 1000, DataSize.ofBytes(256)));
        for (int i = 0; i < 19; i++) {
            assertThat(refusal(admission, "192.0.2.1", ForgedMail.otherMask(sealed(3))))
                    .isEqualTo(Refusal.MALFORMED);
        }
        assertThat(refusal(admission, "192.0.2.1", sealed(3))).isNull();
        assertThat(refusal(admission, "192.0.2.1", sealed(3))).isEqualTo(Refusal.QUOTA);
    }

    @Test
    void addressesAndNetworksHaveAQuotaOfMailsAndBlocks() throws Exception {
        byte[] one = sealed(3);
        byte[] two = sealed(300);
        Admission mailsCounted =
                admission(new StrangerSettings(2, DataSize.ofGigabytes(1), 1000, DataSize.ofBytes(256)));
        Admission blocksCounted =
                admission(new StrangerSettings(1000, DataSize.ofGigabytes(1), 4, DataSize.ofBytes(256)));
        for (Admission admission : List.of(mailsCounted, blocksCounted)) {
            byte[] mail = admission == mailsCounted ? one : two;
            for (String of : List.of("192.0.2.%d", "2001:db8:0:%d::1")) {
                for (int address = 0; address < 4; address++) {
                    assertThat(refusal(admission, of.formatted(address), mail)).isNull();
                    assertThat(refusal(admission, of.formatted(address), mail)).isNull();
                    assertThat(refusal(admission, of.formatted(address), mail)).isEqualTo(Refusal.QUOTA);
                }
                assertThat(refusal(admission, of.formatted(4), mail)).isEqualTo(Refusal.QUOTA);
            }
            assertThat(refusal(admission, "192.0.3.1", mail)).isNull();
        }
    }

    /** Whoever sends many of one id pays for each, as for any other mail. */
    @Test
    void alteredCopiesOfAMailUseUpTheQuotaOfTheAddress() throws Exception {
        Admission admission = admission(new StrangerSettings(20, DataSize.ofGigabytes(1), 1000, DataSize.ofBytes(256)));
        byte[] genuine = sealed(3);
        for (int i = 0; i < 20; i++) {
            assertThat(refusal(admission, "192.0.2.1", ForgedMail.bitFlipped(genuine, i)))
                    .isNull();
        }
        assertThat(refusal(admission, "192.0.2.1", ForgedMail.bitFlipped(genuine, 20)))
                .isEqualTo(Refusal.QUOTA);
        assertThat(refusal(admission, "198.51.100.1", genuine)).isNull();
    }

    @Test
    void aSmallMailHasFewBlocks() throws Exception {
        byte[] three = sealed(600);
        Admission strict =
                admission(new StrangerSettings(1000, DataSize.ofGigabytes(1), 1000, DataSize.ofMegabytes(1)));
        assertThat(refusal(strict, "192.0.2.1", three)).isEqualTo(Refusal.TOO_LARGE);
        assertThat(refusal(strict, "192.0.2.1", sealed(300))).isNull();
        assertThat(refusal(admission(StrangerSettings.DEFAULTS), "192.0.2.1", three))
                .isNull();
    }

    /** Many addresses do not fill memory, and those that come when it is full share an allowance. */
    @Test
    void strangersBeyondTheLimitShareAnAllowance() throws Exception {
        IngestSettings settings = AdmissionTest.settings(10);
        StrangerSettings strangers = new StrangerSettings(1, DataSize.ofGigabytes(1), 10, DataSize.ofBytes(256));
        Quota quota = new Quota(settings, strangers, clock);
        int taken = 0;
        int last = 0;
        for (int i = 0; i < 2 * Quota.MAX_STRANGERS && last == 0; i++) { // each of another network
            try {
                quota.take(InetAddress.getByAddress(new byte[] {(byte) (i >> 16), (byte) (i >> 8), (byte) i, 1}), 1, 1);
                taken++;
            } catch (RefusedException e) {
                last = i;
            }
        }
        assertThat(taken).isBetween(Quota.MAX_STRANGERS / 3, Quota.MAX_STRANGERS);
        clock.advance(Duration.ofSeconds(125));
        quota.take(InetAddress.getByName("203.0.113.9"), 1, 1);
    }
}

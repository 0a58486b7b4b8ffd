package dev.veilgate.console.sweep;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.application.TestClock;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.TestConsole;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.UnlockedEnvelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

/** A sweep opens what its own attributes open, and its keys are in the issuing log. */
@ConsoleTest
class SweepRightsTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    @Autowired
    private Custody custody;

    @Autowired
    private AuditLog log;

    @Autowired
    private TestClock clock;

    @Autowired
    private MockMvc http;

    private Envelope sealedFor(String policy) throws Exception {
        String pinned = custody.use(keys -> keys.authority().fingerprint());
        Instant now = clock.instant();
        PublicBundle bundle = PublicBundle.verify(custody.bundle().orElseThrow(), pinned, now);
        EnvelopeDraft draft = new EnvelopeDraft(
                        "plant-rights",
                        EpochPolicy.MONTHLY.at(now).name(),
                        now,
                        now,
                        "text/plain",
                        List.of("line".getBytes(StandardCharsets.UTF_8)),
                        List.of(),
                        List.of(),
                        0)
                .forReaders(List.of(Label.policy(policy)));
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle, null, clock, RANDOM)) {
            return Envelope.decode(sealer.seal(draft, ChainPosition.first()).bytes());
        }
    }

    private String issued() throws Exception {
        return http.perform(get("/api/log?kind=attribute-key&actor=sweep").with(login("kim", "keeper")))
                .andReturn()
                .getResponse()
                .getContentAsString();
    }

    @Test
    void opensWhatItsAttributesSatisfyAndNothingElse() throws Exception {
        Envelope own = sealedFor("role:sweeper");
        Envelope others = sealedFor("role:sweeper AND site:plant-7");
        try (SweepRights rights =
                new SweepRights(custody, log, Optional.of(AttributeSet.parse("role:sweeper")), RANDOM)) {
            try (UnlockedEnvelope unlocked = rights.of(own).opener().unlock(own)) {
                assertThat(unlocked.record(0)).asString().isEqualTo("line");
            }
            assertThatThrownBy(() -> rights.of(others).opener().unlock(others))
                    .isInstanceOf(UnopenableEnvelopeException.class);
        }
        assertThat(issued().split("role:sweeper", -1))
                .as("one entry, of the epoch")
                .hasSize(2);
    }

    @Test
    void endsWhenTheKeysAreLockedThoughTheyAreOpenAgain() throws Exception {
        Envelope own = sealedFor("role:locked-out");
        try (SweepRights rights =
                new SweepRights(custody, log, Optional.of(AttributeSet.parse("role:locked-out")), RANDOM)) {
            rights.of(own);
            custody.lock();
            try {
                assertThatThrownBy(() -> rights.of(own)).isInstanceOf(ProblemException.class);
            } finally {
                custody.unlock(TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
            }
            assertThatThrownBy(() -> rights.of(own).opener().unlock(own))
                    .as("keys of before")
                    .isInstanceOf(ProblemException.class);
        }
    }

    @Test
    void opensNothingThatIsForPoliciesWithoutAttributes() throws Exception {
        Envelope envelope = sealedFor("role:sweeper");
        try (SweepRights rights = new SweepRights(custody, log, Optional.empty(), RANDOM)) {
            assertThatThrownBy(() -> rights.of(envelope).opener().unlock(envelope))
                    .isInstanceOf(UnopenableEnvelopeException.class);
        }
    }

    @Test
    void refusesSettingsThatNameNoAttributesOrTooMuch() {
        Duration hour = Duration.ofHours(1);
        assertThat(new SweepSettings(0, hour, " ").rights()).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SweepSettings(1, hour, "role:a OR role:b"))
                .withMessageContaining("veilgate.sweep.attributes");
        assertThatIllegalArgumentException().isThrownBy(() -> new SweepSettings(10_001, hour, null));
        assertThatIllegalArgumentException().isThrownBy(() -> new SweepSettings(1, Duration.ofSeconds(59), null));
    }
}

package dev.veilgate.envelope;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.lattice.ntru.KeyPair;
import dev.veilgate.peks.lattice.ntru.NtruIndexSealer;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import dev.veilgate.random.CoinStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keys and drafts of the tests of envelopes. */
final class Samples {
    static final Instant NOW = Instant.parse("2026-11-21T12:00:00.123Z");
    static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    static final KemSecretKey TENANT = KemSecretKey.generate(frozen("tenant"));
    static final SigningKey SENDER = SigningKey.generate("press-4", frozen("sender"));
    static final KeyPair INDEX = new NtruPeks(NtruParameters.N512_Q24, frozen("index")).keyGen();
    static final EnvelopeOpener OPENER = new EnvelopeOpener(List.of(TENANT));

    private Samples() {}

    /** Coins that never change. */
    static SecureRandom frozen(String label) {
        return new ReplayableRandom(CoinStream.ofSeed(Hashes.sha256(label.getBytes(StandardCharsets.US_ASCII))));
    }

    static IndexSealer indexSealer(SecureRandom random) {
        return new NtruIndexSealer(INDEX.publicKey(), random);
    }

    static EnvelopeSealer sealer(SigningKey identity, SecureRandom random) {
        return new EnvelopeSealer("acme", List.of(indexSealer(random)), TENANT.publicKey(), identity, CLOCK, random);
    }

    static EnvelopeSealer sealerWithoutIndex(SigningKey identity, SecureRandom random) {
        return new EnvelopeSealer("acme", List.of(), TENANT.publicKey(), identity, CLOCK, random);
    }

    /** The envelope of a mail without keywords, with a header that is bound, or without. */
    static Envelope mail(@Nullable MailBinding binding) throws MalformedEncodingException {
        EnvelopeDraft draft = new EnvelopeDraft(
                "mailbox", "2026-11", NOW, NOW, "application/pkcs7-mime", List.of(), List.of(), List.of(), 0);
        try (EnvelopeSealer sealer = sealerWithoutIndex(null, new SecureRandom())) {
            return Envelope.decode(sealer.sealDetached(
                            draft,
                            List.of("mailbox"),
                            List.of(),
                            new byte[32],
                            new byte[32],
                            ChainPosition.first(),
                            binding)
                    .bytes());
        }
    }

    static List<byte[]> lines(int count) {
        List<byte[]> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add(("line " + i + " of press-4, temperature " + (i * 7 % 90)).getBytes(StandardCharsets.UTF_8));
        }
        return lines;
    }

    static EnvelopeDraft draft(int records) {
        List<Posting> postings =
                records == 0 ? List.of() : List.of(Posting.of(Keyword.text("word", "press"), records - 1));
        return new EnvelopeDraft(
                "plant-7",
                "2026-11",
                NOW.minusSeconds(60),
                NOW.minusSeconds(1),
                "text/plain",
                lines(records),
                postings,
                List.of(),
                600);
    }

    /** A draft whose records come from where the names say. */
    static EnvelopeDraft draftFrom(String... names) {
        EnvelopeDraft draft = draft(names.length);
        return new EnvelopeDraft(
                draft.scope(),
                draft.epoch(),
                draft.first(),
                draft.last(),
                draft.mediaType(),
                draft.records(),
                draft.postings(),
                draft.loss(),
                draft.heartbeatSeconds(),
                Origin.of(List.of(names)));
    }

    static EnvelopeDraft heartbeat(int seconds) {
        return new EnvelopeDraft(
                "plant-7", "2026-11", NOW, NOW, "text/plain", List.of(), List.of(), List.of(), seconds);
    }

    static EnvelopeDraft loss(LossReport... reports) {
        return new EnvelopeDraft(
                "plant-7", "2026-11", NOW, NOW, "text/plain", List.of(), List.of(), List.of(reports), 0);
    }
}

package dev.veilgate.benchmarks;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.PostingCollector;
import dev.veilgate.extract.log.Extraction;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.template.TemplateMiner;
import dev.veilgate.extract.template.TemplateSettings;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * From the lines of a batch to a signed envelope: the steps of the agent, one after the other for a whole batch so that each can be timed. Everything that
 * learns or caches is new in each object.
 */
final class LogSealing implements AutoCloseable {
    /** The steps, in order. */
    enum Step {
        /** Lines to keywords. */
        EXTRACT,
        /** The name of the line's template. */
        TEMPLATE,
        /** Keywords to posting lists. */
        COLLECT,
        /** Posting lists to index blocks. */
        INDEX,
        /** Records encrypted, key wrapped, envelope encoded, hashed and signed. */
        ENVELOPE
    }

    /**
     * What a sender has.
     *
     * @param bundle   of a tenant made for this
     * @param identity with which it signs
     */
    record Sender(PublicBundle bundle, SigningKey identity) {
        /** Makes a tenant's keys and a sender's; the secret ones of the tenant are forgotten. */
        static Sender generate() throws Exception {
            SecureRandom random = new SecureRandom();
            Instant now = Instant.now();
            byte[] profile = ExtractorProfile.defaults().encode();
            try (TenantKeys keys = TenantKeys.generate("bench", EpochPolicy.MONTHLY, profile, random, now)) {
                byte[] bundle = keys.nextBundle(now, Duration.ofDays(30));
                return new Sender(
                        PublicBundle.verify(bundle, keys.authority().fingerprint(), now),
                        SigningKey.generate("bench-1", random));
            }
        }
    }

    /** Nanoseconds of each step. */
    final long[] nanos = new long[Step.values().length];

    /** Keywords sealed. */
    long keywords;

    private final Clock clock = Clock.systemUTC();
    private final ExtractorProfile profile = ExtractorProfile.defaults();
    private final LogExtractor extractor = LogExtractor.of(profile, LogFormat.AUTO);
    private final TemplateMiner miner = new TemplateMiner(TemplateSettings.DEFAULT, clock);
    private final PostingCollector collector = new PostingCollector();
    private final EnvelopeSealer sealer;
    private final PublicBundle bundle;
    private ChainPosition position = ChainPosition.first();

    LogSealing(Sender sender) throws Exception {
        SecureRandom random = new SecureRandom();
        bundle = sender.bundle;
        PublicBundle.IndexKey key = bundle.indexKeys().getFirst();
        IndexSealer index = IndexSchemes.load().byId(key.scheme()).sealer(key.publicKey(), random);
        sealer = new EnvelopeSealer(
                bundle.tenant(), List.of(new Timed(index)), bundle.wrapKey(), sender.identity, clock, random);
    }

    /** Seals the index and takes the time. */
    private final class Timed implements IndexSealer {
        private final IndexSealer index;

        Timed(IndexSealer index) {
            this.index = index;
        }

        @Override
        public KeyId keyId() {
            return index.keyId();
        }

        @Override
        public List<IndexBlock> seal(
                KeywordDomain domain, MessageContext context, int recordCount, List<Posting> postings) {
            long start = System.nanoTime();
            List<IndexBlock> blocks = index.seal(domain, context, recordCount, postings);
            nanos[Step.INDEX.ordinal()] += System.nanoTime() - start;
            return blocks;
        }

        @Override
        public void close() {
            index.close();
        }
    }

    /** Seals a batch; each time of a step is taken once a batch. */
    SealedEnvelope seal(List<byte[]> lines) {
        long start = System.nanoTime();
        List<Extraction> found = new ArrayList<>(lines.size());
        for (byte[] line : lines) {
            found.add(extractor.extract(line));
        }
        start = lap(Step.EXTRACT, start);
        List<Keyword> templates = new ArrayList<>(lines.size());
        for (int i = 0; i < lines.size(); i++) {
            Extraction line = found.get(i);
            if (line.messageTo() > line.messageFrom()) {
                String name = miner.learn(lines.get(i), line.messageFrom(), line.messageTo(), clock.millis())
                        .value();
                templates.add(Keyword.text("template", name));
            } else {
                templates.add(null);
            }
        }
        start = lap(Step.TEMPLATE, start);
        for (int i = 0; i < lines.size(); i++) {
            collector.add(i, found.get(i).keywords());
            if (templates.get(i) != null) {
                collector.add(i, templates.get(i));
            }
        }
        List<Posting> postings = collector.finish();
        keywords += postings.size();
        start = lap(Step.COLLECT, start);
        long indexBefore = nanos[Step.INDEX.ordinal()];
        SealedEnvelope sealed = seal(lines, postings);
        lap(Step.ENVELOPE, start);
        nanos[Step.ENVELOPE.ordinal()] -= nanos[Step.INDEX.ordinal()] - indexBefore;
        return sealed;
    }

    private SealedEnvelope seal(List<byte[]> lines, List<Posting> postings) {
        Instant now = clock.instant();
        String epoch = bundle.epochAt(now).orElseThrow().name();
        EnvelopeDraft draft =
                new EnvelopeDraft("plant-7", epoch, now, now, "text/plain", lines, postings, List.of(), 60);
        SealedEnvelope sealed = sealer.seal(draft, position);
        position = sealed.next();
        return sealed;
    }

    private long lap(Step step, long start) {
        long now = System.nanoTime();
        nanos[step.ordinal()] += now - start;
        return now;
    }

    @Override
    public void close() {
        sealer.close();
    }
}

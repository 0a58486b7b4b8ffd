package dev.veilgate.agent;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.Origin;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.IndexProfiles;
import dev.veilgate.extract.PostingCollector;
import dev.veilgate.extract.SourceKeyword;
import dev.veilgate.extract.log.Extraction;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.template.TemplateCatalogue;
import dev.veilgate.extract.template.TemplateMiner;
import dev.veilgate.extract.template.TemplateName;
import dev.veilgate.extract.template.TemplateSettings;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Seals with the engine, under the bundle that is valid now. For one thread. */
final class EngineSealer implements BatchSealer {
    private static final Duration WARN_BEFORE_END = Duration.ofDays(7);
    private static final String TEMPLATE_FIELD = "template";

    /** How long after it was read something may be sealed so that searches of its time ask the epoch of the sealing. */
    private static final Duration LONGEST_WAIT = Duration.ofDays(30);

    private final BundleFile file;
    private final SigningKey identity;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final PostingCollector collector = new PostingCollector();
    private final Map<String, LogExtractor> extractors = new HashMap<>();
    private final Map<String, Label> labels = new HashMap<>();
    private @Nullable PublicBundle bundle;
    private @Nullable EnvelopeSealer sealer;
    private IndexProfiles profiles = IndexProfiles.of(ExtractorProfile.defaults());
    private IndexProfiles.Used used = profiles.toSeal("");
    private TemplateMiner miner;

    EngineSealer(BundleFile file, SigningKey identity, Clock clock) {
        this.file = file;
        this.identity = identity;
        this.clock = clock;
        this.miner = new TemplateMiner(TemplateSettings.DEFAULT, clock);
    }

    @Override
    public SealedEnvelope seal(Content content, ChainPosition at) throws NotReadyException, LineByLineException {
        PublicBundle now = use(clock.instant());
        EnvelopeSealer engine = sealer;
        if (engine == null) {
            throw new NotReadyException(file.problem());
        }
        String scope = content.lane().scope();
        if (!now.allowsScope(scope)) {
            throw new NotReadyException("the bundle does not allow the scope " + scope);
        }
        PublicBundle.Epoch epoch = epoch(now, content.last())
                .orElseThrow(() -> new NotReadyException(
                        "the bundle has no epoch for " + content.last() + "; fetch a new one from your authority"));
        use(profiles.toSeal(epoch.name()));
        if (content.isJoined() && mostJoinedNow(content.lane().format()) == 0) {
            throw new LineByLineException();
        }
        boolean lines = !content.mediaType().equals(TemplateCatalogue.MEDIA_TYPE);
        List<Posting> postings = lines ? postings(content) : List.of();
        EnvelopeDraft draft = new EnvelopeDraft(
                scope,
                epoch.name(),
                content.first(),
                content.last(),
                content.mediaType(),
                content.records(),
                postings,
                content.loss(),
                content.heartbeatSeconds(),
                content.origins());
        EnvelopeDraft whole = draft.forReaders(readers(now, content.lane().readers()));
        EnvelopeDraft indexed = lines ? whole.indexedBy(used.rules()) : whole;
        boolean isRead = lines && !content.records().isEmpty();
        return engine.seal(
                isRead ? indexed.readAs(format(content.lane().format()).label()) : indexed, at);
    }

    /**
     * The epoch of the present, in which searches look for what is sealed now, although it may have waited for a bundle
     * since it was read in another; of what waited so long that a search of its time does not ask the present, that of
     * its time.
     */
    private Optional<PublicBundle.Epoch> epoch(PublicBundle bundle, Instant read) {
        Instant sealed = clock.instant();
        Optional<PublicBundle.Epoch> present =
                sealed.isAfter(read.plus(LONGEST_WAIT)) ? Optional.empty() : bundle.epochAt(sealed);
        return present.or(() -> bundle.epochAt(read));
    }

    /** {@inheritDoc} If there is no bundle, or none for the present, as it was before. */
    @Override
    public int mostJoinedBytes(String format) {
        try {
            Instant now = clock.instant();
            Optional<PublicBundle.Epoch> epoch = use(now).epochAt(now);
            epoch.ifPresent(present -> use(profiles.toSeal(present.name())));
        } catch (NotReadyException e) {
            // nothing is sealed now
        }
        return mostJoinedNow(format);
    }

    private int mostJoinedNow(String format) {
        return LogExtractor.mostJoinedBytes(used.profile(), format(format));
    }

    /** Indexes by this profile from now on. */
    private void use(IndexProfiles.Used other) {
        if (!other.equals(used)) {
            used = other;
            extractors.clear();
        }
    }

    private List<Label> readers(PublicBundle bundle, String policy) throws NotReadyException {
        if (policy.isEmpty()) {
            return List.of();
        }
        Label label = labels.get(policy);
        if (label == null) {
            label = label(policy);
            try {
                bundle.requireSealable(label);
            } catch (IllegalArgumentException e) {
                throw new NotReadyException("readers: " + e.getMessage());
            }
            labels.put(policy, label);
        }
        return List.of(label);
    }

    /**
     * Checks that the bundle of the present can seal for each of some policies.
     *
     * @param policies the empty one is whoever has the tenant's key
     * @throws NotReadyException saying what to do
     */
    void requireSealable(Collection<String> policies) throws NotReadyException {
        PublicBundle now = use(clock.instant());
        for (String policy : policies) {
            readers(now, policy);
        }
    }

    private static Label label(String policy) {
        try {
            return new Label.OfPolicy(Policy.parse(policy));
        } catch (PolicySyntaxException e) {
            throw new IllegalArgumentException("the settings were checked: " + e.getMessage(), e);
        }
    }

    private PublicBundle use(Instant now) throws NotReadyException {
        PublicBundle found = file.at(now);
        if (found == null) {
            throw new NotReadyException(file.problem());
        }
        if (found != bundle) {
            try {
                profiles = IndexProfiles.of(found);
            } catch (MalformedEncodingException e) {
                throw new NotReadyException("the bundle's extractor profile cannot be used here: " + e.getMessage());
            }
            close();
            sealer = new EnvelopeSealer(found, identity, clock, random);
            bundle = found;
            extractors.clear();
            labels.clear(); // that were checked against another bundle
        }
        return found;
    }

    private List<Posting> postings(Content content) {
        ExtractorProfile profile = used.profile();
        List<byte[]> records = content.records();
        String lane = content.lane().format();
        LogExtractor extractor = extractors.computeIfAbsent(lane, name -> LogExtractor.of(profile, format(name)));
        for (int i = 0; i < records.size(); i++) {
            byte[] record = records.get(i);
            Extraction found = extractor.extract(record);
            collector.add(i, found.keywords());
            if (profile.templates() && found.messageTo() > found.messageFrom()) {
                TemplateName name = miner.learn(record, found.messageFrom(), found.messageTo(), clock.millis());
                collector.add(i, Keyword.text(TEMPLATE_FIELD, name.value()));
            }
        }
        int from = 0;
        for (Origin origin : content.origins()) {
            for (Keyword source : SourceKeyword.ofRecord(origin.name(), profile)) {
                for (int i = from; i < from + origin.count(); i++) {
                    collector.add(i, source);
                }
            }
            from += origin.count();
        }
        return collector.finish();
    }

    private static LogFormat format(String name) {
        return LogFormat.of(name).orElseThrow(() -> new IllegalArgumentException("the settings were checked"));
    }

    @Override
    public long bundleSerial() {
        return file.serial();
    }

    @Override
    public String warning(Instant now) {
        PublicBundle used = file.at(now);
        if (used == null || !file.problem().isEmpty()) {
            return file.problem();
        }
        Optional<PublicBundle.Epoch> last =
                used.epochs().stream().max(java.util.Comparator.comparing(PublicBundle.Epoch::to));
        Instant end = last.map(PublicBundle.Epoch::to).orElse(used.notAfter());
        end = end.isBefore(used.notAfter()) ? end : used.notAfter();
        return now.plus(WARN_BEFORE_END).isAfter(end)
                ? "the bundle can be used until " + end + "; fetch a new one from your authority"
                : "";
    }

    @Override
    public long templatesVersion() {
        return miner.shapes();
    }

    @Override
    public byte[] encodeTemplates() {
        return miner.encodeState();
    }

    @Override
    public void restoreTemplates(byte[] state) throws IOException {
        try {
            miner = TemplateMiner.decodeState(state, clock);
        } catch (MalformedEncodingException e) {
            throw new IOException("the state of the template miner is damaged: " + e.getMessage());
        }
    }

    @Override
    public @Nullable Catalogue catalogueSince(long version) {
        TemplateCatalogue changes = miner.changesSince(version);
        return changes.isEmpty() ? null : new Catalogue(changes.encode(), changes.version());
    }

    @Override
    public void close() {
        EnvelopeSealer open = sealer;
        if (open != null) {
            open.close();
        }
        sealer = null;
    }
}

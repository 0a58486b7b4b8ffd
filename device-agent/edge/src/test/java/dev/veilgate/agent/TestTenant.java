package dev.veilgate.agent;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.authority.TenantProfiles;
import dev.veilgate.envelope.ChainVerifier;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.envelope.UnlockedEnvelope;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.sender.IdentityFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** An authority, made once, and the files that a sender of it needs. */
final class TestTenant {
    static final String SENDER = "device-1";
    private static final TenantKeys KEYS = TenantKeys.generate(
            "acme",
            EpochPolicy.MONTHLY,
            ExtractorProfile.defaults().encode(),
            new SecureRandom(),
            Instant.now().minus(Duration.ofDays(1)));

    static final ExtractorProfile RULES_2 = ExtractorProfile.defaults().withRules(2);

    private TestTenant() {}

    /** What a sender has. */
    record Sender(Path bundle, Path identity, String authority, SenderPublicKey sender) {}

    static synchronized Sender files(Path folder, Instant now, Duration validFor) throws IOException {
        Path identity = folder.resolve("identity");
        SenderPublicKey sender;
        try (SigningKey key = IdentityFile.create(identity, SENDER, new SecureRandom())) {
            sender = key.publicKey();
        }
        Path bundle = folder.resolve("bundle");
        Files.write(bundle, KEYS.nextBundle(now, validFor));
        return new Sender(bundle, identity, KEYS.authority().fingerprint(), sender);
    }

    static synchronized byte[] newBundle(Instant now, Duration validFor) {
        return KEYS.nextBundle(now, validFor);
    }

    /** A bundle by which keywords are made by rules 2; the next one is of rules 1 again. */
    static synchronized byte[] bundleOfRules2(Instant now, Duration validFor) {
        TenantProfiles before = KEYS.profiles();
        KEYS.setProfiles(
                before.withNext(new NextProfile(RULES_2.encode(), KEYS.epochs().at(now), null)));
        try {
            return KEYS.nextBundle(now, validFor);
        } finally {
            KEYS.setProfiles(before);
        }
    }

    static List<byte[]> open(Envelope envelope) throws Exception {
        EnvelopeOpener opener = KEYS.opener();
        return opener.open(envelope);
    }

    static List<String> origins(Envelope envelope) throws Exception {
        return KEYS.opener().origins(envelope);
    }

    static List<String> formats(Envelope envelope) throws Exception {
        if (envelope.recordCount() == 0) {
            return List.of();
        }
        try (UnlockedEnvelope unlocked = KEYS.opener().unlock(envelope)) {
            return unlocked.formats();
        }
    }

    /** Trapdoors of a query, for the scope and the time of the tests. */
    static SearchRequest request(String query, Path folder) throws Exception {
        return request(query, ExtractorProfile.decode(KEYS.profiles().first()), folder);
    }

    static synchronized SearchRequest request(String query, ExtractorProfile profile, Path folder) throws Exception {
        KeywordQuery parsed = KeywordQuery.parse(query, profile);
        String epoch = KEYS.epochs().at(Instant.now()).name();
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder.resolve("trapdoors"))) {
            return KEYS.request("plant", List.of(epoch), parsed.terms(), parsed.expression(), store);
        }
    }

    static ChainVerifier verifier(SenderPublicKey sender) {
        return new ChainVerifier(List.of(sender));
    }
}

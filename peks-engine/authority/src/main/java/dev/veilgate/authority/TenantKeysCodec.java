package dev.veilgate.authority;

import dev.veilgate.abe.Label;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.envelope.MailSigners;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.envelope.PublicBundle.IndexKey;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.PublicBundleContent;
import dev.veilgate.envelope.ReadersSecret;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SenderRegistryHead;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.peks.KeyId;
import dev.veilgate.secret.Secret;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The content of a key file, in clear: a CBOR map with the keys 1 to 18, in order. 13 and later are not in what was
 * written before there were policies, 15 and later not in what was written before it was remembered what readers were
 * issued, 16 not before senders had a file of their own: until then they were in 10. 17 is not there while no mail is
 * signed, 18 not while there was one profile of keywords. Another version of the software that needs more writes
 * another version.
 */
@Secret
final class TenantKeysCodec {
    private static final int FIELDS = 18;

    private static final int REGISTRY = 16;
    private static final int MAIL_SIGNING = 17;
    private static final int PROFILES = 18;
    /** With none of these. */
    private static final int FIELDS_WITHOUT_REGISTRY = 15;
    /** Before it was remembered what readers were issued. */
    private static final int FIELDS_WITHOUT_ISSUED = 14;
    /** Before there were policies. */
    private static final int FIELDS_WITHOUT_POLICIES = 12;

    private static final int MAX_ITEMS = 20_000;
    private static final int MAX_LABEL_BYTES = 1 << 21;
    private static final int MAX_NAME_BYTES = 255;
    private static final int MAX_KEY_BYTES = 1 << 16;
    private static final long MAX_SECONDS = 253_402_300_799L;

    private TenantKeysCodec() {}

    /** With the registry that was written last. For the caller to seal and wipe. */
    static byte[] encode(TenantKeys keys) {
        return encode(keys, keys.senders().written().orElse(null));
    }

    /**
     * For the caller to seal and wipe.
     *
     * @param registry in which all senders are; null for keys that are in no folder, with their senders inside
     */
    static byte[] encode(TenantKeys keys, @Nullable SenderRegistryHead registry) {
        CborWriter out = new CborWriter(
                        sizeBound(keys, registry == null)) // so that no buffer with secrets is left behind
                .map(FIELDS_WITHOUT_REGISTRY
                        + (registry == null ? 0 : 1)
                        + (keys.mailSigning().signer().isEmpty() ? 0 : 1)
                        + (keys.profiles().hasMore() ? 1 : 0));
        byte[] authority = keys.signingKey().encode();
        out.integer(1).text(keys.tenant());
        out.integer(2).text(keys.epochs().id());
        out.integer(3).integer(keys.created().getEpochSecond());
        out.integer(4).integer(keys.serial());
        out.integer(5).bytes(keys.storeId());
        out.integer(6).bytes(authority);
        Arrays.fill(authority, (byte) 0);
        out.integer(7).array(keys.rings.index.size());
        for (IndexKeyEntry key : keys.rings.index) {
            IndexKey publicKey = key.publicKey();
            out.array(5)
                    .integer(key.created().getEpochSecond())
                    .text(publicKey.scheme())
                    .text(publicKey.parameters())
                    .bytes(publicKey.publicKey())
                    .bytes(key.encodedSecret());
        }
        out.integer(8).array(keys.rings.wrap.size());
        for (WrapKeyEntry entry : keys.rings.wrap) {
            byte[] secret = entry.key().encode();
            out.array(2).integer(entry.created().getEpochSecond()).bytes(secret);
            Arrays.fill(secret, (byte) 0);
        }
        out.integer(9).array(keys.recipients.size());
        for (Recipient recipient : keys.recipients.values()) {
            out.array(3)
                    .text(recipient.address())
                    .bytes(recipient.certificate())
                    .text(recipient.scope());
        }
        List<SenderPublicKey> inside = registry == null ? added(keys) : List.of();
        out.integer(10).array(inside.size());
        inside.forEach(sender -> out.bytes(sender.encode()));
        out.integer(11).array(keys.scopes.size());
        keys.scopes.forEach(out::text);
        out.integer(12).bytes(keys.profiles().first());
        out.integer(13).array(keys.rings.policy.size());
        for (PolicyKeyEntry entry : keys.rings.policy) {
            byte[] readers = entry.readers().encode();
            out.array(4)
                    .integer(entry.created().getEpochSecond())
                    .bytes(entry.publicKey().encodedAttributes())
                    .bytes(entry.encodedMaster())
                    .bytes(readers);
            Arrays.fill(readers, (byte) 0);
        }
        out.integer(14).array(keys.readers.size());
        keys.readers.forEach((holder, label) -> out.array(2).text(holder).bytes(label.encode()));
        out.integer(15).array(keys.issued.size());
        keys.issued.forEach((holder, its) -> {
            boolean isSearcher = its.searches() || !its.indexKeys().isEmpty(); // what older software cannot read
            out.array(isSearcher ? 5 : 3).text(holder).array(its.epochs().size());
            its.epochs().forEach(out::text);
            keyIds(out, its.pairs());
            if (isSearcher) {
                keyIds(out, its.indexKeys());
                out.bool(its.searches());
            }
        });
        if (registry != null) {
            out.integer(REGISTRY)
                    .array(3)
                    .integer(registry.serial())
                    .integer(registry.count())
                    .bytes(registry.digest());
        }
        mailSigning(out, keys.mailSigning());
        profiles(out, keys.profiles());
        byte[] encoded = out.toByteArray();
        out.wipe();
        return encoded;
    }

    /** The signer's private key, all chains, the signer's first, and the authority, if there is one. */
    private static void mailSigning(CborWriter out, MailSigning signing) {
        if (signing.signer().isEmpty()) {
            return;
        }
        out.integer(MAIL_SIGNING).array(3);
        secret(out, signing.signer().get());
        MailSigners.write(out, signing.chains());
        out.array(signing.authority().isPresent() ? 2 : 0);
        signing.authority().ifPresent(authority -> {
            secret(out, authority);
            MailSigners.write(out, List.of(authority.chain()));
        });
    }

    /** The one of later rules with the names of its epochs, if there is one, and the former ones. */
    private static void profiles(CborWriter out, TenantProfiles profiles) {
        if (!profiles.hasMore()) {
            return;
        }
        out.integer(PROFILES).array(2);
        NextProfile next = profiles.next().orElse(null);
        Epoch onlyFrom = next == null ? null : next.onlyFrom();
        out.array(next == null ? 0 : onlyFrom == null ? 2 : 3);
        if (next != null) {
            out.bytes(next.encoded()).text(next.from().name());
        }
        if (onlyFrom != null) {
            out.text(onlyFrom.name());
        }
        List<byte[]> former = profiles.former();
        out.array(former.size());
        former.forEach(out::bytes);
    }

    private static void secret(CborWriter out, KeptMailKey key) {
        byte[] secret = key.encoded();
        out.bytes(secret);
        Arrays.fill(secret, (byte) 0);
    }

    private static void keyIds(CborWriter out, Set<KeyId> ids) {
        out.array(ids.size());
        ids.forEach(id -> out.bytes(id.toBytes()));
    }

    private static List<SenderPublicKey> added(TenantKeys keys) {
        if (keys.senders().written().filter(head -> head.count() > 0).isPresent()) {
            throw new IllegalStateException("senders of a registry would be lost");
        }
        return keys.senders().changes().values().stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private static int sizeBound(TenantKeys keys, boolean withSenders) {
        int size = 1024 + keys.profiles().bytes();
        for (IndexKeyEntry key : keys.rings.index) {
            size += 1024 + key.publicKey().publicKey().length + key.encodedSecret().length;
        }
        size += keys.rings.wrap.size() * 128;
        for (PolicyKeyEntry entry : keys.rings.policy) {
            size += 4096 + entry.publicKey().encodedAttributes().length + entry.encodedMaster().length;
        }
        for (Label label : keys.readers.values()) {
            size += 300 + label.encode().length;
        }
        for (IssuedKeys its : keys.issued.values()) {
            size += 300
                    + its.epochs().size() * 110
                    + (its.pairs().size() + its.indexKeys().size()) * 20;
        }
        for (Recipient recipient : keys.recipients.values()) {
            size += 1024 + recipient.certificate().length;
        }
        size += keys.mailSigning().signer().isEmpty() ? 0 : MailSigners.MAX_BYTES + (1 << 16);
        size += withSenders ? 2300 * keys.senders().changes().size() : 0;
        return size + keys.scopes.size() * 300;
    }

    static TenantKeys decode(byte[] content) throws MalformedEncodingException {
        CborReader in = new CborReader("keys", content);
        int fields = in.map("content", FIELDS);
        if (fields < FIELDS_WITHOUT_REGISTRY && fields != FIELDS_WITHOUT_ISSUED && fields != FIELDS_WITHOUT_POLICIES) {
            throw in.malformed("content", "must have " + FIELDS_WITHOUT_REGISTRY + " to " + FIELDS + " fields");
        }
        key(in, 1);
        String tenant = in.text("tenant", MAX_NAME_BYTES);
        key(in, 2);
        EpochPolicy epochs = EpochPolicy.byId(in.text("epochs", MAX_NAME_BYTES));
        key(in, 3);
        Instant created = time(in);
        key(in, 4);
        long serial = in.unsigned("serial", Long.MAX_VALUE - 1);
        key(in, 5);
        byte[] storeId = in.fixedBytes("store-id", KeyFolder.STORE_ID_BYTES);
        key(in, 6);
        SigningKey authority = signingKey(in);
        TenantKeys keys = new TenantKeys(tenant, epochs, created, authority, new byte[0], serial, storeId);
        try {
            readLists(in, keys);
            if (fields >= FIELDS_WITHOUT_ISSUED) {
                readPolicies(in, keys);
            }
            if (fields >= FIELDS_WITHOUT_REGISTRY) {
                readIssued(in, keys);
            }
            for (int left = fields - FIELDS_WITHOUT_REGISTRY, last = FIELDS_WITHOUT_REGISTRY; left > 0; left--) {
                last = readLater(in, last, keys);
            }
            in.end();
            return keys;
        } catch (MalformedEncodingException | IllegalArgumentException e) {
            keys.close();
            throw e instanceof MalformedEncodingException malformed
                    ? malformed
                    : new MalformedEncodingException("keys", String.valueOf(e.getMessage()));
        }
    }

    private static SigningKey signingKey(CborReader in) throws MalformedEncodingException {
        byte[] secret = in.bytes("authority", MAX_KEY_BYTES);
        try {
            return SigningKey.decode(secret);
        } finally {
            Arrays.fill(secret, (byte) 0);
        }
    }

    private static void readLists(CborReader in, TenantKeys keys) throws MalformedEncodingException {
        key(in, 7);
        for (int left = in.array("index-keys", KeyRings.MAX_KEYS); left > 0; left--) {
            size(in, "index-key", 5);
            Instant created = time(in);
            String scheme = in.text("scheme", MAX_NAME_BYTES);
            String parameters = in.text("parameters", MAX_NAME_BYTES);
            IndexKey publicKey = new IndexKey(scheme, parameters, in.bytes("public-key", MAX_KEY_BYTES));
            keys.rings.index.add(new IndexKeyEntry(created, publicKey, in.bytes("secret-key", MAX_KEY_BYTES)));
        }
        key(in, 8);
        for (int left = in.array("wrap-keys", KeyRings.MAX_KEYS); left > 0; left--) {
            size(in, "wrap-key", 2);
            Instant created = time(in);
            byte[] secret = in.bytes("secret", MAX_KEY_BYTES);
            keys.rings.wrap.add(new WrapKeyEntry(created, KemSecretKey.decode(secret)));
            Arrays.fill(secret, (byte) 0);
        }
        if (keys.rings.index.isEmpty() || keys.rings.wrap.isEmpty()) {
            throw in.malformed("content", "must have a key of each kind");
        }
        key(in, 9);
        for (int left = in.array("recipients", MAX_ITEMS); left > 0; left--) {
            size(in, "recipient", 3);
            String address = in.text("address", MAX_NAME_BYTES);
            byte[] certificate = in.bytes("certificate", Recipient.MAX_CERTIFICATE_BYTES);
            keys.putRecipient(new Recipient(address, certificate, in.text("scope", MAX_NAME_BYTES)));
        }
        key(in, 10);
        for (int left = in.array("senders", MAX_ITEMS); left > 0; left--) {
            keys.putSender(SenderPublicKey.decode(in.bytes("sender", MAX_KEY_BYTES)));
        }
        key(in, 11);
        for (int left = in.array("scopes", MAX_ITEMS); left > 0; left--) {
            keys.addScope(in.text("scope", MAX_NAME_BYTES));
        }
        key(in, 12);
        keys.setProfiles(new TenantProfiles(in.bytes("profile", PublicBundleContent.MAX_PROFILE_BYTES)));
    }

    private static void readPolicies(CborReader in, TenantKeys keys) throws MalformedEncodingException {
        key(in, 13);
        for (int left = in.array("policy-keys", KeyRings.MAX_POLICY_KEYS); left > 0; left--) {
            size(in, "policy-key", 4);
            Instant created = time(in);
            byte[] attributes = in.bytes("attributes", MAX_KEY_BYTES);
            byte[] master = in.bytes("master", MAX_KEY_BYTES);
            byte[] readers = in.bytes("readers", MAX_KEY_BYTES);
            keys.rings.policy.add(new PolicyKeyEntry(created, attributes, master, ReadersSecret.decode(readers)));
            Arrays.fill(readers, (byte) 0);
        }
        key(in, 14);
        for (int left = in.array("readers", MAX_ITEMS); left > 0; left--) {
            size(in, "reader", 2);
            String holder = in.text("holder", MAX_NAME_BYTES);
            keys.readers.put(holder, Label.decode(in.bytes("label", MAX_LABEL_BYTES)));
        }
    }

    private static void readIssued(CborReader in, TenantKeys keys) throws MalformedEncodingException {
        key(in, 15);
        for (int left = in.array("issued", MAX_ITEMS); left > 0; left--) {
            int items = in.array("issued", 5);
            if (items != 3 && items != 5) {
                throw in.malformed("issued", "must have 3 items, or 5 of a searcher");
            }
            String holder = in.text("holder", MAX_NAME_BYTES);
            SortedSet<String> epochs = new TreeSet<>();
            for (int more = in.array("epochs", MAX_ITEMS); more > 0; more--) {
                String epoch = in.text("epoch", MAX_NAME_BYTES);
                keys.epochs().named(epoch); // or it is none
                epochs.add(epoch);
            }
            Set<KeyId> pairs = keyIds(in, "pair");
            Set<KeyId> indexKeys = items == 5 ? keyIds(in, "index-key") : Set.of();
            keys.issued.put(holder, new IssuedKeys(epochs, pairs, indexKeys, items == 5 && in.bool("searches")));
        }
    }

    private static Set<KeyId> keyIds(CborReader in, String field) throws MalformedEncodingException {
        Set<KeyId> ids = new LinkedHashSet<>();
        for (int left = in.array(field, MAX_ITEMS); left > 0; left--) {
            ids.add(KeyId.of(in.fixedBytes(field, KeyId.BYTES)));
        }
        return ids;
    }

    /** A field behind those that are always there; its key. */
    private static int readLater(CborReader in, int last, TenantKeys keys) throws MalformedEncodingException {
        int key = in.uint("key", FIELDS);
        if (key <= last) {
            throw in.malformed("content", "must have its fields in order");
        }
        switch (key) {
            case REGISTRY -> readRegistry(in, keys);
            case MAIL_SIGNING -> readMailSigning(in, keys);
            default -> readProfiles(in, keys);
        }
        return key;
    }

    private static void readProfiles(CborReader in, TenantKeys keys) throws MalformedEncodingException {
        size(in, "profiles", 2);
        int items = in.array("next-profile", 3);
        if (items == 1) {
            throw in.malformed("next-profile", "must have its first epoch");
        }
        NextProfile next = null;
        if (items > 0) {
            byte[] encoded = in.bytes("profile", PublicBundleContent.MAX_PROFILE_BYTES);
            Epoch from = keys.epochs().named(in.text("epoch", MAX_NAME_BYTES));
            Epoch onlyFrom = items == 2 ? null : keys.epochs().named(in.text("epoch", MAX_NAME_BYTES));
            next = new NextProfile(encoded, from, onlyFrom);
        }
        List<byte[]> former = new ArrayList<>();
        for (int left = in.array("former-profiles", TenantProfiles.MAX_FORMER); left > 0; left--) {
            former.add(in.bytes("profile", PublicBundleContent.MAX_PROFILE_BYTES));
        }
        TenantProfiles all = new TenantProfiles(keys.profiles().first(), next, former);
        if (!all.hasMore()) {
            throw in.malformed("profiles", "must not be there if there is one alone");
        }
        keys.setProfiles(all);
    }

    private static void readMailSigning(CborReader in, TenantKeys keys) throws MalformedEncodingException {
        size(in, "mail-signing", 3);
        byte[] secret = in.bytes("mail-signer", KeptMailKey.MAX_KEY_BYTES);
        List<List<X509Certificate>> chains = MailSigners.read(in);
        if (chains.isEmpty()) {
            throw in.malformed("mail-signing", "must have the signer's certificates");
        }
        KeptMailKey signer = new KeptMailKey(secret, chains.getFirst());
        keys.setMailSigning(
                new MailSigning(Optional.of(signer), chains.subList(1, chains.size()), readMailAuthority(in)));
    }

    private static Optional<KeptMailKey> readMailAuthority(CborReader in) throws MalformedEncodingException {
        int items = in.array("mail-authority", 2);
        if (items == 0) {
            return Optional.empty();
        }
        if (items != 2) {
            throw in.malformed("mail-authority", "must have 2 items or none");
        }
        byte[] secret = in.bytes("mail-authority", KeptMailKey.MAX_KEY_BYTES);
        List<List<X509Certificate>> own = MailSigners.read(in);
        if (own.size() != 1 || own.getFirst().size() != 1) {
            throw in.malformed("mail-authority", "must have one certificate");
        }
        return Optional.of(new KeptMailKey(secret, own.getFirst()));
    }

    private static void readRegistry(CborReader in, TenantKeys keys) throws MalformedEncodingException {
        size(in, "senders", 3);
        long serial = in.unsigned("serial", Long.MAX_VALUE - 1);
        int count = in.uint("count", SenderRegistryHead.MAX_SENDERS);
        byte[] digest = in.fixedBytes("digest", 32);
        if (!keys.senders().changes().isEmpty()) {
            throw in.malformed("senders", "must be here or in a registry");
        }
        keys.senders().setWritten(new SenderRegistryHead(keys.tenant(), serial, count, digest));
    }

    private static void key(CborReader in, int key) throws MalformedEncodingException {
        if (in.uint("key", FIELDS) != key) {
            throw in.malformed("content", "must have its fields in order");
        }
    }

    private static void size(CborReader in, String field, int size) throws MalformedEncodingException {
        if (in.array(field, size) != size) {
            throw in.malformed(field, "must have " + size + " items");
        }
    }

    private static Instant time(CborReader in) throws MalformedEncodingException {
        return Instant.ofEpochSecond(in.unsigned("time", MAX_SECONDS));
    }
}

package dev.veilgate.envelope.smime;

import dev.veilgate.secret.Secret;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1OctetStringParser;
import org.bouncycastle.asn1.ASN1SequenceParser;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.ASN1StreamParser;
import org.bouncycastle.asn1.BERTags;
import org.bouncycastle.asn1.cms.AuthEnvelopedDataParser;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.cms.ContentInfoParser;
import org.bouncycastle.asn1.cms.EncryptedContentInfoParser;
import org.bouncycastle.asn1.cms.EnvelopedDataParser;
import org.bouncycastle.asn1.cms.GCMParameters;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.GCMBlockCipher;
import org.bouncycastle.crypto.modes.GCMModeCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.util.io.TeeInputStream;

/**
 * Opens what {@link CmsSealer} sealed: AuthEnvelopedData, AES-256-GCM with a tag of 16 bytes, no authenticated
 * attributes; or EnvelopedData, AES-256-CBC, around a signed entity of our form, whose signed part is what comes out.
 * The latter anybody can alter who sees it, so it opens only together with what proves that nobody did: the digest in
 * its index, or a signature of the tenant's. Around an {@link OpaqueMessage}, which comes out with its header, only the
 * digest proves that.
 *
 * <p>The plaintext streams out before it is checked, since what proves it stands at the very end. <b>Nothing that was
 * written may be used before the method returned</b>: write to a place that is thrown away on an exception. All that
 * was altered is refused alike, by the same words and not before the end: a wrap with wrong padding opens as a random
 * key.
 */
@Secret
public final class CmsOpener {
    /** Most bytes of what precedes the encrypted content: wraps for about a thousand recipients. */
    public static final int MAX_RECIPIENT_BYTES = 1 << 20;

    private static final int CHUNK_BYTES = 64 << 10;
    private static final int CBC_BLOCK_BYTES = 16;

    private CmsOpener() {}

    /**
     * Opens with the content key and the digest that its index holds.
     *
     * @param cms    the CMS structure, BER or DER; read to its end, not closed
     * @param key    the content key
     * @param digest SHA-256 that {@code cms} must have; whoever gives it has checked where it comes from
     * @param target takes the plaintext; not closed
     * @throws UnopenableMailException if the structure has another digest, is not one of ours, was altered, or is of
     * another key
     * @throws IOException             if reading or writing fails
     */
    public static void open(InputStream cms, MailKey key, byte[] digest, OutputStream target)
            throws UnopenableMailException, IOException {
        open(cms, key, digest, new TenantSigners(List.of()), target);
    }

    /**
     * Opens as {@link #open(InputStream, MailKey, byte[], OutputStream)}, and says by which certificate the signature
     * inside holds. What has none, or one that does not hold, opens all the same: the digest proves it.
     *
     * @param signers certificates of the tenant's, which a signature need not bring along; any other that it brings
     *                is taken too
     * @return empty if no signature is inside, or it does not hold
     * @throws UnopenableMailException as there
     * @throws IOException             if reading or writing fails
     */
    public static Optional<X509Certificate> open(
            InputStream cms, MailKey key, byte[] digest, TenantSigners signers, OutputStream target)
            throws UnopenableMailException, IOException {
        var digesting = new DigestInputStream(cms, sha256());
        List<X509Certificate> signer = new ArrayList<>();
        try {
            open(digesting, target, (recipients, algorithm) -> MailKey.of(key.toBytes()), (found, signed) -> {
                MailSignature.signer(found.signature, signed, signers.certificates())
                        .ifPresent(signer::add);
                return true;
            });
        } catch (UnopenableMailException e) {
            requireDigest(digesting, digest); // which says more, if it is another mail
            throw e;
        }
        requireDigest(digesting, digest);
        return signer.stream().findFirst();
    }

    private static void requireDigest(DigestInputStream digesting, byte[] digest)
            throws UnopenableMailException, IOException {
        digesting.transferTo(OutputStream.nullOutputStream());
        if (!MessageDigest.isEqual(digesting.getMessageDigest().digest(), digest)) {
            throw new UnopenableMailException("the sealed mail is another one than its index is of, or was altered");
        }
    }

    /**
     * Opens with the private key of a recipient.
     *
     * @param cms         the CMS structure, BER or DER; read to its end, not closed
     * @param key         the private key, RSA or elliptic-curve
     * @param certificate its certificate, by which its wrap is found
     * @param signers     whose signatures are believed: the tenant's mail signing certificates, from its public
     *                    bundle. Without any EnvelopedData does not open, nor does an {@link OpaqueMessage} with any
     * @param target      takes the plaintext; not closed
     * @throws UnopenableMailException if the structure is not one of ours, was altered, has no such signature, or is
     * not for that certificate
     * @throws IOException             if reading or writing fails
     */
    public static void open(
            InputStream cms,
            PrivateKey key,
            X509Certificate certificate,
            Collection<X509Certificate> signers,
            OutputStream target)
            throws UnopenableMailException, IOException {
        open(
                cms,
                target,
                new MailKeyUnwrapper(key, certificate),
                (found, signed) -> !found.isByAuthor && MailSignature.isOf(found.signature, signed, signers));
    }

    /** Finds the content key among the recipients' wraps. */
    interface KeySource {
        MailKey contentKey(ASN1Set recipients, AlgorithmIdentifier algorithm) throws UnopenableMailException;
    }

    /** Says whether an entity is believed whose signed part has a digest. */
    private interface SignatureCheck {
        boolean isBelieved(Entity found, byte[] signed);
    }

    private static void open(InputStream cms, OutputStream target, KeySource keys, SignatureCheck signatures)
            throws UnopenableMailException, IOException {
        var head = new HeadLimit(cms, MAX_RECIPIENT_BYTES);
        try {
            ContentInfoParser info = contentInfo(head);
            if (CMSObjectIdentifiers.authEnvelopedData.equals(info.getContentType())) {
                openAuthenticated(
                        new AuthEnvelopedDataParser((ASN1SequenceParser) info.getContent(BERTags.SEQUENCE)),
                        head,
                        target,
                        keys);
            } else if (CMSObjectIdentifiers.envelopedData.equals(info.getContentType())) {
                openSigned(
                        new EnvelopedDataParser((ASN1SequenceParser) info.getContent(BERTags.SEQUENCE)),
                        head,
                        target,
                        keys,
                        signatures);
            } else {
                throw new UnopenableMailException("the sealed mail is neither EnvelopedData nor AuthEnvelopedData");
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (EOFException e) {
            throw new UnopenableMailException("the sealed mail is cut off");
        } catch (IOException e) {
            if (head.failed) {
                throw e;
            }
            throw new UnopenableMailException("the sealed mail is not well-formed CMS");
        } catch (InvalidCipherTextException | GeneralSecurityException e) {
            throw altered();
        } catch (RuntimeException e) {
            // Bouncy Castle's parsers throw several kinds at malformed input.
            throw new UnopenableMailException("the sealed mail is not well-formed CMS");
        }
    }

    private static UnopenableMailException altered() {
        return new UnopenableMailException("the sealed mail was altered, or is of another key");
    }

    private static ContentInfoParser contentInfo(InputStream in) throws IOException, UnopenableMailException {
        if (!(new ASN1StreamParser(in).readObject() instanceof ASN1SequenceParser sequence)) {
            throw new UnopenableMailException("the sealed mail is not CMS");
        }
        return new ContentInfoParser(sequence);
    }

    private static void openAuthenticated(
            AuthEnvelopedDataParser data, HeadLimit head, OutputStream target, KeySource keys)
            throws IOException, InvalidCipherTextException, UnopenableMailException {
        data.getOriginatorInfo();
        ASN1Set recipients = ASN1Set.getInstance(data.getRecipientInfos().toASN1Primitive());
        EncryptedContentInfoParser content = data.getAuthEncryptedContentInfo();
        AlgorithmIdentifier algorithm = content.getContentEncryptionAlgorithm();
        GCMModeCipher cipher = GCMBlockCipher.newInstance(AESEngine.newInstance());
        try (MailKey key = keys.contentKey(recipients, algorithm)) {
            byte[] bytes = key.toBytes();
            cipher.init(
                    false, new AEADParameters(new KeyParameter(bytes), 8 * GcmEncryptor.TAG_BYTES, nonce(algorithm)));
            Arrays.fill(bytes, (byte) 0);
        }
        head.lift();
        decrypt(data, content, cipher, target);
    }

    private static byte[] nonce(AlgorithmIdentifier algorithm) throws UnopenableMailException {
        if (!NISTObjectIdentifiers.id_aes256_GCM.equals(algorithm.getAlgorithm())) {
            throw new UnopenableMailException("the sealed mail is not encrypted by AES-256-GCM");
        }
        GCMParameters parameters = GCMParameters.getInstance(algorithm.getParameters());
        if (parameters.getIcvLen() != GcmEncryptor.TAG_BYTES
                || parameters.getNonce().length != GcmEncryptor.NONCE_BYTES) {
            throw new UnopenableMailException("the sealed mail's nonce has not 12 or its tag not 16 bytes");
        }
        return parameters.getNonce();
    }

    private static void decrypt(
            AuthEnvelopedDataParser data, EncryptedContentInfoParser content, GCMModeCipher cipher, OutputStream target)
            throws IOException, InvalidCipherTextException, UnopenableMailException {
        byte[] in = new byte[CHUNK_BYTES];
        byte[] out = new byte[cipher.getUpdateOutputSize(CHUNK_BYTES) + 2 * GcmEncryptor.TAG_BYTES];
        InputStream encrypted = encrypted(content);
        for (int n = encrypted.read(in); n >= 0; n = encrypted.read(in)) {
            write(target, out, cipher.processBytes(in, 0, n, out, 0));
        }
        if (data.getAuthAttrs() != null) {
            throw new UnopenableMailException("the sealed mail has authenticated attributes");
        }
        byte[] tag = data.getMac().getOctets();
        int n = cipher.processBytes(tag, 0, tag.length, out, 0);
        write(target, out, n + cipher.doFinal(out, n));
    }

    private static void openSigned(
            EnvelopedDataParser data, HeadLimit head, OutputStream target, KeySource keys, SignatureCheck signatures)
            throws IOException, GeneralSecurityException, UnopenableMailException {
        data.getOriginatorInfo();
        ASN1Set recipients = ASN1Set.getInstance(data.getRecipientInfos().toASN1Primitive());
        EncryptedContentInfoParser content = data.getEncryptedContentInfo();
        AlgorithmIdentifier algorithm = content.getContentEncryptionAlgorithm();
        Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
        try (MailKey key = keys.contentKey(recipients, algorithm)) {
            byte[] bytes = key.toBytes();
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    new SecretKeySpec(bytes, "AES"),
                    new IvParameterSpec(initialVector(algorithm)));
            Arrays.fill(bytes, (byte) 0);
        }
        head.lift();
        MessageDigest signed = sha256();
        DecryptedStream entity = new DecryptedStream(encrypted(content), cipher);
        Entity found = passOn(entity, target, signed);
        if (!entity.endsWell()) {
            throw altered();
        }
        if (found.isMalformed() || !signatures.isBelieved(found, signed.digest())) {
            throw altered();
        }
        if (!found.isByAuthor && !MailSignature.isFor(found.signature, RecipientNames.digest(recipients))) {
            throw new UnopenableMailException(
                    "the sealed mail was signed for others than it is sealed for: one of them sealed it again");
        }
    }

    /**
     * Form of an entity.
     *
     * @param isByAuthor whether it is an {@link OpaqueMessage}, with its header
     * @param signature  over what was passed on; empty for an author's message, and for what is in none of our forms
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Entity(boolean isByAuthor, byte[] signature) {
        boolean isMalformed() {
            return !isByAuthor && signature.length == 0;
        }
    }

    /** Passes on what is signed; of an author's message all. */
    private static Entity passOn(InputStream entity, OutputStream target, MessageDigest signed) {
        byte[] expected = SignedEntity.HEAD.getBytes(StandardCharsets.US_ASCII);
        try {
            byte[] head = entity.readNBytes(expected.length);
            if (Arrays.equals(head, expected)) {
                return new Entity(false, new SignedDataReader(entity, target, signed).read());
            }
            ByteArrayOutputStream header = new ByteArrayOutputStream();
            InputStream all = new SequenceInputStream(new ByteArrayInputStream(head), entity);
            boolean isByAuthor = isByAuthor(new TeeInputStream(all, header));
            MultipartSignedReader former = new MultipartSignedReader(target, signed);
            OutputStream to = isByAuthor ? target : former;
            write(to, header.toByteArray(), header.size());
            byte[] in = new byte[CHUNK_BYTES];
            for (int n = all.read(in); n >= 0; n = all.read(in)) {
                write(to, in, n);
            }
            return new Entity(isByAuthor, isByAuthor ? new byte[0] : former.end());
        } catch (IOException e) {
            return new Entity(false, new byte[0]); // the entity remembers it
        }
    }

    /** Tells if an entity begins with a header that protects an author's message; reads that header. */
    private static boolean isByAuthor(InputStream entity) throws IOException {
        try {
            MailHeader.Split split = MailHeader.read(entity);
            return split.start().length == 0
                    && HeaderProtection.isProtected(split.header())
                    && OpaqueMessage.isOfType(split.header());
        } catch (MalformedMailException e) {
            return false; // too long
        }
    }

    private static byte[] initialVector(AlgorithmIdentifier algorithm) throws UnopenableMailException {
        if (!NISTObjectIdentifiers.id_aes256_CBC.equals(algorithm.getAlgorithm())) {
            throw new UnopenableMailException("the sealed mail is not encrypted by AES-256-CBC");
        }
        byte[] vector = ASN1OctetString.getInstance(algorithm.getParameters()).getOctets();
        if (vector.length != CBC_BLOCK_BYTES) {
            throw new UnopenableMailException("the sealed mail's initialization vector has not 16 bytes");
        }
        return vector;
    }

    private static InputStream encrypted(EncryptedContentInfoParser content)
            throws IOException, UnopenableMailException {
        if (!(content.getEncryptedContent(BERTags.OCTET_STRING) instanceof ASN1OctetStringParser octets)) {
            throw new UnopenableMailException("the sealed mail has no content");
        }
        return octets.getOctetStream();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /** Unchecked, to be told from what the parser throws. */
    private static void write(OutputStream target, byte[] bytes, int length) {
        try {
            target.write(bytes, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Ends the stream where the head of a hostile structure gets too long, before it fills memory; remembers whether
     * reading failed.
     */
    private static final class HeadLimit extends InputStream {
        private final InputStream in;
        private long left;
        private boolean failed;

        HeadLimit(InputStream in, long limit) {
            this.in = in;
            this.left = limit;
        }

        void lift() {
            left = Long.MAX_VALUE;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) == 1 ? one[0] & 0xff : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left <= 0) {
                return length == 0 ? 0 : -1;
            }
            failed = true;
            int n = in.read(bytes, offset, (int) Math.min(length, left));
            failed = false;
            left -= Math.max(n, 0);
            return n;
        }
    }
}

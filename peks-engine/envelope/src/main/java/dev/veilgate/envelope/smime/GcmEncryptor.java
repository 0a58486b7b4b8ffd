package dev.veilgate.envelope.smime;

import dev.veilgate.secret.Secret;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.asn1.cms.GCMParameters;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.operator.GenericKey;
import org.bouncycastle.operator.OutputAEADEncryptor;

/**
 * AES-256-GCM of the JDK as Bouncy Castle's CMS generator wants it: what is encrypted flows through, the tag is kept apart. Each key
 * encrypts one content, so the nonce may be anything; it is drawn all the same.
 */
@Secret
final class GcmEncryptor implements OutputAEADEncryptor {
    static final int NONCE_BYTES = 12;
    static final int TAG_BYTES = 16;

    private final SecretKeySpec key;
    private final byte[] nonce;
    private final Cipher cipher;
    private byte[] tag = new byte[0];

    GcmEncryptor(MailKey contentKey, byte[] nonce) throws GeneralSecurityException {
        byte[] bytes = contentKey.toBytes();
        this.key = new SecretKeySpec(bytes, "AES");
        Arrays.fill(bytes, (byte) 0);
        this.nonce = nonce;
        this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(8 * TAG_BYTES, nonce));
    }

    @Override
    public AlgorithmIdentifier getAlgorithmIdentifier() {
        return new AlgorithmIdentifier(
                NISTObjectIdentifiers.id_aes256_GCM, new GCMParameters(nonce, TAG_BYTES).toASN1Primitive());
    }

    @Override
    public GenericKey getKey() {
        return new GenericKey(getAlgorithmIdentifier(), key.getEncoded());
    }

    @Override
    public OutputStream getOutputStream(OutputStream out) {
        return new Encrypting(out);
    }

    /** Authenticated attributes, which a content of type id-data has none of (RFC 5083, section 2.1). */
    @Override
    public OutputStream getAADStream() {
        return OutputStream.nullOutputStream();
    }

    @Override
    public byte[] getMAC() {
        return tag.clone();
    }

    private final class Encrypting extends FilterOutputStream {
        private boolean closed;

        Encrypting(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            byte[] encrypted = cipher.update(bytes, offset, length);
            if (encrypted != null) {
                out.write(encrypted);
            }
        }

        @Override
        public void close() throws IOException {
            if (closed) {
                return;
            }
            closed = true;
            try {
                byte[] last = cipher.doFinal();
                int split = last.length - TAG_BYTES;
                out.write(last, 0, split);
                tag = Arrays.copyOfRange(last, split, last.length);
            } catch (GeneralSecurityException e) {
                throw new IOException("AES-GCM refused the content", e);
            }
            // The stream below is closed by the generator.
        }
    }
}

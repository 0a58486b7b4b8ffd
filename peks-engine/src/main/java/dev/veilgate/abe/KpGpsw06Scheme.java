package dev.veilgate.abe;

import dev.veilgate.abe.kem.OutsourcedKem;
import dev.veilgate.abe.kp.gpsw06.Ciphertext;
import dev.veilgate.abe.kp.gpsw06.Gpsw06;
import dev.veilgate.abe.kp.gpsw06.KeyPair;
import dev.veilgate.abe.kp.gpsw06.MasterKey;
import dev.veilgate.abe.kp.gpsw06.PublicKey;
import dev.veilgate.abe.kp.gpsw06.SecretKey;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.CoinStream;

/** {@link Gpsw06} at the door. */
final class KpGpsw06Scheme implements Scheme<PublicKey, MasterKey, SecretKey, AttributeSet, Ciphertext> {
    private final Gpsw06 scheme = new Gpsw06();

    @Override
    public OutsourcedKem<PublicKey, SecretKey, AttributeSet, Ciphertext> kem() {
        return scheme;
    }

    @Override
    public boolean keysHavePolicies() {
        return true;
    }

    @Override
    public Keys<PublicKey, MasterKey> setup(CoinStream coins) {
        KeyPair pair = scheme.setup(coins);
        return new Keys<>(pair.publicKey(), pair.masterKey());
    }

    @Override
    public SecretKey keyGen(PublicKey publicKey, MasterKey masterKey, Label label, CoinStream coins) {
        return scheme.keyGen(masterKey, ((Label.OfPolicy) label).policy(), coins);
    }

    @Override
    public Label keyLabel(SecretKey key) {
        return new Label.OfPolicy(key.policy());
    }

    @Override
    public AttributeSet descriptor(Label label) {
        return ((Label.OfAttributes) label).attributes();
    }

    @Override
    public Label label(AttributeSet attributes) {
        return new Label.OfAttributes(attributes);
    }

    @Override
    public byte[] encodeMasterKey(MasterKey key) {
        return scheme.encodeMasterKey(key);
    }

    @Override
    public MasterKey decodeMasterKey(byte[] bytes) throws MalformedEncodingException {
        return scheme.decodeMasterKey(bytes);
    }

    @Override
    public void destroyMasterKey(MasterKey key) {
        key.destroy();
    }

    @Override
    public void destroyKey(SecretKey key) {
        key.destroy();
    }
}

package dev.veilgate.abe;

import dev.veilgate.abe.fabeo22.Fabeo22Kp;
import dev.veilgate.abe.fabeo22.KeyPair;
import dev.veilgate.abe.fabeo22.KpCiphertext;
import dev.veilgate.abe.fabeo22.KpSecretKey;
import dev.veilgate.abe.fabeo22.MasterKey;
import dev.veilgate.abe.fabeo22.PublicKey;
import dev.veilgate.abe.kem.OutsourcedKem;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.CoinStream;

/** {@link Fabeo22Kp} at the door. */
final class KpFabeo22Scheme implements Scheme<PublicKey, MasterKey, KpSecretKey, AttributeSet, KpCiphertext> {
    private final Fabeo22Kp scheme = new Fabeo22Kp();

    @Override
    public OutsourcedKem<PublicKey, KpSecretKey, AttributeSet, KpCiphertext> kem() {
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
    public KpSecretKey keyGen(PublicKey publicKey, MasterKey masterKey, Label label, CoinStream coins) {
        return scheme.keyGen(masterKey, ((Label.OfPolicy) label).policy(), coins);
    }

    @Override
    public Label keyLabel(KpSecretKey key) {
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
    public void destroyKey(KpSecretKey key) {
        key.destroy();
    }
}

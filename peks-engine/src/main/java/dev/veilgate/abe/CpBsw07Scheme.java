package dev.veilgate.abe;

import dev.veilgate.abe.cp.bsw07.Bsw07;
import dev.veilgate.abe.cp.bsw07.Ciphertext;
import dev.veilgate.abe.cp.bsw07.KeyPair;
import dev.veilgate.abe.cp.bsw07.MasterKey;
import dev.veilgate.abe.cp.bsw07.PublicKey;
import dev.veilgate.abe.cp.bsw07.SecretKey;
import dev.veilgate.abe.kem.OutsourcedKem;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.CoinStream;

/** {@link Bsw07} at the door. */
final class CpBsw07Scheme implements Scheme<PublicKey, MasterKey, SecretKey, Policy, Ciphertext> {
    private final Bsw07 scheme = new Bsw07();

    @Override
    public OutsourcedKem<PublicKey, SecretKey, Policy, Ciphertext> kem() {
        return scheme;
    }

    @Override
    public boolean keysHavePolicies() {
        return false;
    }

    @Override
    public Keys<PublicKey, MasterKey> setup(CoinStream coins) {
        KeyPair pair = scheme.setup(coins);
        return new Keys<>(pair.publicKey(), pair.masterKey());
    }

    @Override
    public SecretKey keyGen(PublicKey publicKey, MasterKey masterKey, Label label, CoinStream coins) {
        return scheme.keyGen(masterKey, ((Label.OfAttributes) label).attributes(), coins);
    }

    @Override
    public boolean canDelegate() {
        return true;
    }

    @Override
    public SecretKey delegate(PublicKey publicKey, SecretKey key, Label label, CoinStream coins) {
        return scheme.delegate(publicKey, key, ((Label.OfAttributes) label).attributes(), coins);
    }

    @Override
    public Label keyLabel(SecretKey key) {
        return new Label.OfAttributes(key.attributes());
    }

    @Override
    public Policy descriptor(Label label) {
        return ((Label.OfPolicy) label).policy();
    }

    @Override
    public Label label(Policy policy) {
        return new Label.OfPolicy(policy);
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

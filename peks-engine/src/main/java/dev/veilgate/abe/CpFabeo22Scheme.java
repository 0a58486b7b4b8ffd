package dev.veilgate.abe;

import dev.veilgate.abe.fabeo22.CpCiphertext;
import dev.veilgate.abe.fabeo22.CpSecretKey;
import dev.veilgate.abe.fabeo22.Fabeo22Cp;
import dev.veilgate.abe.fabeo22.KeyPair;
import dev.veilgate.abe.fabeo22.MasterKey;
import dev.veilgate.abe.fabeo22.PublicKey;
import dev.veilgate.abe.kem.OutsourcedKem;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.CoinStream;

/** {@link Fabeo22Cp} at the door. */
final class CpFabeo22Scheme implements Scheme<PublicKey, MasterKey, CpSecretKey, Policy, CpCiphertext> {
    private final Fabeo22Cp scheme = new Fabeo22Cp();

    @Override
    public OutsourcedKem<PublicKey, CpSecretKey, Policy, CpCiphertext> kem() {
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
    public CpSecretKey keyGen(PublicKey publicKey, MasterKey masterKey, Label label, CoinStream coins) {
        return scheme.keyGen(masterKey, ((Label.OfAttributes) label).attributes(), coins);
    }

    @Override
    public Label keyLabel(CpSecretKey key) {
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
    public void destroyKey(CpSecretKey key) {
        key.destroy();
    }
}

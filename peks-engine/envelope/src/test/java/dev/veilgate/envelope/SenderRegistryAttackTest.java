package dev.veilgate.envelope;

import static dev.veilgate.envelope.SenderRegistryTest.AUTHORITY;
import static dev.veilgate.envelope.SenderRegistryTest.PINNED;
import static dev.veilgate.envelope.SenderRegistryTest.expected;
import static dev.veilgate.envelope.SenderRegistryTest.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.TestSeed;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody who can write where the registry lies, and an authority's software that is wrong. */
class SenderRegistryAttackTest {
    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("acme.senders");
    }

    private byte[] registry(long serial, SigningKey authority, String... names) throws Exception {
        SenderRegistryTest.write(file(), serial, authority, names);
        return Files.readAllBytes(file());
    }

    private void assertRefused(byte[] bytes, Class<? extends Exception> kind, String why) throws Exception {
        Files.write(file(), bytes);
        assertThatThrownBy(() -> SenderRegistry.open(file(), expected()).close())
                .isInstanceOf(kind)
                .hasMessageContaining(why);
        Path own = Files.createDirectories(folder.resolve("own"));
        assertThatThrownBy(() -> SenderRegistry.copied(file(), own, expected()).close())
                .isInstanceOf(kind)
                .hasMessageContaining(why);
    }

    /** A registry whose head is signed for whatever follows it. */
    private static byte[] signed(int count, SenderPublicKey... entries) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        var all = Hashes.sha256();
        for (SenderPublicKey entry : entries) {
            body.writeBytes(new CborWriter(2300).bytes(entry.encode()).toByteArray());
            all.update(Hashes.sha256(entry.encode()));
        }
        return concat(new SenderRegistryHead("acme", 9, count, all.digest()).sign(AUTHORITY), body.toByteArray());
    }

    private static byte[] concat(byte[] head, byte[] body) {
        byte[] whole = Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, whole, head.length, body.length);
        return whole;
    }

    private static byte[] head(byte[] registry, int entries) {
        return Arrays.copyOf(registry, registry.length - entries * bytesOf("press-1"));
    }

    private static int bytesOf(String name) {
        return 3 + key(name).encode().length;
    }

    @Test
    void refusesAnotherAuthority() throws Exception {
        SigningKey other = SigningKey.generate("acme", new SecureRandom());
        assertRefused(registry(1, other, "press-1"), RefusedRegistryException.class, "another authority");
    }

    @Test
    void refusesAnotherTenants() throws Exception {
        Files.write(file(), registry(1, AUTHORITY, "press-1"));
        assertThatThrownBy(() -> SenderRegistry.open(file(), new SenderRegistry.Expected(PINNED, "globex", 0)))
                .isInstanceOf(RefusedRegistryException.class)
                .hasMessageContaining("of the tenant acme");
    }

    @Test
    void refusesAnOlderOneThanWasSeen() throws Exception {
        Files.write(file(), registry(4, AUTHORITY, "press-1"));
        SenderRegistry.open(file(), new SenderRegistry.Expected(PINNED, "acme", 4))
                .close();
        assertThatThrownBy(() -> SenderRegistry.open(file(), new SenderRegistry.Expected(PINNED, "acme", 5)))
                .isInstanceOf(RefusedRegistryException.class)
                .hasMessageContaining("serial 4")
                .hasMessageContaining("serial 5 was seen");
    }

    @Test
    void refusesTheHeadOfOneBeforeTheEntriesOfAnother() throws Exception {
        byte[] one = registry(1, AUTHORITY, "press-1", "press-2");
        byte[] other = registry(2, AUTHORITY, "press-1", "press-3");
        byte[] entries = Arrays.copyOfRange(other, head(other, 2).length, other.length);
        assertRefused(concat(head(one, 2), entries), RefusedRegistryException.class, "was altered");
    }

    @Test
    void refusesEntriesThatAreCutOffOrTooMany() throws Exception {
        byte[] whole = registry(1, AUTHORITY, "press-1", "press-2", "press-3");
        int one = bytesOf("press-1");
        for (int cut : new int[] {1, 100, one, one + 1, 2 * one, 3 * one, 3 * one + 1, whole.length}) {
            Files.write(file(), Arrays.copyOf(whole, whole.length - cut));
            assertThatThrownBy(() -> SenderRegistry.open(file(), expected()).close())
                    .as("cut by " + cut)
                    .isInstanceOf(MalformedEncodingException.class);
        }
        assertRefused(Arrays.copyOf(whole, whole.length + 1), MalformedEncodingException.class, "more bytes");
        assertRefused(signed(3, key("press-1"), key("press-2")), MalformedEncodingException.class, "is cut off");
        assertRefused(signed(1, key("press-1"), key("press-2")), MalformedEncodingException.class, "more bytes");
        assertRefused(
                signed(SenderRegistryHead.MAX_SENDERS, key("press-1")), MalformedEncodingException.class, "is cut off");
    }

    @Test
    void refusesTwoEntriesOfANameAndOthersOutOfOrderEvenIfTheyAreSigned() throws Exception {
        SenderPublicKey again = new SenderPublicKey(
                "press-1", key("press-2").ed25519(), key("press-2").mlDsa65());
        assertRefused(signed(2, key("press-1"), again), MalformedEncodingException.class, "each once");
        assertRefused(signed(2, key("press-2"), key("press-1")), MalformedEncodingException.class, "ascending");
        Files.write(file(), signed(2, key("press-1"), key("press-2")));
        SenderRegistry.open(file(), expected()).close(); // so it was not for anything else
    }

    @Test
    void aSignatureForABundleIsNoneForARegistry() throws Exception {
        byte[] whole = registry(1, AUTHORITY, "press-1");
        byte[] head = head(whole, 1);
        byte[] body = new byte[53];
        byte[] bundleSignature = AUTHORITY.sign(
                "veilgate/bundle/1",
                Arrays.copyOfRange(
                        head,
                        head.length - SenderPublicKey.SIGNATURE_BYTES - 3 - body.length,
                        head.length - SenderPublicKey.SIGNATURE_BYTES - 3));
        byte[] swapped = whole.clone();
        System.arraycopy(
                bundleSignature, 0, swapped, head.length - SenderPublicKey.SIGNATURE_BYTES, bundleSignature.length);
        assertRefused(swapped, RefusedRegistryException.class, "not signed");
    }

    /** Whatever is altered, nobody gets another key or misses one. */
    @Test
    void everyAlterationIsFound() throws Exception {
        byte[] whole = registry(1, AUTHORITY, "press-1", "press-2", "press-3");
        SplittableRandom random = TestSeed.of(SenderRegistryAttackTest.class).random("alterations");
        for (int i = 0; i < 500; i++) {
            byte[] bad = whole.clone();
            bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file(), bad);
            assertThatThrownBy(() -> SenderRegistry.open(file(), expected()).close())
                    .isInstanceOfAny(MalformedEncodingException.class, RefusedRegistryException.class);
        }
        Files.write(file(), whole);
        SenderRegistry.open(file(), expected()).close();
    }

    @Test
    void refusesWhatIsNoRegistry() throws Exception {
        assertRefused(new byte[0], MalformedEncodingException.class, "is empty");
        assertRefused(new byte[5000], MalformedEncodingException.class, "sender-registry");
        byte[] endless = new byte[1 << 16];
        Arrays.fill(endless, (byte) 0x9b);
        assertRefused(endless, MalformedEncodingException.class, "sender-registry");
        byte[] bundle =
                new CborWriter(100).array(5).text("veilgate-bundle").integer(1).toByteArray();
        assertRefused(bundle, MalformedEncodingException.class, "sender-registry");
        assertThat(folder.resolve("own")).isEmptyDirectory();
    }
}

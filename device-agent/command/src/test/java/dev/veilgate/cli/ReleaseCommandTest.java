package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Locale;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.crypto.params.SLHDSAPublicKeyParameters;
import org.bouncycastle.crypto.signers.SLHDSASigner;
import org.bouncycastle.crypto.util.PublicKeyFactory;
import org.bouncycastle.openssl.PEMParser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The second signature of a release, made and verified. */
class ReleaseCommandTest {
    @TempDir
    private Path folder;

    private final CommandRun run = new CommandRun();
    private Path key;
    private Path pem;
    private Path sums;
    private Path signature;
    private String publicKey = "";

    @BeforeEach
    void sign() throws IOException {
        key = folder.resolve("release.key");
        pem = folder.resolve("release.pem");
        sums = Files.writeString(folder.resolve("SHA256SUMS"), "00  veilgate-0.1.0.tar.gz\n");
        signature = folder.resolve("SHA256SUMS.slh");
        publicKey = run.ok("release", "key", "--memory", "8", key, pem)
                .out()
                .strip()
                .replace("public key ", "");
        run.ok("release", "sign", "--key", key, sums);
    }

    private void assertBad(String with) {
        Result bad = run.run("release", "verify", "--key", with, sums);
        assertThat(bad.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(bad.out()).isEmpty();
        assertThat(bad.err()).contains("BAD signature");
    }

    @Test
    void whatWasSignedVerifies() throws Exception {
        assertThat(publicKey).matches("[0-9a-f]{64}");
        assertThat(signature).hasSize(17_088);
        assertThat(run.ok("release", "verify", "--key", publicKey, sums).out()).endsWith("good signature\n");
        String spaced = publicKey.toUpperCase(Locale.ROOT).replaceAll("(.{4})", "$1 ");
        run.ok("release", "verify", "--key", spaced, sums);
    }

    @Test
    void anotherFileSignatureOrKeyIsBad() throws Exception {
        byte[] good = Files.readAllBytes(signature);
        Files.writeString(sums, "01  veilgate-0.1.0.tar.gz\n");
        assertBad(publicKey);
        Files.writeString(sums, "00  veilgate-0.1.0.tar.gz\n");
        run.ok("release", "verify", "--key", publicKey, sums);
        good[9000] ^= 1;
        Files.write(signature, good);
        assertBad(publicKey);
        Files.write(signature, new byte[0]);
        assertBad(publicKey);
        good[9000] ^= 1;
        Files.write(signature, good);
        assertBad("00".repeat(32));
    }

    /** Other software reads key and signature: nothing about them is ours. */
    @Test
    void otherSoftwareVerifiesIt() throws Exception {
        try (PEMParser parser = new PEMParser(new StringReader(Files.readString(pem)))) {
            SLHDSAPublicKeyParameters read =
                    (SLHDSAPublicKeyParameters) PublicKeyFactory.createKey((SubjectPublicKeyInfo) parser.readObject());
            assertThat(read.getParameters().getName()).isEqualTo("sha2-128f");
            assertThat(HexFormat.of().formatHex(read.getEncoded())).isEqualTo(publicKey);
            SLHDSASigner verifier = new SLHDSASigner();
            verifier.init(false, read);
            assertThat(verifier.verifySignature(Files.readAllBytes(sums), Files.readAllBytes(signature)))
                    .isTrue();
        }
    }

    @Test
    void theSecretKeyIsSealedAndPrivate() throws Exception {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
        Files.delete(signature);
        run.environment.put("VEILGATE_PASSPHRASE", "not the passphrase");
        Result wrong = run.run("release", "sign", "--key", key, sums);
        assertThat(wrong.code()).isEqualTo(ExitCode.KEY);
        assertThat(wrong.err()).contains("wrong passphrase");
        assertThat(signature).doesNotExist();
    }

    @Test
    void nothingIsOverwritten() throws Exception {
        byte[] before = Files.readAllBytes(key);
        assertThat(run.run("release", "key", "--memory", "8", key, folder.resolve("other.pem"))
                        .code())
                .isEqualTo(ExitCode.IO);
        assertThat(Files.readAllBytes(key)).isEqualTo(before);
        Path alone = folder.resolve("alone.key");
        assertThat(run.run("release", "key", "--memory", "8", alone, pem).code())
                .isEqualTo(ExitCode.IO);
        assertThat(alone).as("a secret key without its public one").doesNotExist();
        Result again = run.run("release", "sign", "--key", key, sums);
        assertThat(again.code()).isEqualTo(ExitCode.IO);
        assertThat(again.err()).contains("exists already");
    }

    @Test
    void whatIsNoKeyIsRefused() throws IOException {
        assertThat(run.run("release", "verify", "--key", "abc", sums).err()).contains("64 hex digits");
        Files.delete(signature);
        Result noKey = run.run("release", "sign", "--key", pem, sums);
        assertThat(noKey.code()).isIn(ExitCode.KEY, ExitCode.REFUSED);
        assertThat(run.run("release").code()).isEqualTo(ExitCode.USAGE);
    }
}

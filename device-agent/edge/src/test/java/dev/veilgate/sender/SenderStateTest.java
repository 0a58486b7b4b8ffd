package dev.veilgate.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.SenderKeyText;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sender keeps on its machine. */
class SenderStateTest {
    @TempDir
    private Path temporary;

    @Test
    void remembersItsPlaceAndTheBundle() throws Exception {
        Path file = temporary.resolve("state");
        byte[] digest = new byte[32];
        digest[0] = 7;
        try (SenderState state = SenderState.open(file)) {
            assertThat(state.next().sequence()).isEqualTo(1);
            state.advance(new ChainPosition(5, digest));
            state.acceptedBundle(9);
            assertThatThrownBy(() -> SenderState.open(file))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("another process");
        }
        try (SenderState state = SenderState.open(file)) {
            assertThat(state.next()).isEqualTo(new ChainPosition(5, digest));
            assertThat(state.bundleSerial()).isEqualTo(9);
        }
    }

    @Test
    void refusesDamageInsteadOfBeginningAgain() throws Exception {
        Path file = temporary.resolve("state");
        try (SenderState state = SenderState.open(file)) {
            state.advance(new ChainPosition(5, new byte[32]));
        }
        byte[] good = Files.readAllBytes(file);
        for (int length = 0; length < good.length; length++) {
            Files.write(file, java.util.Arrays.copyOf(good, length));
            assertThatThrownBy(() -> SenderState.open(file)).isInstanceOf(CommandFailure.class);
        }
    }

    @Test
    void identitiesComeBackOrAreRefused() throws Exception {
        Path file = temporary.resolve("id");
        try (SigningKey made = IdentityFile.create(file, "press-4", new SecureRandom());
                SigningKey read = IdentityFile.read(file)) {
            assertThat(read).isEqualTo(made);
            assertThat(SenderKeyText.read("hello\n" + SenderKeyText.write(made.publicKey()) + "bye"))
                    .isEqualTo(made.publicKey());
        }
        byte[] good = Files.readAllBytes(file);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 300; i++) {
            byte[] bad = java.util.Arrays.copyOf(good, random.nextInt(good.length));
            Files.write(file, bad);
            assertThatThrownBy(() -> IdentityFile.read(file))
                    .isInstanceOfSatisfying(
                            CommandFailure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.KEY));
        }
    }

    @Test
    void partsOfLinesSayWhetherTheyEnd() {
        assertThat(LineMedia.endsWithLineFeed(LineMedia.LINE)).isTrue();
        assertThat(LineMedia.endsWithLineFeed(LineMedia.part(3, 1, false))).isFalse();
        assertThat(LineMedia.endsWithLineFeed(LineMedia.part(3, 2, true))).isTrue();
        assertThat(LineMedia.endsWithLineFeed("message/rfc822")).isFalse();
    }
}

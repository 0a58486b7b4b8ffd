package dev.veilgate.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.veilgate.architecture.SecretClasses.Allowed;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.secret.Power;
import dev.veilgate.secret.Secret;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.crypto.spec.SecretKeySpec;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** That the tests of secrets fail for what they are there to find. */
@SuppressWarnings({"UnusedVariable", "UnusedMethod"}) // of the classes that are looked at
class SecretClassesTest {
    static final class ForgottenSecretKey {}

    static final class Erased {
        void destroy() {}
    }

    static final class Wiped implements AutoCloseable {
        private final byte[] bytes = new byte[32];

        @Override
        public void close() {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    static final class Holder {
        Optional<SigningKey> held = Optional.empty();
    }

    static final class HoldsKeyOfJdk {
        private final List<SecretKeySpec> keys = List.of();
    }

    static final class HoldsPassphrase {
        private final char[] newPassphrase = new char[0];
    }

    record Encapsulated(byte[] ciphertext, byte[] secret) {}

    record Seeds(Optional<byte[]> seedOfEpoch) {}

    static final class MakesKeys {
        private SigningKey[] made(byte[] seed) {
            throw new UnsupportedOperationException("from " + seed.length + " bytes");
        }
    }

    static final class MakesKeysOfJdk {
        private ECPrivateKey made() {
            throw new UnsupportedOperationException();
        }
    }

    @Secret
    static final class Marked {
        static final class Nested {
            void destroy() {}
        }

        void destroy() {}
    }

    static final class Harmless {
        List<String> names = List.of();
        byte[] publicKey = {};
        byte[] monkey = {};
        String passphraseFile = "";
        int keyBytes = 32;
    }

    @Test
    void findsWhatLooksSecretAndIsNotMarked() {
        for (Class<?> type : List.of(
                ForgottenSecretKey.class,
                Erased.class,
                Wiped.class,
                Holder.class,
                HoldsKeyOfJdk.class,
                HoldsPassphrase.class,
                Encapsulated.class,
                Seeds.class,
                MakesKeys.class,
                MakesKeysOfJdk.class)) {
            assertThatThrownBy(() -> MarkedSecrets.requireMarked(classes(type), Map.of()))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining(type.getName());
            MarkedSecrets.requireMarked(classes(type), Map.of(type.getName(), "why"));
        }
        MarkedSecrets.requireMarked(
                classes(Marked.class, Marked.Nested.class, Harmless.class, Signs.class, Secret.class), Map.of());
    }

    @Test
    void refusesExceptionsThatAreNone() {
        for (String idle : List.of(Marked.class.getName(), Harmless.class.getName(), "dev.veilgate.Gone")) {
            assertThatThrownBy(() ->
                            MarkedSecrets.requireMarked(classes(Marked.class, Harmless.class), Map.of(idle, "why")))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining(idle);
        }
    }

    static final class Signs {
        boolean signs(Holder holder) {
            return holder.held.map(SigningKey::publicKey).isPresent();
        }

        void forget(KemSecretKey[] keys) {
            Arrays.fill(keys, null);
        }
    }

    @Test
    void findsUsesOfSecretsThatAreNotAllowed() {
        Allowed signing = new Allowed("dev.veilgate.architecture..", SigningKey.class, "why");
        Allowed opening = new Allowed("dev.veilgate.architecture..", KemSecretKey.class, "why");
        Allowed elsewhere = new Allowed("dev.veilgate.sender..", KemSecretKey.class, "why");
        Allowed idle = new Allowed("dev.veilgate.architecture..", EnvelopeOpener.class, "why");
        SecretClasses.requireUnused(classes(Signs.class), signing, opening);
        SecretClasses.requireUnused(classes(Harmless.class));
        assertThatThrownBy(() -> SecretClasses.requireUnused(classes(Signs.class), signing))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(KemSecretKey.class.getName());
        assertThatThrownBy(() -> SecretClasses.requireUnused(classes(Signs.class), signing, elsewhere))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(KemSecretKey.class.getName());
        assertThatThrownBy(() -> SecretClasses.requireUnused(classes(Signs.class), signing, opening, idle))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("allowed, and not used");
    }

    /** A package that was renamed, or class files that cannot be read, would leave none. */
    @Test
    void refusesToHoldOfNoClasses() {
        for (ThrowingCallable check : List.<ThrowingCallable>of(
                () -> MarkedSecrets.requireMarked(classes(), Map.of()), () -> SecretClasses.requireUnused(classes()))) {
            assertThatThrownBy(check).isInstanceOf(AssertionError.class).hasMessageContaining("classes to look at");
        }
    }

    static final class Opens {
        EnvelopeOpener opens(TenantKeys keys) {
            return keys.opener();
        }
    }

    static final class OpensByReference {
        static final Function<TenantKeys, EnvelopeOpener> OPENS = TenantKeys::opener;
    }

    @Test
    void findsCallsAndReferencesByThePowerThatTheyExercise() {
        for (Class<?> type : List.of(Opens.class, OpensByReference.class)) {
            assertThatThrownBy(() -> noClasses()
                            .should()
                            .accessTargetWhere(SecretClasses.exercising(Power.READ_ALL, Power.SIGN))
                            .check(classes(type)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("opener");
            noClasses()
                    .should()
                    .accessTargetWhere(SecretClasses.exercising(Power.KEEP_KEYS))
                    .check(classes(type));
        }
    }

    @Test
    void classesOnTheClassPathAreThoseOfTheProduct() {
        assertThat(ClassPath.classes().contain(TenantKeys.class)).isTrue();
        assertThat(ClassPath.classes().contain(SecretClassesTest.class)).isFalse();
    }

    private static JavaClasses classes(Class<?>... types) {
        return new ClassFileImporter().importClasses(types);
    }
}

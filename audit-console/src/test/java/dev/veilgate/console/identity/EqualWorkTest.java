package dev.veilgate.console.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.application.TestClock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;

/** A login takes the same verifications of hashes for names that there are and that there are not. Counted, not timed. */
class EqualWorkTest {
    private static final String PASSWORD = "right horse";
    private static final String ADA = "{bcrypt}" + new BCryptPasswordEncoder(4).encode(PASSWORD);
    private static final String BEN = "{bcrypt}" + new BCryptPasswordEncoder(5).encode(PASSWORD);
    private static final String EVE = "{bcrypt}" + new BCryptPasswordEncoder(5).encode("her own");

    /** Remembers the kinds of hashes that it verified. */
    private static final class Counting implements PasswordEncoder {
        private final PasswordEncoder real = PasswordEncoderFactories.createDelegatingPasswordEncoder();
        private final List<String> verified = new ArrayList<>();

        @Override
        public @Nullable String encode(@Nullable CharSequence password) {
            verified.add("encoded");
            return real.encode(password);
        }

        @Override
        public boolean matches(@Nullable CharSequence password, @Nullable String hash) {
            verified.add(EqualWork.kind(String.valueOf(hash)));
            return real.matches(password, hash);
        }
    }

    private final Counting counting = new Counting();
    private final AuthenticationProvider login = EmbeddedProvider.slowed(
            List.of(user("ada", ADA), user("ben", BEN), user("eve", EVE)), counting, new TestClock(), event -> {});

    private static LoginSettings.Login user(String name, String hash) {
        return new LoginSettings.Login(name, hash, "", List.of("auditor"), List.of());
    }

    private boolean letsIn(String name, String password) {
        counting.verified.clear();
        try {
            return login.authenticate(new UsernamePasswordAuthenticationToken(name, password))
                    .isAuthenticated();
        } catch (AuthenticationException e) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ada, right horse, true",
        "ben, right horse, true",
        "eve, her own, true",
        "ada, wrong, false",
        "ben, wrong, false",
        "nobody, wrong, false",
        "nobody, right horse, false",
        "eve, right horse, false" // which is the right one of a hash that stands in
    })
    void eachLoginVerifiesOneHashOfEachKind(String name, String password, boolean isIn) {
        assertThat(letsIn(name, password)).isEqualTo(isIn);
        assertThat(counting.verified).containsExactly("{bcrypt}$2a$04", "{bcrypt}$2a$05");
    }

    @ParameterizedTest
    @CsvSource({"ada", "nobody"})
    void whoIsSlowedDownIsRefusedBeforeAnyVerification(String name) {
        for (int i = 0; i <= LoginAttempts.FREE_OF_NAME; i++) {
            letsIn(name, "wrong");
            assertThat(counting.verified).hasSize(2);
        }
        assertThat(letsIn(name, PASSWORD)).isFalse();
        assertThat(counting.verified).isEmpty();
    }

    @Test
    void aKindIsTheEncodingWithItsCost() {
        assertThat(EqualWork.kind("{bcrypt}$2y$12$abc")).isEqualTo("{bcrypt}$2y$12");
        assertThat(EqualWork.kind("{argon2}$argon2id$v=19$m=16384,t=2,p=1$c2FsdA$aGFzaA"))
                .isEqualTo("{argon2}$argon2id$v=19$m=16384,t=2,p=1");
        assertThat(EqualWork.kind("{scrypt}$100801$c2FsdA$aGFzaA")).isEqualTo("{scrypt}$100801");
        assertThat(EqualWork.kind("{pbkdf2@SpringSecurity_v5_8}0a0b")).isEqualTo("{pbkdf2@SpringSecurity_v5_8}");
        assertThat(EqualWork.kind("{noop}secret")).isEqualTo("{noop}");
    }
}

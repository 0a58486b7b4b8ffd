package dev.veilgate.console.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.application.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Guesses become slow; who knows the password waits little. */
class LoginAttemptsTest {
    private final TestClock clock = new TestClock();
    private final List<LoginEvent> told = new ArrayList<>();
    private final LoginAttempts attempts = new LoginAttempts(List.of("Ada", "ben"), clock, told::add);

    private void guess(String name, String address) {
        attempts.begin(name, address);
        attempts.wrong(name, address);
    }

    private void isRefused(String name, String address) {
        assertThatThrownBy(() -> attempts.begin(name, address)).isInstanceOf(TooManyLoginsException.class);
    }

    private static String address(int number) {
        return "10.1." + number / 256 + "." + number % 256;
    }

    @Test
    void aNameIsGuessedSlowlyFromHoweverManyAddresses() {
        for (String name : List.of("ada", "nobody")) {
            for (int i = 0; i <= LoginAttempts.FREE_OF_NAME; i++) {
                guess(name, address(i));
            }
            isRefused(name, address(100));
            isRefused(name.toUpperCase(Locale.ROOT), address(101));
            clock.advance(Duration.ofSeconds(1));
            guess(name, address(102));
            clock.advance(Duration.ofSeconds(1));
            isRefused(name, address(103));
            clock.advance(Duration.ofSeconds(1));
            guess(name, address(104));
        }
        assertThatCode(() -> attempts.begin("ben", address(0))).doesNotThrowAnyException();
    }

    @Test
    void anAddressGuessesSlowlyOfHoweverManyNames() {
        for (int i = 0; i <= LoginAttempts.FREE_OF_ADDRESS; i++) {
            guess("name-" + i, "2001:db8::" + i);
        }
        isRefused("ben", "2001:db8::ffff");
        assertThatCode(() -> attempts.begin("ben", "2001:db8:0:1::1")).doesNotThrowAnyException();
    }

    @Test
    void manyAtOnceGainNothing() {
        for (int i = 0; i <= LoginAttempts.FREE_OF_NAME; i++) {
            attempts.begin("ada", address(i)); // no answer yet
        }
        isRefused("ada", address(100));
    }

    @Test
    void aRightPasswordForgetsTheWrongOnesOfItsNameAndNotOfItsAddress() {
        for (int i = 0; i < LoginAttempts.FREE_OF_NAME; i++) {
            guess("ada", "10.0.0.1");
        }
        attempts.begin("ada", "10.0.0.1");
        attempts.right("ada", "10.0.0.1");
        for (int i = LoginAttempts.FREE_OF_NAME; i <= LoginAttempts.FREE_OF_ADDRESS; i++) {
            guess("name-" + i, "10.0.0.1");
            attempts.begin("ada", address(i));
            attempts.right("ada", address(i));
        }
        isRefused("ada", "10.0.0.1");
    }

    @Test
    void inventedNamesDoNotMakeARealOneForgotten() {
        for (int i = 0; i <= LoginAttempts.FREE_OF_NAME; i++) {
            guess("ada", address(i));
        }
        for (int i = 0; i < 12_000; i++) {
            attempts.begin("invented-" + i, "172." + (16 + i / 4096) + "." + i / 16 % 256 + "." + i % 16);
        }
        isRefused("ada", address(500));
    }

    @Test
    void isToldOnceUntilThereWasAnHoursRest() {
        for (int i = 0; i < 10; i++) {
            guess("ada", address(i));
            clock.advance(Duration.ofMinutes(2));
        }
        assertThat(told).singleElement().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(LoginEvent.Kind.REFUSED);
            assertThat(event.user()).isEqualTo("Ada");
        });
        clock.advance(Duration.ofMinutes(61));
        for (int i = 0; i <= LoginAttempts.FREE_OF_NAME; i++) {
            guess("ada", address(i));
        }
        assertThat(told).hasSize(2);
        for (int i = 0; i <= LoginAttempts.FREE_OF_NAME; i++) {
            guess("my-password-in-the-wrong-field", address(i));
        }
        assertThat(told.getLast().user()).as("what nobody is called").isEmpty();
    }
}

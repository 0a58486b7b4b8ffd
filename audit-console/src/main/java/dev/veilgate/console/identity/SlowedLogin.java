package dev.veilgate.console.identity;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/** Looks at passwords as often as {@link LoginAttempts} lets it. */
final class SlowedLogin implements AuthenticationProvider {
    private final AuthenticationProvider passwords;
    private final LoginAttempts attempts;

    SlowedLogin(AuthenticationProvider passwords, LoginAttempts attempts) {
        this.passwords = passwords;
        this.attempts = attempts;
    }

    @Override
    public @Nullable Authentication authenticate(Authentication given) {
        String address =
                given.getDetails() instanceof WebAuthenticationDetails details ? details.getRemoteAddress() : "";
        attempts.begin(given.getName(), address);
        try {
            Authentication right = passwords.authenticate(given);
            attempts.right(given.getName(), address);
            return right;
        } catch (BadCredentialsException e) {
            attempts.wrong(given.getName(), address);
            throw e;
        }
    }

    @Override
    public boolean supports(Class<?> type) {
        return passwords.supports(type);
    }
}

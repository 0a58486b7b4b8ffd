package dev.veilgate.proxy;

import java.time.Duration;

/**
 * What one client may hold of the proxy, as at the gateway.
 *
 * @param login       within this a connection must have logged in, where logins are needed
 * @param progress    within this a client must send a whole command or {@link ConnectionGuard#PROGRESS_BYTES} of a message
 * @param errors      commands that were refused before a login; then the connection is closed
 * @param commands    commands since the last message; then the connection is closed
 * @param connections open at once, in all
 * @param perClient   open at once from one address, where others can connect
 */
record ConnectionLimits(Duration login, Duration progress, int errors, int commands, int connections, int perClient) {
    static final ConnectionLimits DEFAULT =
            new ConnectionLimits(Duration.ofMinutes(1), Duration.ofMinutes(5), 20, 1_500, 512, 32);
}

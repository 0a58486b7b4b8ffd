package dev.veilgate.gateway.access;

import dev.veilgate.gateway.access.Principal.Kind;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Access to one tenant, as a holder of {@link Right#ACCESS} of that tenant changes it. It gives the right to send and nothing else, and touches nothing that
 * is another tenant's or may do more, so that nobody gains a right by it. It changes the access file, as the command {@code access} does; what was
 * changed counts here at once, and within seconds at a gateway that shares the file.
 *
 * <p>Names are unique in the whole file: that a name is taken tells a tenant that somebody else has it.
 */
public final class TenantAccess {
    /** Longest name. */
    public static final int MAX_NAME = 255;

    private static final Set<Right> SENDING = Set.of(Right.INGEST);
    private static final int TRIES = 20;
    private static final long PAUSE_MILLIS = 50;

    private final AccessFile access;
    private final SecureRandom random;

    TenantAccess(AccessFile access, SecureRandom random) {
        this.access = access;
        this.random = random;
    }

    /** Who has access to the tenant, by kind and name. */
    public List<Principal> list(String tenant) {
        access.refresh();
        return access.principals().stream()
                .filter(principal -> principal.tenant().equals(tenant))
                .sorted(Comparator.comparing(Principal::kind).thenComparing(Principal::name))
                .toList();
    }

    /**
     * Lets a device, a mail user or the holder of a token send for the tenant, in place of what it had under this name.
     *
     * @param name 1 to {@value #MAX_NAME} characters without control characters
     * @return the new secret, which is nowhere else
     * @throws ForeignAccessException if the name is another tenant's or may do more than send: a device with topics to subscribe to may
     * @throws IOException            if the file cannot be changed
     */
    public String grant(Kind kind, String name, String tenant) throws IOException, ForeignAccessException {
        if (!isName(name)) {
            throw new IllegalArgumentException("a name has 1 to " + MAX_NAME + " characters, none a control character");
        }
        Principal sender = new Principal(kind, name, tenant, SENDING, Set.of());
        return change(() -> AccessFile.grant(access.file(), sender, random, old -> {
            if (!isSendersOf(old, tenant) || !old.topics().isEmpty()) {
                throw new ForeignAccessException();
            }
        }));
    }

    /**
     * Takes access away that {@link #grant} could have given, also that of a device with topics.
     *
     * @return whether the tenant had such a one
     * @throws ForeignAccessException if it may do more than send
     * @throws IOException            if the file cannot be changed
     */
    public boolean revoke(Kind kind, String name, String tenant) throws IOException, ForeignAccessException {
        if (list(tenant).stream()
                .noneMatch(own -> own.kind() == kind && own.name().equals(name))) {
            return false; // nor is it told whether another tenant has one
        }
        return change(() -> AccessFile.revoke(access.file(), kind, name, old -> {
            if (!isSendersOf(old, tenant)) {
                throw new ForeignAccessException();
            }
        }));
    }

    /** Whether it may be a name. */
    public static boolean isName(String name) {
        return !name.isEmpty() && name.length() <= MAX_NAME && name.chars().noneMatch(Character::isISOControl);
    }

    private static boolean isSendersOf(Principal principal, String tenant) {
        return principal.tenant().equals(tenant) && principal.rights().equals(SENDING);
    }

    @FunctionalInterface
    private interface Change<T> {
        T run() throws IOException, ForeignAccessException;
    }

    /** One after the other; a command that changes the file at the same moment is waited for. */
    private synchronized <T> T change(Change<T> change) throws IOException, ForeignAccessException {
        for (int tried = 1; ; tried++) {
            try {
                T result = change.run();
                access.refresh();
                return result;
            } catch (AccessFile.BusyException e) {
                if (tried == TRIES) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the access file", e);
        }
    }
}

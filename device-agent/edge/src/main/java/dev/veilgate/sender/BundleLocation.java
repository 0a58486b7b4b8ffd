package dev.veilgate.sender;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/** Where the tenant's public bundle is: in a file, or at an address of its console. What it holds is verified the same, so neither has to be trusted. */
public sealed interface BundleLocation {
    /** In a file, which somebody else replaces. */
    record OfFile(Path file) implements BundleLocation {
        @Override
        public String toString() {
            return file.toString();
        }
    }

    /** At an address, which is looked at from time to time. */
    record OfUrl(URI url) implements BundleLocation {
        @Override
        public String toString() {
            return url.toString();
        }
    }

    /**
     * As somebody wrote it. What begins like an address must be one: https, or http on this machine, where nobody listens in.
     *
     * @throws IllegalArgumentException saying what is allowed
     */
    static BundleLocation parse(String text) {
        if (!text.matches("[A-Za-z][A-Za-z0-9+.-]*://.*")) {
            try {
                return new OfFile(Path.of(text));
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException(
                        "must be a file, or an address such as https://audit.example.org/bundle", e);
            }
        }
        try {
            URI url = new URI(text);
            boolean plain = url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null;
            if (plain && ("https".equals(url.getScheme()) || "http".equals(url.getScheme()) && isLoopback(url))) {
                return new OfUrl(url);
            }
        } catch (URISyntaxException e) {
            // said below
        }
        throw new IllegalArgumentException("must be a file, or an address such as https://audit.example.org/bundle"
                + " without user, query or fragment; http:// is for this machine only");
    }

    private static boolean isLoopback(URI url) {
        return Set.of("localhost", "127.0.0.1", "[::1]").contains(url.getHost().toLowerCase(Locale.ROOT));
    }
}

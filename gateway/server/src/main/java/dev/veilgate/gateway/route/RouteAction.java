package dev.veilgate.gateway.route;

import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What a route does with an envelope that it finds.
 *
 * @param kind   how
 * @param target mail address, topic or URL
 */
record RouteAction(Kind kind, String target) {
    private static final int MAX_TARGET = 2048;
    private static final Pattern ADDRESS = Pattern.compile("[!-~&&[^\"(),:;<>@\\[\\]\\\\]]{1,64}@[A-Za-z0-9.-]{1,255}");
    private static final Pattern TOPIC = Pattern.compile("[!-~&&[^+#$]][ -~&&[^+#]]{0,254}");

    enum Kind {
        /** By SMTP. */
        FORWARD,
        /** A notice to a topic of the MQTT broker. */
        TOPIC,
        /** A notice by HTTP. */
        WEBHOOK;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Kind of(String label) {
            return Arrays.stream(values())
                    .filter(kind -> kind.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("type must be forward, topic or webhook"));
        }
    }

    /** @throws IllegalArgumentException saying what a target must be, for whoever installs the route */
    RouteAction {
        check(target.length() <= MAX_TARGET, "target must have at most " + MAX_TARGET + " characters");
        switch (kind) {
            case FORWARD -> check(ADDRESS.matcher(target).matches(), "target must be a mail address");
            case TOPIC ->
                check(
                        TOPIC.matcher(target).matches() && !target.startsWith("veilgate/v1/"),
                        "target must be a topic in ASCII, without wildcards, and not one of envelopes");
            case WEBHOOK -> check(isWebUrl(target), "target must be an http or https URL without user and fragment");
        }
    }

    private static boolean isWebUrl(String target) {
        try {
            URI uri = URI.create(target);
            return ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawFragment() == null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}

package dev.veilgate.gateway.access;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A line of the access file.
 *
 * <pre>
 *   token name=auditor tenant=acme rights=search,senders scopes=plant-7 sha256=...
 *   device name=press-4 tenant=acme topics=veilgate/alerts/# sha256=...
 *   mail name=alice@acme.example tenant=acme sha256=...
 * </pre>
 *
 * <p>Values are percent-encoded. The secret is 32 random bytes that this software made, so one round of SHA-256 is enough.
 *
 * @param digest SHA-256 of the secret
 */
@SuppressWarnings("ArrayRecordComponent")
record AccessEntry(Principal principal, byte[] digest) {
    private static final Set<String> KEYS = Set.of("name", "tenant", "rights", "scopes", "topics", "sha256");

    String line() {
        StringBuilder line = new StringBuilder(principal.kind().name().toLowerCase(Locale.ROOT));
        line.append(" name=").append(encode(principal.name()));
        line.append(" tenant=").append(encode(principal.tenant()));
        if (principal.kind() == Principal.Kind.TOKEN) {
            append(line, "rights", principal.rights().stream().map(Right::label).collect(Collectors.toSet()));
        }
        append(line, "scopes", principal.scopes());
        append(line, "topics", principal.topics());
        return line.append(" sha256=").append(HexFormat.of().formatHex(digest)).toString();
    }

    private static void append(StringBuilder line, String key, Set<String> values) {
        if (!values.isEmpty()) {
            line.append(' ').append(key).append('=');
            line.append(new TreeSet<>(values).stream().map(AccessEntry::encode).collect(Collectors.joining(",")));
        }
    }

    /** @throws IllegalArgumentException saying what is wrong, never quoting a digest */
    static AccessEntry parse(String line) {
        String[] words = line.strip().split("\\s+");
        Principal.Kind kind = kind(words[0]);
        Map<String, String> values = new HashMap<>();
        for (String word : Arrays.copyOfRange(words, 1, words.length)) {
            int equals = word.indexOf('=');
            String key = equals < 0 ? word : word.substring(0, equals);
            if (equals < 0 || !KEYS.contains(key) || values.put(key, word.substring(equals + 1)) != null) {
                throw new IllegalArgumentException(
                        "after the kind come name=, tenant=, rights=, scopes=, topics=, sha256=, each once");
            }
        }
        String sha256 = values.getOrDefault("sha256", "");
        if (!values.containsKey("name") || !values.containsKey("tenant") || !sha256.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("name=, tenant= and sha256= (64 hex digits) are needed");
        }
        Set<Right> rights =
                kind == Principal.Kind.TOKEN ? set(values.get("rights"), AccessEntry::right) : Set.of(Right.INGEST);
        Principal principal = new Principal(
                kind,
                decode(values.get("name")),
                decode(values.get("tenant")),
                rights,
                set(values.get("scopes"), Function.identity()),
                set(values.get("topics"), Function.identity()));
        return new AccessEntry(principal, HexFormat.of().parseHex(sha256));
    }

    private static Principal.Kind kind(String word) {
        return Arrays.stream(Principal.Kind.values())
                .filter(kind -> kind.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a line begins with token, device or mail"));
    }

    static Right right(String label) {
        return Arrays.stream(Right.values())
                .filter(right -> right.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("rights are " + Right.labels()));
    }

    private static <T> Set<T> set(@Nullable String values, Function<String, T> of) {
        if (values == null || values.isEmpty()) {
            return Set.of();
        }
        return Arrays.stream(values.split(",")).map(AccessEntry::decode).map(of).collect(Collectors.toSet());
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static String decode(String value) {
        return URLDecoder.decode(value, StandardCharsets.UTF_8);
    }
}

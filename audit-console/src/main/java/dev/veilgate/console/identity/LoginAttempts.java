package dev.veilgate.console.identity;

import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Slows down who guesses passwords, for one name and from one address. Every attempt counts as wrong until it was right, so that many at once gain nothing. Names that nobody has are slowed down
 * as others are, and do not show by it. Memory is bounded, and who fills it with invented names forgets only such. Safe for use by several threads.
 */
final class LoginAttempts {
    /** Wrong passwords that cost nothing: of a name, and, since several people may share one, from an address. */
    static final int FREE_OF_NAME = 5;

    static final int FREE_OF_ADDRESS = 20;

    private static final int MOST = 10_000;
    private static final int MAX_NAME = 256;
    private static final int IPV6_BYTES = 16;
    private static final int IPV6_NETWORK = 8;

    private final Clock clock;
    private final Consumer<LoginEvent> tell;
    private final Map<String, WrongAttempts> users;
    private final Map<String, String> names;
    private final Map<String, WrongAttempts> strangers = new Recent();
    private final Map<String, WrongAttempts> addresses = new Recent();

    /** Those that were used last. */
    private static final class Recent extends LinkedHashMap<String, WrongAttempts> {
        private static final long serialVersionUID = 1L;

        Recent() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, WrongAttempts> eldest) {
            return size() > MOST;
        }
    }

    /**
     * Nobody has tried yet.
     *
     * @param names of those who can log in
     * @param tell  whom to tell that somebody guesses; once, until a right password or an hour's rest
     */
    LoginAttempts(List<String> names, Clock clock, Consumer<LoginEvent> tell) {
        this.clock = clock;
        this.tell = tell;
        this.names = names.stream().collect(Collectors.toMap(LoginAttempts::folded, name -> name, (a, b) -> a));
        this.users = this.names.keySet().stream()
                .collect(Collectors.toMap(name -> name, name -> new WrongAttempts(FREE_OF_NAME)));
    }

    private static String folded(String name) {
        return name.substring(0, Math.min(MAX_NAME, name.length())).toLowerCase(Locale.ROOT);
    }

    private WrongAttempts ofName(String name) {
        String folded = folded(name);
        WrongAttempts known = users.get(folded);
        return known != null ? known : strangers.computeIfAbsent(folded, key -> new WrongAttempts(FREE_OF_NAME));
    }

    private WrongAttempts ofAddress(String address) {
        return addresses.computeIfAbsent(network(address), key -> new WrongAttempts(FREE_OF_ADDRESS));
    }

    /** A site has 2^64 addresses of IPv6. */
    private static String network(String address) {
        try {
            byte[] bytes = InetAddress.ofLiteral(address).getAddress();
            return bytes.length == IPV6_BYTES ? HexFormat.of().formatHex(Arrays.copyOf(bytes, IPV6_NETWORK)) : address;
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /** @throws TooManyLoginsException if it is too early for another attempt; otherwise {@link #wrong} or {@link #right} follows */
    synchronized void begin(String name, String address) {
        Instant now = clock.instant();
        WrongAttempts ofName = ofName(name);
        WrongAttempts ofAddress = ofAddress(address);
        Duration wait = ofName.wait(now).compareTo(ofAddress.wait(now)) > 0 ? ofName.wait(now) : ofAddress.wait(now);
        if (!wait.isZero()) {
            throw new TooManyLoginsException(wait);
        }
        ofName.wrong(now);
        ofAddress.wrong(now);
    }

    /** It was. */
    void wrong(String name, String address) {
        boolean tells;
        synchronized (this) {
            tells = ofName(name).tellsOnce() | ofAddress(address).tellsOnce();
        }
        if (tells) {
            tell.accept(new LoginEvent(
                    LoginEvent.Kind.REFUSED,
                    names.getOrDefault(folded(name), ""),
                    address,
                    "too many wrong passwords for this name, or from this address"));
        }
    }

    /** It was not: the name begins anew, the address does not, since its owner may have a password of his own. */
    synchronized void right(String name, String address) {
        ofName(name).right();
        ofAddress(address).undo();
    }
}

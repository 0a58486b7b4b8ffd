package dev.veilgate.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The resolver of this machine, whose answers to the question for an address's name a test can hold up, as a name server that is away does. */
public final class SlowNames extends InetAddressResolverProvider {
    private static final AtomicInteger QUESTIONS = new AtomicInteger();
    private static volatile @Nullable CountDownLatch held;

    /** For the Java runtime, which finds it by META-INF/services. */
    public SlowNames() {}

    /** From now on such questions wait, up to a minute. */
    static void hold() {
        QUESTIONS.set(0);
        held = new CountDownLatch(1);
    }

    /** They are answered again. */
    static void release() {
        CountDownLatch before = held;
        held = null;
        if (before != null) {
            before.countDown();
        }
    }

    /** Questions since {@link #hold}. */
    static int questions() {
        return QUESTIONS.get();
    }

    @Override
    public InetAddressResolver get(Configuration configuration) {
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                return configuration.builtinResolver().lookupByName(host, policy);
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                QUESTIONS.incrementAndGet();
                CountDownLatch waiting = held;
                if (waiting != null) {
                    try {
                        waiting.await(1, TimeUnit.MINUTES);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
                return configuration.builtinResolver().lookupByAddress(address);
            }
        };
    }

    @Override
    public String name() {
        return "held up by tests";
    }
}

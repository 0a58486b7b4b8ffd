package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.application.command.StopWaits;
import dev.veilgate.gateway.ingest.Ingestion;
import dev.veilgate.transport.TlsContext;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.james.protocols.netty.Encryption;
import org.apache.james.protocols.netty.HandlerConstants;
import org.apache.james.protocols.smtp.SMTPProtocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.context.SmartLifecycle;

/**
 * Listens. Stopping it ends listening and connections between messages at once; messages in progress are given time to end.
 */
final class SmtpServer implements SmartLifecycle, StopWaits {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpServer.class);

    private final SmtpSettings settings;
    private final SMTPProtocol protocol;
    private final @Nullable SslBundles bundles;
    private final ClientLimit limit;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final List<Channel> listening = new ArrayList<>();
    private @Nullable EventLoopGroup threads;
    private volatile @Nullable SSLContext tls;
    private volatile boolean running;

    /** @param bundles null if no listener has TLS */
    SmtpServer(SmtpSettings settings, SMTPProtocol protocol, @Nullable SslBundles bundles, MeterRegistry meters) {
        this.settings = settings;
        this.protocol = protocol;
        this.bundles = bundles;
        this.limit = new ClientLimit(
                settings.limits().connections(), settings.limits().connectionsPerClient());
        meters.gauge("veilgate.smtp.connections", limit, ClientLimit::open);
    }

    @Override
    public synchronized void start() {
        if (bundles != null && !settings.sslBundle().isEmpty()) {
            use(bundles.getBundle(settings.sslBundle()));
            bundles.addBundleUpdateHandler(settings.sslBundle(), this::use);
        }
        threads = new MultiThreadIoEventLoopGroup(0, new DefaultThreadFactory("smtp", true), NioIoHandler.newFactory());
        boolean all = false;
        try {
            settings.listeners().forEach(this::listen);
            all = true;
        } finally {
            running = all;
            if (!all) {
                release();
            }
        }
        boolean open = settings.listeners().stream().anyMatch(listener -> !listener.authRequired());
        if (open && settings.domains().isEmpty()) {
            LOG.warn("veilgate.smtp.domains names no domain: of clients that do not log in all mail is refused");
        }
    }

    /** New connections use it; those that are open keep what they have. */
    private void use(SslBundle bundle) {
        SslManagerBundle managers = bundle.getManagers();
        try {
            tls = TlsContext.of(managers.getKeyManagers(), managers.getTrustManagers());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void listen(SmtpSettings.Listener listener) {
        var address = new InetSocketAddress(listener.host(), listener.port());
        Channel channel = new ServerBootstrap()
                .group(threads)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, 250)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        connect(channel, listener);
                    }
                })
                .bind(address)
                .syncUninterruptibly()
                .channel();
        listening.add(channel);
        LOG.info("SMTP listens on {} port {}, TLS {}", listener.host(), port(channel), listener.tls());
    }

    private void connect(SocketChannel channel, SmtpSettings.Listener listener) {
        SSLContext context = tls;
        boolean implicit = listener.tls() == SmtpSettings.Tls.IMPLICIT;
        Encryption encryption = listener.tls() == SmtpSettings.Tls.NONE || context == null
                ? null
                : implicit ? Encryption.createTls(context) : Encryption.createStartTls(context);
        var connection = new Connection(channel, listener.authRequired());
        connections.add(connection);
        channel.closeFuture().addListener(closed -> connections.remove(connection));
        if (implicit && encryption != null) {
            channel.pipeline().addLast(HandlerConstants.SSL_HANDLER, encryption.sslHandler());
        }
        channel.pipeline()
                .addLast(HandlerConstants.CONNECTION_LIMIT_HANDLER, limit)
                .addLast(HandlerConstants.FRAMER, connection.framer())
                .addLast(HandlerConstants.CORE_HANDLER, new SessionHandler(protocol, encryption, connection, settings));
    }

    /** Where it listens, in the order of the settings. */
    synchronized List<Integer> ports() {
        return listening.stream().map(SmtpServer::port).toList();
    }

    private static int port(Channel channel) {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** Whether every listener takes connections. */
    synchronized boolean isListening() {
        return running && listening.stream().allMatch(Channel::isActive);
    }

    @Override
    public synchronized void stop() {
        if (!running) {
            return;
        }
        running = false;
        listening.forEach(channel -> channel.close().syncUninterruptibly());
        connections.forEach(Connection::closeWhenDone);
        long end = System.nanoTime() + settings.stopTimeout().toNanos();
        try {
            while (!connections.isEmpty() && System.nanoTime() < end) {
                Thread.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!connections.isEmpty()) {
            LOG.warn("SMTP stops with {} messages in progress, which were not acknowledged", connections.size());
        }
        release();
    }

    @Override
    public String stopWaitsFor() {
        int open = connections.size();
        return open == 0 ? "" : "connections by SMTP with a message in progress: " + open;
    }

    private void release() {
        listening.clear();
        EventLoopGroup group = threads;
        if (group != null) {
            group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
            threads = null;
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Ingestion.CHANNELS_PHASE;
    }
}

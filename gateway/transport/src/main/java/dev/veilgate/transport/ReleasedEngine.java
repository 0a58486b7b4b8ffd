package dev.veilgate.transport;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * An engine of Conscrypt that holds nothing before it is used, and gives back what it holds when it is closed. Such an
 * engine has two file descriptors and native memory from when it is made, and keeps them until both of its directions
 * are closed or the garbage collector finds it. Servers close the direction to the client only, and HiveMQ makes an
 * engine for each connection that it never closes if no ClientHello comes; so whoever connects often enough would use
 * up the descriptors of the process.
 *
 * <p>Here Conscrypt's engine is made when a handshake begins or something is asked of it, with what was set before, and
 * closing the direction to the client closes both: the last records are kept until they are fetched, and nothing is
 * read any more.
 */
final class ReleasedEngine extends SSLEngine {
    /** Records of a handshake that fails and its alert are shorter. */
    private static final int LAST_BYTES = 64 << 10;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Supplier<SSLEngine> maker;
    private final List<Consumer<SSLEngine>> settings = new ArrayList<>();
    private SSLParameters parameters;
    private @Nullable SSLEngine made;
    private @Nullable ByteBuffer last;
    private @Nullable String protocol;

    /**
     * An engine for any peer.
     *
     * @param maker      of Conscrypt's engine, called once at most
     * @param parameters that it will have
     */
    ReleasedEngine(Supplier<SSLEngine> maker, SSLParameters parameters) {
        this.maker = maker;
        this.parameters = parameters;
    }

    /** An engine for a peer, by whose name and port sessions are resumed. */
    ReleasedEngine(String host, int port, Supplier<SSLEngine> maker, SSLParameters parameters) {
        super(host, port);
        this.maker = maker;
        this.parameters = parameters;
    }

    /** Conscrypt's engine. If this one was closed before it was used, one that holds nothing any more. */
    private synchronized SSLEngine engine() {
        SSLEngine engine = made;
        if (engine == null) {
            engine = maker.get();
            for (Consumer<SSLEngine> each : settings) {
                each.accept(engine);
            }
            settings.clear();
            made = engine;
            if (last != null) {
                engine.closeOutbound();
            }
        }
        return engine;
    }

    private synchronized void set(Consumer<SSLEngine> setting) {
        if (made == null) {
            settings.add(setting);
        } else {
            setting.accept(made);
        }
    }

    @Override
    public synchronized SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer to)
            throws SSLException {
        ByteBuffer rest = last;
        if (rest == null) {
            try {
                return engine().wrap(sources, offset, length, to);
            } catch (SSLException e) {
                closeOutbound(); // with the alert; not every user closes what has failed
                throw e;
            }
        }
        if (rest.remaining() > to.remaining()) {
            return new SSLEngineResult(Status.BUFFER_OVERFLOW, HandshakeStatus.NEED_WRAP, 0, 0);
        }
        int produced = rest.remaining();
        to.put(rest);
        return new SSLEngineResult(Status.CLOSED, HandshakeStatus.NOT_HANDSHAKING, 0, produced);
    }

    @Override
    public synchronized SSLEngineResult unwrap(ByteBuffer from, ByteBuffer[] targets, int offset, int length)
            throws SSLException {
        if (last != null) {
            return new SSLEngineResult(Status.CLOSED, getHandshakeStatus(), 0, 0);
        }
        try {
            return engine().unwrap(from, targets, offset, length);
        } catch (SSLException e) {
            closeOutbound();
            throw e;
        }
    }

    @Override
    public synchronized void closeOutbound() {
        if (last != null) {
            return;
        }
        SSLEngine engine = made;
        if (engine == null) {
            last = NOTHING.duplicate();
            return;
        }
        protocol = engine.getApplicationProtocol();
        engine.closeOutbound();
        ByteBuffer rest = ByteBuffer.allocate(LAST_BYTES);
        try {
            SSLEngineResult result;
            do {
                result = engine.wrap(NOTHING, rest);
            } while (result.bytesProduced() > 0 && result.getStatus() == Status.OK);
        } catch (SSLException e) {
            rest.clear(); // what cannot be said is not said: the connection ends all the same
        }
        last = rest.flip();
        try {
            engine.closeInbound();
        } catch (SSLException e) {
            // Conscrypt has nothing to complain of: what the other side did not end is no matter after our own end
        }
    }

    @Override
    public synchronized void closeInbound() throws SSLException {
        SSLEngine engine = made;
        if (last == null && engine != null) {
            engine.closeInbound();
        } else if (last == null) {
            closeOutbound(); // nothing was ever said
        }
    }

    @Override
    public synchronized boolean isInboundDone() {
        return last != null || made != null && made.isInboundDone();
    }

    @Override
    public synchronized boolean isOutboundDone() {
        ByteBuffer rest = last;
        return rest == null ? made != null && made.isOutboundDone() : !rest.hasRemaining();
    }

    @Override
    public synchronized HandshakeStatus getHandshakeStatus() {
        ByteBuffer rest = last;
        if (rest == null) {
            SSLEngine engine = made;
            return engine == null ? HandshakeStatus.NOT_HANDSHAKING : engine.getHandshakeStatus();
        }
        return rest.hasRemaining() ? HandshakeStatus.NEED_WRAP : HandshakeStatus.NOT_HANDSHAKING;
    }

    @Override
    public synchronized @Nullable String getApplicationProtocol() {
        return last != null ? protocol : made == null ? null : made.getApplicationProtocol();
    }

    @Override
    public synchronized @Nullable String getHandshakeApplicationProtocol() {
        return last != null ? protocol : made == null ? null : made.getHandshakeApplicationProtocol();
    }

    @Override
    public void setHandshakeApplicationProtocolSelector(BiFunction<SSLEngine, List<String>, String> selector) {
        set(engine -> engine.setHandshakeApplicationProtocolSelector(selector));
    }

    @Override
    public BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
        return engine().getHandshakeApplicationProtocolSelector();
    }

    @Override
    public Runnable getDelegatedTask() {
        return engine().getDelegatedTask();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return engine().getSupportedCipherSuites();
    }

    @Override
    public synchronized String[] getEnabledCipherSuites() {
        return made == null ? parameters.getCipherSuites() : made.getEnabledCipherSuites();
    }

    @Override
    public synchronized void setEnabledCipherSuites(String[] suites) {
        parameters.setCipherSuites(suites);
        set(engine -> engine.setEnabledCipherSuites(suites));
    }

    @Override
    public String[] getSupportedProtocols() {
        return engine().getSupportedProtocols();
    }

    @Override
    public synchronized String[] getEnabledProtocols() {
        return made == null ? parameters.getProtocols() : made.getEnabledProtocols();
    }

    @Override
    public synchronized void setEnabledProtocols(String[] protocols) {
        parameters.setProtocols(protocols);
        set(engine -> engine.setEnabledProtocols(protocols));
    }

    @Override
    public SSLSession getSession() {
        return engine().getSession();
    }

    @Override
    public SSLSession getHandshakeSession() {
        return engine().getHandshakeSession();
    }

    @Override
    public void beginHandshake() throws SSLException {
        engine().beginHandshake();
    }

    @Override
    public void setUseClientMode(boolean mode) {
        set(engine -> engine.setUseClientMode(mode));
    }

    @Override
    public boolean getUseClientMode() {
        return engine().getUseClientMode();
    }

    @Override
    public synchronized void setNeedClientAuth(boolean need) {
        parameters.setNeedClientAuth(need);
        set(engine -> engine.setNeedClientAuth(need));
    }

    @Override
    public boolean getNeedClientAuth() {
        return engine().getNeedClientAuth();
    }

    @Override
    public synchronized void setWantClientAuth(boolean want) {
        parameters.setWantClientAuth(want);
        set(engine -> engine.setWantClientAuth(want));
    }

    @Override
    public boolean getWantClientAuth() {
        return engine().getWantClientAuth();
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        set(engine -> engine.setEnableSessionCreation(flag));
    }

    @Override
    public boolean getEnableSessionCreation() {
        return engine().getEnableSessionCreation();
    }

    @Override
    public synchronized SSLParameters getSSLParameters() {
        return made == null ? parameters : made.getSSLParameters();
    }

    @Override
    public synchronized void setSSLParameters(SSLParameters parameters) {
        this.parameters = parameters;
        set(engine -> engine.setSSLParameters(parameters));
    }
}

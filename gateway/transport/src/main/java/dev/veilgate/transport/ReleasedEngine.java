package dev.veilgate.transport;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * An engine of Conscrypt that gives back what it holds when it is closed. Such an engine has two file descriptors and
 * native memory, and keeps them until both of its directions are closed or the garbage collector finds it; servers
 * close the direction to the client only, so that whoever connects often enough would use up the descriptors of the
 * process. Here closing that direction closes both: the last records are kept until they are fetched, and nothing is
 * read any more.
 */
final class ReleasedEngine extends SSLEngine {
    /** Records of a handshake that fails and its alert are shorter. */
    private static final int LAST_BYTES = 64 << 10;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine engine;
    private @Nullable ByteBuffer last;
    private @Nullable String protocol;

    ReleasedEngine(SSLEngine engine) {
        super(engine.getPeerHost(), engine.getPeerPort());
        this.engine = engine;
    }

    @Override
    public synchronized SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer to)
            throws SSLException {
        ByteBuffer rest = last;
        if (rest == null) {
            try {
                return engine.wrap(sources, offset, length, to);
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
            return engine.unwrap(from, targets, offset, length);
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
        if (last == null) {
            engine.closeInbound();
        }
    }

    @Override
    public synchronized boolean isInboundDone() {
        return last != null || engine.isInboundDone();
    }

    @Override
    public synchronized boolean isOutboundDone() {
        ByteBuffer rest = last;
        return rest == null ? engine.isOutboundDone() : !rest.hasRemaining();
    }

    @Override
    public synchronized HandshakeStatus getHandshakeStatus() {
        ByteBuffer rest = last;
        if (rest == null) {
            return engine.getHandshakeStatus();
        }
        return rest.hasRemaining() ? HandshakeStatus.NEED_WRAP : HandshakeStatus.NOT_HANDSHAKING;
    }

    @Override
    public synchronized @Nullable String getApplicationProtocol() {
        return last == null ? engine.getApplicationProtocol() : protocol;
    }

    @Override
    public synchronized @Nullable String getHandshakeApplicationProtocol() {
        return last == null ? engine.getHandshakeApplicationProtocol() : protocol;
    }

    @Override
    public void setHandshakeApplicationProtocolSelector(BiFunction<SSLEngine, List<String>, String> selector) {
        engine.setHandshakeApplicationProtocolSelector(selector);
    }

    @Override
    public BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
        return engine.getHandshakeApplicationProtocolSelector();
    }

    @Override
    public Runnable getDelegatedTask() {
        return engine.getDelegatedTask();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return engine.getSupportedCipherSuites();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return engine.getEnabledCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        engine.setEnabledCipherSuites(suites);
    }

    @Override
    public String[] getSupportedProtocols() {
        return engine.getSupportedProtocols();
    }

    @Override
    public String[] getEnabledProtocols() {
        return engine.getEnabledProtocols();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        engine.setEnabledProtocols(protocols);
    }

    @Override
    public SSLSession getSession() {
        return engine.getSession();
    }

    @Override
    public SSLSession getHandshakeSession() {
        return engine.getHandshakeSession();
    }

    @Override
    public void beginHandshake() throws SSLException {
        engine.beginHandshake();
    }

    @Override
    public void setUseClientMode(boolean mode) {
        engine.setUseClientMode(mode);
    }

    @Override
    public boolean getUseClientMode() {
        return engine.getUseClientMode();
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        engine.setNeedClientAuth(need);
    }

    @Override
    public boolean getNeedClientAuth() {
        return engine.getNeedClientAuth();
    }

    @Override
    public void setWantClientAuth(boolean want) {
        engine.setWantClientAuth(want);
    }

    @Override
    public boolean getWantClientAuth() {
        return engine.getWantClientAuth();
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        engine.setEnableSessionCreation(flag);
    }

    @Override
    public boolean getEnableSessionCreation() {
        return engine.getEnableSessionCreation();
    }

    @Override
    public SSLParameters getSSLParameters() {
        return engine.getSSLParameters();
    }

    @Override
    public void setSSLParameters(SSLParameters parameters) {
        engine.setSSLParameters(parameters);
    }
}

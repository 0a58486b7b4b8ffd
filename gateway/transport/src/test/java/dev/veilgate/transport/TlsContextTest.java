package dev.veilgate.transport;

import static dev.veilgate.transport.TestCertificates.authority;
import static dev.veilgate.transport.TestCertificates.localhost;
import static dev.veilgate.transport.TestCertificates.pair;
import static dev.veilgate.transport.TestCertificates.pem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.transport.TestCertificates.Held;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TlsContextTest {
    @TempDir
    Path folder;

    private Path authorities;
    private Path server;
    private Held own;

    @BeforeEach
    void make() throws Exception {
        Held authority = authority(pair("EC", 256), "SHA256withECDSA");
        own = localhost(pair("RSA", 2048), authority, "SHA256withECDSA");
        authorities = Files.writeString(folder.resolve("ca.pem"), pem(authority.certificate()));
        server = Files.writeString(
                folder.resolve("server.pem"),
                pem("PRIVATE KEY", own.key().getEncoded()) + pem(own.certificate()) + pem(authority.certificate()));
    }

    /** The client's certificate as the server saw it, null for none. */
    private static @org.jspecify.annotations.Nullable Certificate shown(SSLContext server, SSLContext client)
            throws Exception {
        try (SSLServerSocket listening = (SSLServerSocket)
                server.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            listening.setWantClientAuth(true);
            CompletableFuture<@org.jspecify.annotations.Nullable Certificate> seen = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try (SSLSocket accepted = (SSLSocket) listening.accept()) {
                    accepted.startHandshake();
                    Certificate[] local = accepted.getSession().getLocalCertificates();
                    assertThat(local).hasSize(2);
                    seen.complete(peer(accepted));
                    accepted.getInputStream().read();
                } catch (IOException | AssertionError e) {
                    seen.completeExceptionally(e);
                }
            });
            try (Socket socket = NoDelaySockets.tls(client.getSocketFactory())
                            .createSocket("localhost", listening.getLocalPort());
                    OutputStream out = socket.getOutputStream()) {
                out.write(1);
                return seen.get(30, TimeUnit.SECONDS);
            }
        }
    }

    private static @org.jspecify.annotations.Nullable Certificate peer(SSLSocket socket) {
        try {
            return socket.getSession().getPeerCertificates()[0];
        } catch (SSLException e) {
            return null;
        }
    }

    @Test
    void clientTrustsTheAuthoritiesOfItsFileOnly() throws Exception {
        SSLContext served = TlsContext.server(TlsKeys.ofPem(server, server));
        assertThat(shown(served, TlsContext.client(authorities))).isNull();
        assertThatThrownBy(() -> shown(served, TlsContext.client(null))).isInstanceOf(SSLException.class);
    }

    @Test
    void clientShowsItsCertificate() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        Certificate[] chain = PemFile.certificates(server).toArray(Certificate[]::new);
        store.setKeyEntry("x", own.key(), "secret".toCharArray(), chain);
        Path p12 = folder.resolve("a.p12");
        try (OutputStream out = Files.newOutputStream(p12)) {
            store.store(out, "secret".toCharArray());
        }
        // The server trusts what the client shows, and shows the same itself.
        SSLContext served = TlsContext.client(authorities, TlsKeys.ofPem(server, server));
        SSLContext pem = TlsContext.client(authorities, TlsKeys.ofPem(server, server));
        SSLContext pkcs12 = TlsContext.client(authorities, TlsKeys.ofPkcs12(p12, "secret".toCharArray()));
        assertThat(shown(served, pem)).isEqualTo(own.certificate());
        assertThat(shown(served, pkcs12)).isEqualTo(own.certificate());
        assertThatThrownBy(() -> TlsKeys.ofPkcs12(p12, "other".toCharArray())).isInstanceOf(IOException.class);
    }

    @Test
    void errorsNameTheFile() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");
        assertThatThrownBy(() -> TlsContext.client(empty))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("empty.pem");
        assertThatThrownBy(() -> TlsKeys.ofPem(server, empty))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("empty.pem");
        assertThatThrownBy(() -> TlsKeys.ofPem(folder.resolve("none.pem"), server))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none.pem");
    }
}

package dev.veilgate.benchmarks.gateway;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** POSTs envelopes over one connection for as long as the gateway keeps it open, then over another; the next when the last is acknowledged. */
public final class HttpEnvelopes implements EnvelopeConnection {
    private final int port;
    private final String head;
    private SocketChannel socket;
    private InputStream in;

    /** Connects. */
    public HttpEnvelopes(int port, String tenant, String token) throws IOException {
        this.port = port;
        connect();
        head = "POST /v1/tenants/" + tenant + "/envelopes HTTP/1.1\r\nHost: 127.0.0.1:" + port
                + "\r\nAuthorization: Bearer " + token
                + "\r\nContent-Type: application/vnd.veilgate.envelope+cbor\r\nContent-Length: ";
    }

    private void connect() throws IOException {
        socket = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        in = new BufferedInputStream(socket.socket().getInputStream());
    }

    @Override
    public long send(EnvelopeFile file, int most) throws IOException {
        long lines = 0;
        for (int i = 0; i < most && file.next(); i++) {
            ByteBuffer request =
                    ByteBuffer.wrap((head + file.length() + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            while (request.hasRemaining()) {
                socket.write(request);
            }
            file.transferTo(socket);
            requireCreated();
            lines += file.lines();
        }
        return lines;
    }

    private void requireCreated() throws IOException {
        String status = line();
        boolean chunked = false;
        boolean close = false;
        int length = 0;
        for (String field = line(); !field.isEmpty(); field = line()) {
            String lower = field.toLowerCase(Locale.ROOT);
            chunked |= lower.equals("transfer-encoding: chunked");
            close |= lower.equals("connection: close");
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring(15).strip());
            }
        }
        if (chunked) {
            int chunk;
            do {
                chunk = Integer.parseInt(line(), 16);
                in.skipNBytes(chunk + 2);
            } while (chunk > 0);
        } else {
            in.skipNBytes(length);
        }
        if (!status.startsWith("HTTP/1.1 201")) {
            throw new IOException("refused: " + status);
        }
        if (close) {
            socket.close();
            connect();
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the gateway closed the connection");
            }
            line.append((char) b);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

package dev.veilgate.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A connection to a Mozilla program that runs with --marionette: commands of WebDriver, as JSON behind their length.
 */
final class Marionette implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int COMMAND = 0;
    private static final int MAX_DIGITS = 9;

    private final Socket socket;
    private final InputStream in;
    private int last;

    /** @throws IOException if nobody listens there */
    Marionette(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        in = new BufferedInputStream(socket.getInputStream());
        receive(); // which program it is
    }

    /** The result of a command. */
    JsonNode run(String command, Map<String, ?> parameters) throws IOException {
        byte[] message = JSON.writeValueAsBytes(List.of(COMMAND, ++last, command, parameters));
        socket.getOutputStream().write((message.length + ":").getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(message);
        JsonNode answer = receive();
        if (!answer.get(2).isNull()) {
            throw new IOException(command + ": " + answer.get(2));
        }
        return answer.get(3);
    }

    /** The value that a script gives which has all rights of the program. */
    JsonNode script(String script, Object... arguments) throws IOException {
        return run(
                        "WebDriver:ExecuteScript",
                        Map.of("script", script, "args", List.of(arguments), "sandbox", "system", "newSandbox", false))
                .get("value");
    }

    private JsonNode receive() throws IOException {
        StringBuilder length = new StringBuilder();
        for (int b = in.read(); b != ':'; b = in.read()) {
            if (b < '0' || b > '9' || length.length() > MAX_DIGITS) {
                throw new EOFException("the program ended, or this is no Marionette");
            }
            length.append((char) b);
        }
        int bytes = Integer.parseInt(length.toString());
        byte[] message = in.readNBytes(bytes);
        if (message.length < bytes) {
            throw new EOFException("the program ended");
        }
        return JSON.readTree(message);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

package dev.veilgate.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Over a real connection: no body grows beyond the limit, whatever it says of its length. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class BodyLimitTest {
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        TomcatServletWebServerAutoConfiguration.class,
        DispatcherServletAutoConfiguration.class,
        JacksonAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
        ErrorMvcAutoConfiguration.class
    })
    @Import({Problems.class, BodyLimit.class, Readers.class})
    static class Server {}

    @RestController
    static class Readers {
        @PostMapping("/bytes")
        int bytes(@RequestBody byte[] body) {
            return body.length;
        }

        @PostMapping("/json")
        int json(@RequestBody Map<String, String> body) {
            return body.getOrDefault("text", "").length();
        }
    }

    @LocalServerPort
    private int port;

    private HttpResponse<String> post(String path, BodyPublisher body) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .header(
                                    "Content-Type",
                                    path.endsWith("json") ? "application/json" : "application/octet-stream")
                            .POST(body)
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    private static byte[] json(int length) {
        byte[] body = new byte[length];
        Arrays.fill(body, (byte) 'a');
        byte[] begin = "{\"text\": \"".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(begin, 0, body, 0, begin.length);
        body[length - 2] = '"';
        body[length - 1] = '}';
        return body;
    }

    /** It does not say how long it is. */
    private static BodyPublisher chunked(byte[] body) {
        return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bytes", "/json"})
    void isReadUpToTheLimit(String path) throws Exception {
        byte[] longest = json(BodyLimit.MAX_BYTES);
        assertThat(post(path, BodyPublishers.ofByteArray(longest)).statusCode()).isEqualTo(200);
        assertThat(post(path, chunked(longest)).statusCode()).isEqualTo(200);
        for (BodyPublisher body : new BodyPublisher[] {
            BodyPublishers.ofByteArray(json(BodyLimit.MAX_BYTES + 1)), chunked(json(BodyLimit.MAX_BYTES + 1))
        }) {
            HttpResponse<String> refused = post(path, body);
            assertThat(refused.statusCode()).isEqualTo(413);
            assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(refused.body()).contains("urn:veilgate:problem:too-long", "at most 2097152 bytes");
        }
    }

    @Test
    void whatSaysThatItIsLongIsNotWaitedFor() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write("POST /bytes HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000000\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(answer.readLine()).startsWith("HTTP/1.1 413");
        }
    }
}

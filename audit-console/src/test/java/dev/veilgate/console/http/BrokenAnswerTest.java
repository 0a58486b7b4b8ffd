package dev.veilgate.console.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Over a real connection: half an answer does not look like a whole one. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class BrokenAnswerTest {
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        TomcatServletWebServerAutoConfiguration.class,
        DispatcherServletAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
        ErrorMvcAutoConfiguration.class
    })
    @Import({Problems.class, Halves.class})
    static class Server {}

    @RestController
    static class Halves {
        @GetMapping("/broken")
        void broken(HttpServletResponse response) throws IOException {
            half(response);
            throw new BrokenAnswerException("a test was broken off", new IOException("why"));
        }

        @GetMapping("/whole")
        void whole(HttpServletResponse response) throws IOException {
            half(response);
        }

        private static void half(HttpServletResponse response) throws IOException {
            response.setContentType("application/zip");
            response.flushBuffer();
            response.getOutputStream().write(new byte[100_000]);
        }
    }

    @LocalServerPort
    private int port;

    private HttpResponse<byte[]> get(String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .build(),
                    BodyHandlers.ofByteArray());
        }
    }

    @Test
    void theConnectionIsCut() throws Exception {
        assertThat(get("/whole").body())
                .as("what the other differs from arrives")
                .hasSize(100_000);
        assertThatThrownBy(() -> get("/broken")).isInstanceOf(IOException.class);
    }
}

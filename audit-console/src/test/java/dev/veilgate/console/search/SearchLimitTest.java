package dev.veilgate.console.search;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.StubGateway;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;

/** How many searches of a user run at a time, with a gateway that keeps them waiting. */
@ConsoleTest
class SearchLimitTest {
    @Autowired
    private MockMvc http;

    @Autowired
    private SearchSettings settings;

    private final CountDownLatch end = new CountDownLatch(1);
    private final Semaphore asked = new Semaphore(0);

    @BeforeEach
    void waitingGateway() {
        StubGateway.SEARCHING.set(exchange -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            StubGateway.nothing(exchange);
            asked.release();
        });
    }

    @AfterEach
    void letGo() {
        end.countDown();
        StubGateway.SEARCHING.set(StubGateway::nothing);
    }

    @Test
    void holdsForRequestsThatComeAtTheSameTime() throws Exception {
        Callable<Integer> start = () -> http.perform(post("/api/searches")
                        .with(login("impatient", "auditor"))
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"query\": \"pump\", \"scope\": \"plant-7\", \"mail\": false}"))
                .andReturn()
                .getResponse()
                .getStatus();
        List<Integer> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(12)) {
            for (Future<Integer> answer : threads.invokeAll(Collections.nCopies(24, start))) {
                answers.add(answer.get());
            }
        }
        assertThat(answers).containsOnly(201, 409);
        assertThat(Collections.frequency(answers, 201)).isEqualTo(settings.running());
        end.countDown(); // none of them goes on in another test
        assertThat(asked.tryAcquire(settings.running(), 2, TimeUnit.MINUTES)).isTrue();
    }
}

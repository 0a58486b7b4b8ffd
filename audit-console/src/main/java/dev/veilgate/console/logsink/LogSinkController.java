package dev.veilgate.console.logsink;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows where the issuing log is sent, and how far it has come. */
@RestController
class LogSinkController {
    private final Optional<LogSink> sink;

    LogSinkController(LogSinkConfiguration.PresentSink present) {
        this.sink = present.sink();
    }

    /**
     * State of the sink.
     *
     * @param receiver null: the log is sent nowhere, and nothing else is said
     * @param activity idle, sending, or locked as long as the keys are
     * @param sent     number of the last entry that is acknowledged
     * @param waiting  how many entries are not; null while the keys are locked
     * @param failing  null: it goes on
     * @param putBack  null: the log never had fewer entries than were acknowledged since the start
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record SinkStatus(
            @Nullable String receiver,
            @Nullable String activity,
            @Nullable Long sent,
            @Nullable Long waiting,
            SinkState.@Nullable Failure failing,
            SinkState.@Nullable PutBack putBack) {}

    @GetMapping("/api/log/sink")
    SinkStatus status(User user) {
        user.require(Role.KEEPER, Role.APPROVER, Role.OPERATOR);
        if (sink.isEmpty()) {
            return new SinkStatus(null, null, null, null, null, null);
        }
        SinkState state = sink.get().state();
        return new SinkStatus(
                sink.get().receiver(),
                state.activity().name().toLowerCase(Locale.ROOT),
                state.sent(),
                sink.get().waiting().orElse(null),
                state.failure(),
                state.putBack());
    }
}

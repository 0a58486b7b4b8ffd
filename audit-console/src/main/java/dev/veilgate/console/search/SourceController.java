package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.senders.Sender;
import dev.veilgate.console.senders.SenderChains;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Whether anything is missing of the senders that hits came from. */
@RestController
class SourceController {
    private final Searches searches;
    private final SenderChains chains;

    SourceController(Searches searches, SenderChains chains) {
        this.searches = searches;
        this.chains = chains;
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record SourceChain(
            String sender,
            String state,
            @Nullable Long last,
            @Nullable Instant lastSeen,
            List<String> gaps) {
        /** Without a registered key there is no chain: whoever it says that it is. */
        static SourceChain of(String name, @Nullable Sender known) {
            return known == null
                    ? new SourceChain(name, "unregistered", null, null, List.of())
                    : new SourceChain(name, known.state(), known.lastSequence(), known.lastSeen(), known.gaps());
        }
    }

    @GetMapping("/api/searches/{id}/sources")
    List<SourceChain> sources(User user, @PathVariable UUID id) throws Exception {
        user.require(Role.AUDITOR);
        SearchJob job = searches.find(user, id);
        Map<String, Sender> known = chains.seen();
        return job.senders().stream()
                .map(name -> SourceChain.of(name, known.get(name)))
                .toList();
    }
}

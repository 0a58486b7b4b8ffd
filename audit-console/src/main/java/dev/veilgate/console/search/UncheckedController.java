package dev.veilgate.console.search;

import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import java.util.List;
import java.util.UUID;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Mails of a search whose attachments took too long to be read: they may be what was searched for, and are no rows. */
@RestController
@RequestMapping("/api/searches/{id}/unchecked")
class UncheckedController {
    private final Searches searches;
    private final FoundContent content;
    private final Custody custody;

    UncheckedController(Searches searches, FoundContent content, Custody custody) {
        this.searches = searches;
        this.content = content;
        this.custody = custody;
    }

    /** Mails that are not checked; of very many the first. */
    record UncheckedMails(long total, List<Row> mails) {
        @Override
        public String toString() {
            return "UncheckedMails[" + total + "]";
        }
    }

    @GetMapping
    UncheckedMails list(User user, @PathVariable UUID id) {
        SearchJob job = find(user, id);
        return new UncheckedMails(job.state().unchecked(), job.unchecked());
    }

    @PostMapping("/{number}")
    SearchJob.Rechecked check(User user, @PathVariable UUID id, @PathVariable long number) throws Exception {
        return find(user, id).recheck(number, content);
    }

    private SearchJob find(User user, UUID id) {
        user.require(Role.AUDITOR);
        if (custody.isLocked()) {
            throw ProblemException.locked();
        }
        return searches.find(user, id);
    }
}

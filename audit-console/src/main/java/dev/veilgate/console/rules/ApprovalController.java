package dev.veilgate.console.rules;

import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.rules.Approval.State;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/approvals")
class ApprovalController {
    private static final int MAX_REASON = 1000;

    private final Approvals approvals;

    ApprovalController(Approvals approvals) {
        this.approvals = approvals;
    }

    record Reason(@Nullable String reason) {
        String text() {
            String text = reason == null ? "" : reason.strip();
            if (text.length() > MAX_REASON) {
                throw ProblemException.malformed("a reason has at most " + MAX_REASON + " characters");
            }
            return text;
        }
    }

    @GetMapping
    List<ApprovalView> list(User user, @RequestParam(required = false) @Nullable String state) {
        user.require(Role.values());
        if (state == null) {
            return approvals.list(user, null);
        }
        return Arrays.stream(State.values())
                .filter(known -> known.label().equals(state))
                .findFirst()
                .map(known -> approvals.list(user, known))
                .orElseThrow(() -> ProblemException.malformed("state is pending, approved, refused or expired"));
    }

    @PostMapping("/{id}/approve")
    ApprovalView approve(User user, @PathVariable UUID id, @RequestBody Reason reason) {
        user.require(Role.APPROVER);
        return approvals.decide(user, id, State.APPROVED, reason.text());
    }

    @PostMapping("/{id}/refuse")
    ApprovalView refuse(User user, @PathVariable UUID id, @RequestBody Reason reason) {
        user.require(Role.APPROVER);
        if (reason.text().isEmpty()) {
            throw ProblemException.malformed("who is refused is told why: give a reason");
        }
        return approvals.decide(user, id, State.REFUSED, reason.text());
    }
}

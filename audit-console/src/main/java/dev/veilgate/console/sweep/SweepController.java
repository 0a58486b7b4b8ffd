package dev.veilgate.console.sweep;

import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.sweep.SweptSenders.Counts;
import java.time.Instant;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows keepers how many envelopes were drawn of each sender. */
@RestController
@RequestMapping("/api/senders/sweep")
class SweepController {
    private static final int MOST_NAMED = 20;

    private final SweepSettings settings;
    private final SweptSenders swept;

    SweepController(SweepSettings settings, SweptSenders swept) {
        this.settings = settings;
        this.swept = swept;
    }

    /**
     * The sweep.
     *
     * @param envelopes of each sender in a round; 0 if it is off
     * @param senders   by name
     */
    record SweepState(int envelopes, List<OfSender> senders) {}

    /**
     * The sweep of one sender.
     *
     * @param listed          whether the gateway chose what was drawn, of mail, which has no chain
     * @param notGivenNumbers  of what the gateway did not give when it was drawn last, the first of them
     * @param seenOneInHundred probability to have drawn one of the envelopes of which words were left out, had the
     *                         sender left some out of one in a hundred
     * @param seenOneInTen     the same for one in ten
     */
    record OfSender(
            String name,
            boolean listed,
            long highest,
            long drawn,
            long checked,
            long empty,
            long notChecked,
            long notOpenable,
            long notGiven,
            List<Long> notGivenNumbers,
            double seenOneInHundred,
            double seenOneInTen,
            Instant last) {}

    @GetMapping
    SweepState state(User user) {
        user.require(Role.KEEPER);
        return new SweepState(
                settings.envelopes(), swept.all().stream().map(this::ofSender).toList());
    }

    private OfSender ofSender(Counts counts) {
        return new OfSender(
                counts.sender(),
                counts.isListed(),
                counts.highest(),
                counts.drawn(),
                counts.checked(),
                counts.empty(),
                counts.notChecked(),
                counts.notOpenable(),
                counts.notGiven(),
                swept.notGiven(counts.sender(), MOST_NAMED),
                seen(0.01, counts.checked()),
                seen(0.1, counts.checked()),
                counts.last());
    }

    /** Probability that a share of the envelopes has one among those that were checked: 1 - (1 - share)^checked. */
    static double seen(double share, long checked) {
        return 1 - Math.pow(1 - share, checked);
    }
}

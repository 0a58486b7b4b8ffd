package dev.veilgate.console.chains;

import dev.veilgate.client.JsonObject;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** Claims of a gateway about senders' chains; nobody signs them. */
@Component
public class ChainClaims {
    private final Gateway gateway;

    ChainClaims(Gateway gateway) {
        this.gateway = gateway;
    }

    /** Numbers of a chain, with the first and the last. */
    private record Gap(long from, long to) {}

    /** Claim about one chain. */
    public static final class Claim {
        private final long highest;
        private final List<Gap> gaps;

        private Claim(long highest, List<Gap> gaps) {
            this.highest = highest;
            this.gaps = List.copyOf(gaps);
        }

        /** The highest number that the gateway says it has had. */
        public long highest() {
            return highest;
        }

        /** Tells if the gateway says that it never had this number of a chain, which is below the highest. */
        public boolean lacks(long number) {
            return gaps.stream().anyMatch(gap -> gap.from() <= number && number <= gap.to());
        }
    }

    /**
     * Claims by sender, as the gateway makes them now.
     *
     * @throws ProblemException 502 if it does not answer, 423 if the keys are locked
     */
    public Map<String, Claim> now() {
        return gateway.ask(client -> {
            Map<String, Claim> claims = new TreeMap<>();
            for (JsonObject one : client.senders()) {
                List<Gap> gaps = new ArrayList<>();
                for (JsonObject gap : one.list("gaps")) {
                    gaps.add(new Gap(gap.number("from"), gap.number("to")));
                }
                claims.put(one.text("sender"), new Claim(one.number("highestSequence"), gaps));
            }
            return claims;
        });
    }
}

package dev.veilgate.console.search;

import dev.veilgate.console.chains.ChainClaims.Claim;
import dev.veilgate.console.chains.SeenChains.Seen;
import dev.veilgate.envelope.SenderPublicKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Chains as they stood before the gateway was asked: what comes later is not what a search could have found.
 *
 * @param at            when that was
 * @param keys          of the registered senders whose chains are known, by name
 * @param seen          the last that was seen of each of these, by name; not of those of which nothing was
 * @param claims        what the gateway says of chains, by name
 * @param unchecked     registered senders whose chains are not known: the first of them
 * @param moreUnchecked how many there are beside these
 */
record ChainsBefore(
        Instant at,
        Map<String, SenderPublicKey> keys,
        Map<String, Seen> seen,
        Map<String, Claim> claims,
        List<String> unchecked,
        long moreUnchecked) {
    /** Highest number of a sender that was signed, or promised by then; 0 if nothing is known of it. */
    long due(String sender) {
        Seen known = seen.get(sender);
        return known == null ? 0 : known.due(at);
    }

    /** Highest number of a sender that was signed. */
    long signed(String sender) {
        Seen known = seen.get(sender);
        return known == null ? 0 : known.highest();
    }

    /** Highest number that the gateway says it has had of a sender. */
    long claimed(String sender) {
        Claim claim = claims.get(sender);
        return claim == null ? 0 : claim.highest();
    }

    /** Whether the gateway said then that it never had a number. */
    boolean wasLacking(String sender, long number) {
        Claim claim = claims.get(sender);
        return claim != null && claim.lacks(number);
    }

    @Override
    public String toString() {
        return "ChainsBefore[" + keys.size() + " chains]";
    }
}

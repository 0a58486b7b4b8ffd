package dev.veilgate.gateway.ingest;

import java.util.List;

/** What is done with mail that nobody sealed. The gateway never seals itself. */
public interface PlainMailPolicy {
    /** @throws RefusedException with {@link Refusal#PLAIN_MAIL} if a recipient's domain takes sealed mail only */
    void check(List<String> recipients) throws RefusedException;
}

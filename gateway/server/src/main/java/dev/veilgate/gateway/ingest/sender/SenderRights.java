package dev.veilgate.gateway.ingest.sender;

import dev.veilgate.gateway.access.Principal;
import java.util.Set;

/** Domains that mail is taken for, and who may send in the name of whom, as the channel of mail is configured. */
public interface SenderRights {
    /** Domains for which mail is taken from anybody. */
    Set<String> servedDomains();

    /** Tells if who logged in may use a sender address. */
    boolean mayUse(Principal login, String address);
}

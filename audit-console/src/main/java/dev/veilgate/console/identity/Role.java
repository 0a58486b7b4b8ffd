package dev.veilgate.console.identity;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What somebody is to the console. Each is a value of the claim {@code roles}, in lower case. */
public enum Role {
    /** Searches and reads. */
    AUDITOR,
    /** Approves what rules want a second person for. */
    APPROVER,
    /** Answers for keys, rules, readers and senders. */
    KEEPER,
    /** Looks after gateway and routes. */
    OPERATOR;

    /** As claims and the interface have it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Of a label; empty for what is another program's role. */
    public static Optional<Role> of(String label) {
        return Stream.of(values()).filter(role -> role.label().equals(label)).findFirst();
    }
}

package dev.veilgate.cli;

import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.authority.SearchScheme;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which scheme of searchable encryption. */
final class SearchSchemeOptions {
    @Option(
            names = "--index-scheme",
            paramLabel = "SCHEME",
            description =
                    "Scheme of searchable encryption: ntru-peks (default), post-quantum and the fastest to search; bdop04-peks and zi07-peks, over"
                            + " pairings; cp-zxa14, attribute-based. Senders seal keywords under the newest key of every scheme.")
    private @Nullable String scheme;

    @Option(
            names = "--index-policy",
            paramLabel = "POLICY",
            description = "For cp-zxa14: who may search, by attributes, 'role:auditor OR role:dpo'.")
    private @Nullable String policy;

    /** What was chosen; empty for nothing. */
    Optional<SearchScheme> chosen() throws CommandFailure {
        if (scheme == null) {
            if (policy != null) {
                throw new CommandFailure(ExitCode.USAGE, "--index-policy goes with --index-scheme");
            }
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new SearchScheme(scheme, policy == null ? Optional.empty() : Optional.of(Policy.parse(policy))));
        } catch (PolicySyntaxException e) {
            throw new CommandFailure(ExitCode.USAGE, "--index-policy: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--index-scheme: " + e.getMessage(), e);
        }
    }
}

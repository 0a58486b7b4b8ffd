package dev.veilgate.cli;

import dev.veilgate.abe.AttributeKem;
import dev.veilgate.abe.AttributeKems;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.SearchScheme;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.WrapAlgorithm;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes new keys beside the old ones. */
@Command(
        name = "rotate",
        header = "Make new keys; what was sealed under the old ones is still searched and opened",
        description = {
            "  Without options a new key of each kind is made. Senders use them when they get the next bundle; until the old",
            "  keys' envelopes have gone, a search takes a trapdoor for each key. --index, --index-scheme, --wrap, --policy and",
            "  --policy-scheme each make a key of their kind alone; --wrap-algorithm makes a wrap key of the algorithm and new pairs",
            "  for policies, whose readers need new keys. A pair of a scheme for policies that was not there before does not change",
            "  which scheme seals: keys show says which does, and keys seal-with SCHEME chooses.",
        },
        footer = {
            "  veilgate keys rotate",
            "  veilgate keys rotate --index",
            "  veilgate keys rotate --index-scheme bdop04-peks",
            "  veilgate keys rotate --wrap-algorithm x25519+frodokem-976",
            "  veilgate keys rotate --policy-scheme cp-bsw07 && veilgate keys seal-with cp-bsw07"
        })
final class KeysRotateCommand extends AuthorityCommand {
    @Option(names = "--index", description = "Only the key that keywords are sealed under.")
    private boolean index;

    @Mixin
    private SearchSchemeOptions search = new SearchSchemeOptions();

    @Option(names = "--wrap", description = "Only the key that contents are sealed for.")
    private boolean wrap;

    @Mixin
    private WrapAlgorithmOption wrapAlgorithm = new WrapAlgorithmOption();

    private @Nullable WrapAlgorithm wrapWith;

    @Option(
            names = "--policy",
            description = "Only the pair that contents are sealed with for policies; readers need new keys of it.")
    private boolean policy;

    @Option(
            names = "--policy-scheme",
            paramLabel = "SCHEME",
            description =
                    "Of this scheme: cp-fabeo22, cp-bsw07; kp-fabeo22, kp-gpsw06 for keys that have policies. Without it of each in use.")
    private @Nullable String policyScheme;

    @Option(
            names = "--lost-trapdoors",
            description =
                    "The folder of issued trapdoors is lost, also in every backup: forget all keys of ntru-peks and make a new one. What"
                            + " was sealed under them can then be opened, but never searched.")
    private boolean lost;

    KeysRotateCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.CHANGE);
    }

    @Override
    void checkArguments() throws CommandFailure {
        index |= search.chosen().isPresent();
        policy |= policyScheme != null;
        wrapWith = wrapAlgorithm.chosen().orElse(null);
        if (wrapWith != null && (index || wrap || policy)) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--wrap-algorithm stands alone: it makes a wrap key and pairs for policies");
        }
        if (lost && (index || wrap || policy || wrapWith != null)) {
            throw new CommandFailure(ExitCode.USAGE, "--lost-trapdoors stands alone");
        }
        if (policyScheme == null) {
            return;
        }
        if (AttributeKems.all().stream().noneMatch(scheme -> scheme.id().equals(policyScheme))) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--policy-scheme: must be one of "
                            + AttributeKems.all().stream().map(AttributeKem::id).toList());
        }
    }

    private void rotatePolicyKey(TenantKeys keys, SecureRandom random, Instant now) {
        if (policyScheme == null) {
            keys.rotatePolicyKey(random, now);
        } else {
            keys.rotatePolicyKey(policyScheme, random, now);
        }
    }

    private void rotateIndexKey(TenantKeys keys, SecureRandom random, Instant now)
            throws CommandFailure, MalformedEncodingException {
        SearchScheme chosen = search.chosen().orElse(null);
        if (chosen == null) {
            keys.rotateIndexKey(random, now);
        } else {
            keys.rotateIndexKey(chosen, random, now);
        }
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        SecureRandom random = new SecureRandom();
        Instant now = terminal.clock().instant();
        try {
            if (lost) {
                CommandLog.append(
                        terminal, folder, CommandLog.done(EntryKind.KEY_CHANGE, "rotated", "index, trapdoors lost"));
                folder.replaceIndexKeysAfterLoss(random, now);
            } else {
                List<String> kinds = new ArrayList<>();
                boolean all = !index && !wrap && !policy && wrapWith == null;
                if (wrapWith != null) {
                    folder.keys().wrapWith(wrapWith, random, now);
                    kinds.add("wrap policy, with " + wrapWith.id());
                }
                if (all || index) {
                    rotateIndexKey(folder.keys(), random, now);
                    kinds.add("index");
                }
                if (all || wrap) {
                    folder.keys().rotateWrapKey(random, now);
                    kinds.add("wrap");
                }
                if (all || policy) {
                    rotatePolicyKey(folder.keys(), random, now);
                    kinds.add("policy");
                }
                CommandLog.append(
                        terminal, folder, CommandLog.done(EntryKind.KEY_CHANGE, "rotated", String.join(" ", kinds)));
                folder.save();
            }
        } catch (IllegalStateException e) {
            throw new CommandFailure(ExitCode.KEY, String.valueOf(e.getMessage()), e);
        }
        folder.keys().keys().stream()
                .filter(TenantKeys.KeyInfo::current)
                .forEach(key -> terminal.out()
                        .println("current " + key.kind() + " key " + key.id() + " of " + key.parameters()
                                + (key.seals()
                                        ? ", seals"
                                        : ", does not seal: keys seal-with chooses the scheme that does")));
        terminal.out().println("now make a bundle with the new keys: veilgate keys bundle");
        return ExitCode.OK;
    }
}

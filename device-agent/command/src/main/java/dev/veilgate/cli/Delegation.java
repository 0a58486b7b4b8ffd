package dev.veilgate.cli;

import dev.veilgate.abe.AttributeKem;
import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a reader hands on of its keys: of each one the same attributes, in each of its epochs that has all of them. Used once.
 */
final class Delegation {
    private final List<ReaderKey> held;
    private final AttributeSet wanted;
    private final Predicate<String> chosen;
    private final SortedSet<String> epochs = new TreeSet<>();
    private final SortedSet<String> lacking = new TreeSet<>();

    /**
     * @param wanted as people write them; one without an epoch is meant in every epoch
     * @param chosen the epochs that are handed on
     */
    Delegation(List<ReaderKey> held, AttributeSet wanted, Predicate<String> chosen) {
        this.held = held;
        this.wanted = wanted;
        this.chosen = chosen;
    }

    /** Epochs in which the attributes were handed on. */
    SortedSet<String> epochs() {
        return epochs;
    }

    /** Epochs that were chosen, and in which the file has not all of the attributes. */
    SortedSet<String> lacking() {
        SortedSet<String> none = new TreeSet<>(lacking);
        none.removeAll(epochs);
        return none;
    }

    /** The keys for somebody else; closed by the caller. */
    List<ReaderKey> keysFor(String holder, SecureRandom random) throws CommandFailure {
        if (held.stream().noneMatch(ReaderKey::canDelegate)) {
            throw new CommandFailure(ExitCode.USAGE, schemeCannot());
        }
        List<ReaderKey> made = new ArrayList<>();
        try {
            for (ReaderKey key : held) {
                SortedSet<Attribute> part = key.canDelegate() ? part(key.label()) : new TreeSet<>();
                if (!part.isEmpty()) {
                    made.add(key.delegate(new Label.OfAttributes(AttributeSet.of(part)), holder, random));
                }
            }
            if (made.isEmpty()) {
                throw new CommandFailure(ExitCode.USAGE, attributesAreNotThere());
            }
            return made;
        } catch (IllegalArgumentException e) {
            made.forEach(ReaderKey::close);
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    /** All that is wanted, in each chosen epoch of a key that has all of it. */
    private SortedSet<Attribute> part(Label of) {
        SortedSet<Attribute> part = new TreeSet<>();
        if (of instanceof Label.OfAttributes set) {
            for (String epoch : of.epochs()) {
                SortedSet<Attribute> there =
                        epoch.isEmpty() ? wanted.attributes() : wanted.in(epoch).attributes();
                if (!chosen.test(epoch)) {
                    continue;
                }
                if (set.attributes().attributes().containsAll(there)) {
                    part.addAll(there);
                    epochs.add(epoch);
                } else {
                    lacking.add(epoch);
                }
            }
        }
        return part;
    }

    private String schemeCannot() {
        String schemes = held.stream()
                .map(key -> key.policyKey().schemeId())
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        String able = AttributeKems.all().stream()
                .filter(AttributeKem::canDelegate)
                .map(AttributeKem::id)
                .collect(Collectors.joining(", "));
        return "keys of " + schemes + " cannot be delegated, those of " + able
                + " can; the authority issues them after veilgate keys rotate --policy-scheme " + able
                + " and veilgate keys seal-with " + able;
    }

    private String attributesAreNotThere() {
        String labels = held.stream()
                .filter(ReaderKey::canDelegate)
                .map(key -> key.label().toString())
                .distinct()
                .collect(Collectors.joining("; "));
        return "the file has not all of " + Printable.of(wanted.toString()) + " in an epoch that was chosen; it has: "
                + Printable.of(labels);
    }
}

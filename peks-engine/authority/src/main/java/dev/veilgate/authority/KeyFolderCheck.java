package dev.veilgate.authority;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.Digest;
import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a key folder is what its authority wrote: key pairs, stored trapdoors, and what the issuing log says of them. Changes nothing. The key file itself is sealed under the
 * passphrase; the store of trapdoors is not, and whoever can write into it could exchange two files. Used once.
 *
 * <p>Of a trapdoor that the log names, the keyword is known, and it is checked by the scheme's own equation and by the digest that was logged when it was issued. One that no log names is
 * checked as far as its file goes: when its keyword is asked for again, the equation is checked before it leaves.
 */
@Secret
public final class KeyFolderCheck {
    private static final int MOST_FINDINGS = 1_000;

    /** What can be wrong. */
    public enum Problem {
        /** A public key and a secret key that are no pair, or cannot be read. */
        KEY_PAIR("key-pair"),
        /** A stored trapdoor is damaged, or another keyword's. */
        TRAPDOOR("trapdoor"),
        /** The log names a trapdoor, and it is not in the store: issued again it would be sampled again. */
        TRAPDOOR_MISSING("trapdoor-missing"),
        /** The stored trapdoor is one of its keyword, but not the one that was issued. */
        TRAPDOOR_DIFFERS("trapdoor-differs"),
        /** The file of registered senders is missing, or is not what the key file says. */
        SENDERS("senders"),
        /** An entry of the log cannot be read. */
        LOG("log");

        private final String id;

        Problem(String id) {
            this.id = id;
        }

        /** As it is printed. */
        public String id() {
            return id;
        }
    }

    /**
     * One thing that is wrong.
     *
     * @param detail never a keyword
     */
    public record Finding(Problem problem, String detail) {}

    /**
     * What was checked.
     *
     * @param keys      key pairs
     * @param trapdoors stored ones
     * @param proven    of them by the log: keyword, equation and digest
     * @param findings  in order, at most 1,000
     */
    public record Result(int keys, long trapdoors, long proven, List<Finding> findings) {}

    private final TenantKeys keys;
    private final FileTrapdoorStore store;
    private final List<Finding> findings = new ArrayList<>();
    private final Set<String> proven = new HashSet<>();
    private final Set<String> wrong = new HashSet<>();

    private KeyFolderCheck(TenantKeys keys, FileTrapdoorStore store) {
        this.keys = keys;
        this.store = store;
    }

    /**
     * Checks keys and what was issued with them.
     *
     * @param log null if none is kept
     * @throws IOException if the store cannot be listed
     */
    public static Result of(TenantKeys keys, FileTrapdoorStore store, @Nullable IssuingLog log) throws IOException {
        KeyFolderCheck check = new KeyFolderCheck(keys, store);
        int pairs = check.pairs();
        check.senders();
        if (log != null) {
            check.issued(log);
        }
        List<byte[]> names = store.names();
        names.forEach(check::file);
        return new Result(pairs, names.size(), check.proven.size(), List.copyOf(check.findings));
    }

    private void find(Problem problem, String detail) {
        if (findings.size() < MOST_FINDINGS) {
            findings.add(new Finding(problem, detail));
        }
    }

    private int pairs() {
        for (IndexKeyEntry key : keys.rings.index) {
            pair(key.publicKey().scheme() + " " + key.id(), key::issuer);
        }
        for (PolicyKeyEntry key : keys.rings.policy) {
            pair("policy " + key.id(), key::requirePair);
        }
        MailSigning mail = keys.mailSigning();
        mail.signer().ifPresent(key -> pair("mail-signer", key::signer));
        mail.authority().ifPresent(key -> pair("mail-authority", key::requirePair));
        return keys.rings.index.size() + keys.rings.wrap.size() + keys.rings.policy.size() + mail.keys();
    }

    /** Reads a pair. */
    private interface Pair {
        void read() throws MalformedEncodingException;
    }

    private void pair(String name, Pair pair) {
        try {
            pair.read();
        } catch (MalformedEncodingException | IllegalArgumentException e) {
            find(Problem.KEY_PAIR, name + ": " + e.getMessage());
        }
    }

    private void senders() {
        try {
            keys.senders().check();
        } catch (IOException e) {
            find(Problem.SENDERS, String.valueOf(e.getMessage()));
        }
    }

    private void issued(IssuingLog log) {
        for (long number = 1; number <= log.size(); number++) {
            try {
                Optional<LogEntry> entry = log.entry(number);
                if (entry.isPresent() && entry.get().kind() == EntryKind.TRAPDOOR) {
                    issued(entry.get());
                }
            } catch (IOException e) {
                find(Problem.LOG, "entry " + number + ": " + e.getMessage());
            }
        }
    }

    private void issued(LogEntry entry) {
        Optional<String> keyword = AuthorityLog.unseal(keys, entry).map(all -> all.get(IssuedEntries.KEYWORD));
        String keyId = entry.details().getOrDefault(DetailName.KEY, "");
        for (IndexKeyEntry key : keys.rings.index) {
            if (key.keepsTrapdoors() && key.id().toString().equals(keyId)) {
                if (keyword.isPresent()) {
                    issued(entry, key, IssuedEntries.keywordsOf(entry, keyword.get()));
                } else {
                    find(Problem.LOG, "entry " + entry.number() + ": does not say its keyword to these keys");
                }
            }
        }
    }

    private void issued(LogEntry entry, IndexKeyEntry key, List<Keyword> keywords) {
        String at = "entry " + entry.number() + " of the log: ";
        String digest = entry.details().getOrDefault(DetailName.TRAPDOOR, "");
        try {
            TrapdoorIssuer.Kept kept = key.issuer().kept().orElseThrow();
            KeywordDomain domain = new KeywordDomain(
                    keys.tenant(),
                    entry.details().getOrDefault(DetailName.SCOPE, ""),
                    entry.details().getOrDefault(DetailName.EPOCHS, ""));
            boolean isFound = false;
            for (Keyword keyword : keywords) {
                String name = HexFormat.of().formatHex(kept.name(domain, keyword));
                try {
                    Optional<ScopedTrapdoor> found = kept.find(domain, keyword, store);
                    if (found.isPresent()) {
                        isFound = true;
                        compare(at, name, digest, found.get());
                    }
                } catch (IOException e) {
                    isFound = true;
                    wrong(name, Problem.TRAPDOOR, at + e.getMessage());
                }
            }
            if (!isFound) {
                find(Problem.TRAPDOOR_MISSING, at + "its trapdoor is not in the store");
            }
        } catch (MalformedEncodingException | IllegalArgumentException e) {
            find(Problem.LOG, at + e.getMessage());
        }
    }

    private void compare(String at, String name, String digest, ScopedTrapdoor found) {
        if (Digest.of(found).toString().equals(digest)) {
            proven.add(name);
        } else {
            wrong(
                    name,
                    Problem.TRAPDOOR_DIFFERS,
                    at + "the stored trapdoor " + name + " is not the one that was issued");
        }
    }

    private void wrong(String name, Problem problem, String detail) {
        if (wrong.add(name)) {
            find(problem, detail);
        }
    }

    private void file(byte[] name) {
        String hex = HexFormat.of().formatHex(name);
        if (proven.contains(hex) || wrong.contains(hex)) {
            return;
        }
        try {
            store.find(name);
        } catch (IOException e) {
            wrong(hex, Problem.TRAPDOOR, String.valueOf(e.getMessage()));
        }
    }
}

package dev.veilgate.console.identity;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Compares a password with one hash of each kind that the users have, whoever logs in: the user's own, and for all other kinds somebody's, whose answer is thrown away. So a name that nobody has
 * takes as many verifications, of the same cost, as one that somebody has. A kind is an encoding with its cost; usually all users have the same.
 */
final class EqualWork implements PasswordEncoder {
    /** Stands where a hash of a user would be, if no user has the name. */
    private static final String NOBODYS = "{nobody}";

    private final PasswordEncoder verifier;
    private final Map<String, String> oneOfEachKind = new LinkedHashMap<>();

    /** @param hashes of all users, as the verifier reads them */
    EqualWork(PasswordEncoder verifier, Collection<String> hashes) {
        this.verifier = verifier;
        hashes.forEach(hash -> oneOfEachKind.putIfAbsent(kind(hash), hash));
    }

    /** Encoding and cost: what stands before the salt. Of {@code {bcrypt}$2y$12$...} it is {@code {bcrypt}$2y$12}; of {@code {argon2}$argon2id$v=19$m=16384,t=2,p=1$salt$hash} all but salt and hash. */
    static String kind(String hash) {
        int end = hash.indexOf('}') + 1;
        int last = hash.lastIndexOf('$');
        if (last < end) {
            return hash.substring(0, end); // the encoding alone says how much work it is
        }
        int before = hash.lastIndexOf('$', last - 1);
        boolean isSaltApart = !hash.startsWith("{bcrypt}") && before > end;
        return hash.substring(0, isSaltApart ? before : last);
    }

    /** Stands for the hash of who is not known. */
    @Override
    public String encode(@Nullable CharSequence password) {
        return NOBODYS;
    }

    @Override
    public boolean matches(@Nullable CharSequence password, @Nullable String hash) {
        String own = hash == null ? NOBODYS : hash;
        String kind = kind(own);
        boolean isRight = false;
        for (Map.Entry<String, String> other : oneOfEachKind.entrySet()) {
            boolean isOwn = other.getKey().equals(kind);
            isRight |= verifier.matches(password, isOwn ? own : other.getValue()) & isOwn;
        }
        return isRight;
    }
}

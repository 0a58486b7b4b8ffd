package dev.veilgate.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Finds classes that look as if they had a secret and are not marked: by their name, by a method that erases, or by a field of a marked class. Reviewed by hand are those that look so and have none; each
 * must still look so.
 */
public final class MarkedSecrets {
    private static final Pattern NAMES = Pattern.compile("(\\w*(Secret|Master|Signing|Private|Retrieval|Searcher|Reader"
            + "|Attribute|Blinded|Content|Mail|Tenant|Backup|Decapsulation)Keys?|\\w*(KeyPair|KeyShare|KeyFolder|KeyBackup|KeyRings"
            + "|Signer|Opener|Unwrapper|Peks|PendingRequest)|\\w*(Unlocked|Passphrase)\\w*)");
    private static final Set<String> ERASING = Set.of("destroy", "erase", "wipe");

    private MarkedSecrets() {}

    /**
     * Fails for a class that looks as if it had a secret, is not marked, and is no exception; and for an exception that does not look so, or is marked.
     *
     * @param exceptions full names, with reasons
     */
    public static void requireMarked(Iterable<JavaClass> classes, Map<String, String> exceptions) {
        Map<String, String> looking = new TreeMap<>();
        for (JavaClass type : classes) {
            if (!SecretClasses.isMarked(type)) {
                whySecret(type).ifPresent(why -> looking.put(type.getName(), why));
            }
        }
        Set<String> idle = new TreeSet<>(exceptions.keySet());
        idle.removeAll(looking.keySet());
        assertThat(idle).as("exceptions that do not look secret, or are marked").isEmpty();
        looking.keySet().removeAll(exceptions.keySet());
        assertThat(looking).as("look secret, and are not marked @Secret").isEmpty();
    }

    /** What makes a class look as if it had a secret. */
    static Optional<String> whySecret(JavaClass type) {
        if (type.isAnonymousClass()) {
            return Optional.empty(); // what it has is of the method around it
        }
        if (NAMES.matcher(type.getSimpleName()).matches()) {
            return Optional.of("its name");
        }
        return type.getMethods().stream()
                .filter(MarkedSecrets::erases)
                .map(method -> "its method " + method.getName())
                .findAny()
                .or(() -> type.getFields().stream()
                        .filter(field -> field.getAllInvolvedRawTypes().stream().anyMatch(SecretClasses::isMarked))
                        .map(field -> "its field " + field.getName())
                        .findAny());
    }

    private static boolean erases(JavaMethod method) {
        return ERASING.contains(method.getName())
                || method.getName().equals("close")
                        && method.getMethodCallsFromSelf().stream()
                                .anyMatch(call -> call.getTargetOwner().isEquivalentTo(Arrays.class)
                                        && call.getName().equals("fill"));
    }
}

package dev.veilgate.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.crypto.SecretKey;

/**
 * Finds classes that look as if they had a secret, or made or read one, and are not marked:
 * <ul>
 *   <li>by their name;
 *   <li>by a method that erases;
 *   <li>by a field, or the result of a method, of a marked class or of a JDK class that holds a key which is not public;
 *   <li>by a field of bytes or characters whose name says secret, key, seed, passphrase or password, and not public.
 * </ul>
 * Components of records are fields. Reviewed by hand are those that look so and have none; each must still look so.
 */
public final class MarkedSecrets {
    private static final Pattern NAMES = Pattern.compile("(\\w*(Secret|Master|Signing|Private|Retrieval|Searcher|Reader"
            + "|Attribute|Blinded|Content|Mail|Tenant|Backup|Decapsulation)Keys?|\\w*(KeyPair|KeyShare|KeyFolder|KeyBackup|KeyRings"
            + "|Signer|Opener|Unwrapper|Peks|PendingRequest)|\\w*(Unlocked|Passphrase)\\w*|\\w*Secrets?)");
    private static final Set<String> ERASING = Set.of("destroy", "erase", "wipe");
    private static final List<Class<?>> KEYS_OF_JDK = List.of(PrivateKey.class, SecretKey.class, KeyPair.class);
    private static final Pattern SECRET_WORD = Pattern.compile("(secret|key|seed|passphrase|password)s?");
    private static final Pattern END_OF_WORD = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|_");

    private MarkedSecrets() {}

    /**
     * Fails for a class that looks as if it had a secret, is not marked, and is no exception; for an exception that does not look so, or is marked; and for no classes.
     *
     * @param exceptions full names, with reasons
     */
    public static void requireMarked(Iterable<JavaClass> classes, Map<String, String> exceptions) {
        assertThat(classes).as("classes to look at").isNotEmpty();
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
        if (type.isAnonymousClass() || type.isAnnotation()) {
            return Optional.empty(); // what an anonymous class has is of the method around it
        }
        if (NAMES.matcher(type.getSimpleName()).matches()) {
            return Optional.of("its name");
        }
        return type.getMethods().stream()
                .filter(MarkedSecrets::erases)
                .map(method -> "its method " + method.getName())
                .findAny()
                .or(() -> type.getFields().stream()
                        .filter(field -> isOfSecrets(field.getType()) || namesSecretBytes(field))
                        .map(field -> "its field " + field.getName())
                        .findAny())
                .or(() -> type.getMethods().stream()
                        .filter(method -> !method.getModifiers().contains(JavaModifier.SYNTHETIC))
                        .filter(method -> isOfSecrets(method.getReturnType()))
                        .map(method -> "what its method " + method.getName() + " returns")
                        .findAny());
    }

    private static boolean isOfSecrets(JavaType type) {
        return type.getAllInvolvedRawTypes().stream()
                .anyMatch(raw ->
                        SecretClasses.isMarked(raw) || KEYS_OF_JDK.stream().anyMatch(raw::isAssignableTo));
    }

    /** Arrays of them, and collections of such arrays, too. */
    private static boolean namesSecretBytes(JavaField field) {
        List<String> words = END_OF_WORD
                .splitAsStream(field.getName())
                .map(word -> word.toLowerCase(Locale.ROOT))
                .toList();
        return words.stream().anyMatch(word -> SECRET_WORD.matcher(word).matches())
                && !words.contains("public")
                && field.getType().getAllInvolvedRawTypes().stream()
                        .anyMatch(raw -> raw.isEquivalentTo(byte.class) || raw.isEquivalentTo(char.class));
    }

    private static boolean erases(JavaMethod method) {
        return ERASING.contains(method.getName())
                || method.getName().equals("close")
                        && method.getMethodCallsFromSelf().stream()
                                .anyMatch(call -> call.getTargetOwner().isEquivalentTo(Arrays.class)
                                        && call.getName().equals("fill"));
    }
}

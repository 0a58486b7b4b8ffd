package dev.veilgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.veilgate.architecture.MarkedSecrets;
import dev.veilgate.architecture.SecretClasses;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.secret.Exercises;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Secrets carry their marks: the tests of who may touch them, in all modules, find them by these. */
class SecretsTest {
    private static final JavaClasses ENGINE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(place -> !place.contains("-tests.jar"))
            .importPackages("dev.veilgate");

    private static final String MESSAGE = "randomness of one message, which its sender draws and nobody keeps";
    private static final String SENDERS_OWN = "signs with the key that its caller has, which is marked";
    private static final String PUBLIC_KEY = "a public key; what somebody makes or opens with its scheme is marked";
    private static final String SCHEME = "a scheme; the keys that it makes of its caller's seed are marked";
    private static final String BLINDED = "the half of a reader's key that a server is given, which opens nothing";
    private static final String TABLE =
            "key of a table in memory, which its process draws so that nobody aims at collisions";

    private static final String OPENED = "its object, or what it is given, was got by a method that exercises a power";
    private static final String PUBLIC = "what is public of keys and senders";
    private static final String CALLERS = "secrets of its caller, none of an authority";
    private static final String HOLDERS = "with what its holder was issued, and without the tenant's keys";

    /** Classes that look secret and are not. */
    private static final Map<String, String> NOT_SECRET = Map.ofEntries(
            Map.entry(
                    "dev.veilgate.authority.PassphraseCost",
                    "how much work a guess is, which a key file says in clear"),
            Map.entry("dev.veilgate.authority.SearchScheme", "names a scheme"),
            Map.entry("dev.veilgate.encoding.ByteWriter", "can be wiped by whoever wrote a secret"),
            Map.entry("dev.veilgate.encoding.CborWriter", "can be wiped by whoever wrote a secret"),
            Map.entry("dev.veilgate.enrolment.DrawnPassphrase", "draws for its caller, and keeps nothing"),
            Map.entry("dev.veilgate.envelope.ChainVerifier", TABLE),
            Map.entry("dev.veilgate.envelope.EnvelopeSealer", SENDERS_OWN),
            Map.entry("dev.veilgate.envelope.KemPublicKey", PUBLIC_KEY),
            Map.entry("dev.veilgate.envelope.PolicyKey", PUBLIC_KEY),
            Map.entry("dev.veilgate.envelope.PublicBundleCodec$Extensions", PUBLIC_KEY),
            Map.entry("dev.veilgate.envelope.SenderChain", TABLE),
            Map.entry("dev.veilgate.envelope.TransformRequest", BLINDED),
            Map.entry("dev.veilgate.envelope.WrapAlgorithm", SCHEME),
            Map.entry("dev.veilgate.envelope.WrapTransformer", BLINDED),
            Map.entry("dev.veilgate.envelope.smime.SealedMailWriter", SENDERS_OWN),
            Map.entry(
                    "dev.veilgate.issuing.LogDraft$Secret",
                    "details in clear, and the public key they will be sealed for"),
            Map.entry("dev.veilgate.math.ring.RingHash", MESSAGE),
            Map.entry("dev.veilgate.pq.Kem", SCHEME),
            Map.entry("dev.veilgate.pq.SignatureScheme", SCHEME),
            Map.entry("dev.veilgate.random.CoinStream", MESSAGE),
            Map.entry("dev.veilgate.peks.lattice.ntru.BlockMask$Opened", MESSAGE),
            Map.entry("dev.veilgate.peks.lattice.ntru.RowBits", MESSAGE),
            Map.entry("dev.veilgate.peks.lattice.ntru.SlotBatch", MESSAGE),
            Map.entry("dev.veilgate.peks.lattice.ntru.SlotHash", MESSAGE),
            Map.entry("dev.veilgate.peks.pairing.SlotKey", MESSAGE));

    /** Public methods of an authority that hand out a secret class, and exercise nothing that its caller did not. */
    private static final Map<String, String> NO_POWER = Map.ofEntries(
            Map.entry("KeyFolder.keys", OPENED),
            Map.entry("KeyBackup.shares", OPENED),
            Map.entry("AuthorityLog.open", OPENED),
            Map.entry("TenantKeys.senders", OPENED),
            Map.entry("TenantKeys.keys", PUBLIC),
            Map.entry("TenantSenders.forEach", PUBLIC),
            Map.entry("TenantSenders.copyTo", PUBLIC),
            Map.entry("KeyFolderCheck.of", "says what is wrong with keys"),
            Map.entry("KeyBackup.requireShares", "checks numbers"),
            Map.entry("KeyShare.parse", HOLDERS),
            Map.entry("SecretBackup.form", "tells two forms apart"),
            Map.entry("SecretBackup.share", CALLERS),
            Map.entry("SecretBackup.restore", CALLERS),
            Map.entry("ReaderKeyFile.open", HOLDERS),
            Map.entry("ReaderKeyFile.read", HOLDERS),
            Map.entry("ReaderKeyFile.write", HOLDERS),
            Map.entry("SearcherKey.issue", HOLDERS),
            Map.entry("SearcherKeys.request", HOLDERS));

    @Test
    void whatLooksSecretIsMarked() {
        MarkedSecrets.requireMarked(ENGINE, NOT_SECRET);
    }

    /**
     * What returns a secret class or a trapdoor; or nothing, or whether something was there, since it changes
     * something.
     */
    @Test
    void whatAnAuthorityHandsOutOrChangesSaysWhichPowerItExercises() {
        Set<String> found = new TreeSet<>();
        for (JavaClass type : ENGINE) {
            if (type.getPackageName().equals("dev.veilgate.authority")
                    && type.isTopLevelClass()
                    && SecretClasses.marked().test(type)) {
                type.getMethods().stream()
                        .filter(SecretsTest::isPublic)
                        .filter(SecretsTest::handsOutOrChanges)
                        .filter(method -> !method.isAnnotatedWith(Exercises.class))
                        .forEach(method -> found.add(method.getOwner().getSimpleName() + "." + method.getName()));
            }
        }
        assertThat(found)
                .as("exercise a power, and are not marked @Exercises")
                .containsExactlyInAnyOrderElementsOf(NO_POWER.keySet());
    }

    private static boolean isPublic(JavaMethod method) {
        return method.getModifiers().contains(JavaModifier.PUBLIC)
                && !method.getModifiers().contains(JavaModifier.SYNTHETIC)
                && method.getOwner().getModifiers().contains(JavaModifier.PUBLIC);
    }

    private static boolean handsOutOrChanges(JavaMethod method) {
        return method.getReturnType().getAllInvolvedRawTypes().stream()
                        .anyMatch(type -> SecretClasses.marked().test(type)
                                || type.isEquivalentTo(ScopedTrapdoor.class)
                                || type.isEquivalentTo(SearchRequest.class))
                || method.getRawReturnType().isEquivalentTo(void.class)
                        && !method.getName().equals("close")
                || method.getRawReturnType().isEquivalentTo(boolean.class)
                        && !method.getRawParameterTypes().isEmpty()
                        && !method.getName().matches("is.*|equals");
    }
}

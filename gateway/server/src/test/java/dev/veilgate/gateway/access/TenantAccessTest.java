package dev.veilgate.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.files.LockFile;
import dev.veilgate.gateway.access.Principal.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever may give access to a tenant gains no right by it, neither there nor in another tenant. */
class TenantAccessTest {
    @TempDir
    Path folder;

    private Path file;
    private AccessFile access;
    private TenantAccess acme;

    @BeforeEach
    void open() throws IOException {
        file = folder.resolve("access");
        access = new AccessFile(file);
        acme = new TenantAccess(access, new SecureRandom());
    }

    private String grant(Principal principal) throws IOException {
        return AccessFile.grant(file, principal, new SecureRandom());
    }

    @Test
    void givesTheRightToSendAndNothingElseAtOnce() throws Exception {
        String password = acme.grant(Kind.DEVICE, "press-4", "acme");
        String mail = acme.grant(Kind.MAIL, "app@acme.example", "acme");
        String token = acme.grant(Kind.TOKEN, "press-4", "acme");
        assertThat(access.device("press-4", password))
                .contains(new Principal(Kind.DEVICE, "press-4", "acme", Set.of(Right.INGEST), Set.of()));
        assertThat(access.mailUser("app@acme.example", mail))
                .contains(new Principal(Kind.MAIL, "app@acme.example", "acme", Set.of(Right.INGEST), Set.of()));
        assertThat(access.token(token))
                .contains(new Principal(Kind.TOKEN, "press-4", "acme", Set.of(Right.INGEST), Set.of()));
        assertThat(Files.readString(file)).doesNotContain(password, mail, token);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aNewSecretEndsTheOldOneAndWhatIsTakenAwayIsGone(Kind kind) throws Exception {
        String old = acme.grant(kind, "press-4", "acme");
        String fresh = acme.grant(kind, "press-4", "acme");
        assertThat(isGood(kind, old)).isFalse();
        assertThat(isGood(kind, fresh)).isTrue();
        assertThat(acme.revoke(kind, "press-4", "acme")).isTrue();
        assertThat(isGood(kind, fresh)).isFalse();
        assertThat(acme.revoke(kind, "press-4", "acme")).isFalse();
    }

    private boolean isGood(Kind kind, String secret) {
        return switch (kind) {
            case TOKEN -> access.token(secret).isPresent();
            case DEVICE -> access.device("press-4", secret).isPresent();
            case MAIL -> access.mailUser("press-4", secret).isPresent();
        };
    }

    @Test
    void whatMayMoreThanSendIsNeitherReplacedNorTakenAway() throws Exception {
        Principal own = new Principal(Kind.TOKEN, "console", "acme", Set.of(Right.ACCESS, Right.INGEST), Set.of());
        String token = grant(own);
        assertThatThrownBy(() -> acme.grant(Kind.TOKEN, "console", "acme")).isInstanceOf(ForeignAccessException.class);
        assertThatThrownBy(() -> acme.revoke(Kind.TOKEN, "console", "acme")).isInstanceOf(ForeignAccessException.class);
        access.refresh();
        assertThat(access.token(token)).contains(own);
    }

    /** Its new secret would subscribe to what an administrator let that device see. */
    @Test
    void aDeviceThatMaySubscribeGetsNoSecretHereButMayBeShutOut() throws Exception {
        Principal pager =
                new Principal(Kind.DEVICE, "pager", "acme", Set.of(Right.INGEST), Set.of(), Set.of("alerts/#"));
        String password = grant(pager);
        assertThatThrownBy(() -> acme.grant(Kind.DEVICE, "pager", "acme")).isInstanceOf(ForeignAccessException.class);
        access.refresh();
        assertThat(access.device("pager", password)).contains(pager);
        assertThat(acme.revoke(Kind.DEVICE, "pager", "acme")).isTrue();
        assertThat(access.device("pager", password)).isEmpty();
    }

    @Test
    void anotherTenantsIsNeitherSeenNorTouched() throws Exception {
        Principal theirs = new Principal(Kind.DEVICE, "press-4", "globex", Set.of(Right.INGEST), Set.of());
        String password = grant(theirs);
        assertThat(acme.list("acme")).isEmpty();
        assertThatThrownBy(() -> acme.grant(Kind.DEVICE, "press-4", "acme")).isInstanceOf(ForeignAccessException.class);
        assertThat(acme.revoke(Kind.DEVICE, "press-4", "acme")).isFalse();
        assertThat(access.device("press-4", password)).contains(theirs);
        assertThat(acme.list("globex")).containsExactly(theirs);
    }

    @Test
    void theListIsByKindAndName() throws Exception {
        acme.grant(Kind.MAIL, "b", "acme");
        acme.grant(Kind.DEVICE, "b", "acme");
        acme.grant(Kind.DEVICE, "a", "acme");
        assertThat(acme.list("acme"))
                .extracting(one -> one.kind() + " " + one.name())
                .containsExactly("DEVICE a", "DEVICE b", "MAIL b");
    }

    @Test
    void severalAtOnceLoseNothing() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<String> granted : threads.invokeAll(IntStream.range(0, 40)
                    .<Callable<String>>mapToObj(i -> () -> acme.grant(Kind.DEVICE, "press-" + i, "acme"))
                    .toList())) {
                granted.get(60, TimeUnit.SECONDS);
            }
        }
        assertThat(AccessFile.list(file)).hasSize(40);
    }

    @Test
    void aCommandThatHoldsTheFileIsWaitedForNotForEver() throws Exception {
        try (LockFile _ = LockFile.tryLock(folder.resolve("access.lock")).orElseThrow()) {
            assertThatThrownBy(() -> acme.grant(Kind.DEVICE, "press-4", "acme"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("being changed");
        }
        assertThat(acme.grant(Kind.DEVICE, "press-4", "acme")).startsWith("vg_");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void namesThatAreNoneAreRefused(Kind kind) {
        for (String name : new String[] {"", "a\nb", "x".repeat(TenantAccess.MAX_NAME + 1)}) {
            assertThatThrownBy(() -> acme.grant(kind, name, "acme")).isInstanceOf(IllegalArgumentException.class);
        }
    }
}

package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.ks.zxa14.SecretKey;
import dev.veilgate.abe.ks.zxa14.Zxa14;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.authority.ReaderKeyFile;
import dev.veilgate.authority.SearchScheme;
import dev.veilgate.authority.SearcherKey;
import dev.veilgate.authority.SearcherKeys;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Principal.Kind;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.query.Expression;
import dev.veilgate.query.SearchRequest;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Field;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Searchers by attributes at a running gateway, which knows nothing of them: their own tokens find what the index policy lets them find, in the epochs of their keys. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class SearchersTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final byte[] PASSPHRASE = "another horse battery".getBytes(StandardCharsets.UTF_8);
    private static final String RIGHT = "role:auditor, site:plant-7";
    private static final int G1_BYTES = 48;
    private static final int COMPONENT_BYTES = 144;

    @TempDir
    Path folder;

    private final TestTenant tenant = tenant();
    private final String present = tenant.epoch(Clock.systemUTC());
    private final String before = tenant.keys()
            .epochs()
            .at(tenant.keys().epochs().named(present).from().minusMillis(1))
            .name();
    private final String after = tenant.keys()
            .epochs()
            .at(tenant.keys().epochs().named(present).to())
            .name();

    private static TestTenant tenant() {
        try {
            return TestTenant.of(
                    GatewayProcess.TENANT,
                    new SearchScheme("cp-zxa14", Optional.of(Policy.parse("role:auditor AND site:plant-7"))));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The searcher's keys of a file that the authority issued. */
    private List<SearcherKey> issue(String holder, String attributes, String... epochs) throws Exception {
        AttributeSet set = AttributeSet.parse(attributes);
        List<ReaderKey> reading =
                tenant.keys().issueReaderKeys(holder, new Label.OfAttributes(set), List.of(epochs), RANDOM);
        List<SearcherKey> searching = tenant.keys().issueSearcherKeys(holder, set, List.of(epochs), RANDOM);
        Path file = folder.resolve(holder + ".vgr");
        ReaderKeyFile.write(
                file, ReaderKeyFile.seal(reading, searching, PASSPHRASE, new PassphraseCost(64, 1, 1), RANDOM));
        return ReaderKeyFile.open(file, PASSPHRASE).searchers();
    }

    private PublicBundle bundle() throws Exception {
        return PublicBundle.verify(
                Files.readAllBytes(folder.resolve("bundle")),
                tenant.keys().authority().fingerprint(),
                Instant.now());
    }

    private SearchRequest request(List<SearcherKey> held, String scope, String word) throws Exception {
        return new SearcherKeys(held, bundle())
                .request(scope, List.of(present), List.of(List.of(Keyword.text("word", word))), Expression.allOf(1));
    }

    private static List<String> found(GatewayProcess gateway, SearchRequest request) throws Exception {
        return gateway.search(request).stream()
                .map(hit -> hit.get("envelope").asString())
                .toList();
    }

    /** Seals, and hands it in. */
    private String store(GatewayProcess gateway, String sender, String... lines) throws Exception {
        var sealed = tenant.register(sender, Clock.systemUTC()).seal(lines);
        gateway.store(sealed);
        return Envelope.decode(sealed.bytes()).id().toString();
    }

    @Test
    void theIndexPolicyDecidesWhoFindsWhat() throws Exception {
        try (var gateway = registered()) {
            String token = grant(gateway, "ada", Right.SEARCH);
            String ingest = grant(gateway, "press", Right.INGEST);
            gateway.start();
            String first = store(gateway, "press-1", "pump overheat", "valve calm");
            List<SearcherKey> ada = issue("ada", RIGHT, present);
            assertThat(found(gateway, request(ada, TestTenant.SCOPE, "overheat")))
                    .containsExactly(first);
            assertThat(found(gateway, request(ada, TestTenant.SCOPE, "underheat")))
                    .isEmpty();

            assertThat(issue("eve", "role:auditor, site:plant-8", present)).isEmpty();
            forgeries(gateway, first);
            access(gateway, token, ingest, ada);

            tenant.keys().rotateSearchersIndexKey(RANDOM, Instant.now()); // as keys revoke does
            Files.write(folder.resolve("bundle"), tenant.bundle());
            gateway.stop();
            gateway.start();
            String second = store(gateway, "press-2", "pump overheat");
            assertThat(found(gateway, request(ada, TestTenant.SCOPE, "overheat")))
                    .as("nothing that is sealed under the new key")
                    .containsExactly(first);
            assertThat(found(gateway, request(issue("ben", RIGHT, present), TestTenant.SCOPE, "overheat")))
                    .containsExactlyInAnyOrder(first, second);
        }
    }

    private GatewayProcess registered() throws Exception {
        tenant.register("press-1", Clock.systemUTC());
        tenant.register("press-2", Clock.systemUTC());
        return new GatewayProcess(folder, tenant);
    }

    /** Searchers of last month and of the next, alone and with their keys put together: this month's attributes are others. */
    private void forgeries(GatewayProcess gateway, String first) throws Exception {
        List<SearcherKey> eve = issue("eve", RIGHT, before);
        List<SearcherKey> max = issue("max", RIGHT, after);
        assertThat(new SearcherKeys(eve, bundle())
                        .reach(List.of(present), List.of())
                        .isNothing())
                .isTrue();
        List<SecretKey> held = new ArrayList<>();
        for (SearcherKey each : List.of(newest(eve), newest(max), newest(issue("ada", RIGHT, present)))) {
            held.add(secret(each));
        }
        SecretKey last = held.get(0);
        SecretKey next = held.get(1);
        SecretKey right = held.get(2);
        assertThat(found(gateway, forged(spliced(right, right, right))))
                .as("the way of forging")
                .containsExactly(first);
        for (SecretKey root : List.of(last, next)) {
            for (SecretKey role : List.of(last, next)) {
                for (SecretKey site : List.of(last, next)) {
                    assertThat(found(gateway, forged(spliced(root, role, site))))
                            .isEmpty();
                }
            }
        }
    }

    private static SearcherKey newest(List<SearcherKey> keys) {
        return keys.getFirst();
    }

    /** A searcher takes it out of the file. */
    private static SecretKey secret(SearcherKey key) throws Exception {
        Field field = SearcherKey.class.getDeclaredField("key");
        field.setAccessible(true);
        return (SecretKey) field.get(key);
    }

    /** A key that says that it is for this month: A of one key, the components of the role of another, those of the site of a third. */
    private SecretKey spliced(SecretKey root, SecretKey role, SecretKey site) throws Exception {
        AttributeSet names = AttributeSet.parse("role:auditor@" + present + ", site:plant-7@" + present);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(1);
        out.write(names.encode());
        for (int half = 0; half < 2; half++) {
            int at = 1 + names.encode().length + half * (G1_BYTES + 2 * COMPONENT_BYTES);
            out.write(root.encode(), at, G1_BYTES);
            out.write(role.encode(), at + G1_BYTES, COMPONENT_BYTES);
            out.write(site.encode(), at + G1_BYTES + COMPONENT_BYTES, COMPONENT_BYTES);
        }
        return SecretKey.decode(out.toByteArray());
    }

    private SearchRequest forged(SecretKey key) throws Exception {
        var index = newest(issue("ada", RIGHT, present)).index();
        var domain = new KeywordDomain(GatewayProcess.TENANT, TestTenant.SCOPE, present);
        var token = Zxa14.withDefaults()
                .token(key, index, domain, Keyword.text("word", "overheat"))
                .orElseThrow();
        return SearchRequest.allOf(GatewayProcess.TENANT, List.of(List.of(token)));
    }

    private static String grant(GatewayProcess gateway, String name, Right right) throws Exception {
        return gateway.grant(
                new Principal(Kind.TOKEN, name, GatewayProcess.TENANT, Set.of(right), Set.of(TestTenant.SCOPE)));
    }

    /** A searcher needs the right to search at the gateway, and sees the scopes of its access and no others. */
    private void access(GatewayProcess gateway, String token, String ingest, List<SearcherKey> ada) throws Exception {
        SearchRequest own = request(ada, TestTenant.SCOPE, "overheat");
        assertThat(status(gateway, token, own)).isEqualTo(201);
        assertThat(status(gateway, token, request(ada, "plant-8", "overheat"))).isEqualTo(403);
        assertThat(status(gateway, ingest, own)).isEqualTo(403);
    }

    private static int status(GatewayProcess gateway, String token, SearchRequest request) throws Exception {
        HttpRequest post = HttpRequest.newBuilder(gateway.uri("/v1/tenants/" + GatewayProcess.TENANT + "/searches"))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", SearchRequest.MEDIA_TYPE)
                .POST(HttpRequest.BodyPublishers.ofByteArray(request.encode()))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(post, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }
}

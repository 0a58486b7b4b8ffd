package dev.veilgate.sse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.CoinStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Every byte that owner and server say of a fixed history under fixed coins, as SHA-256: an archive that is there is
 * read by the program of tomorrow. A change of these is a new format.
 */
class KnownAnswersTest {
    private static final Map<String, String> FROZEN = Map.of(
            "aura",
            "f8e212620fce901d55fa4e930517103f608849e30c3eb1d4dcaf6b1f373d99ba",
            "chlh15",
            "a95c1723936056559a940562efc51dd64f2fde9a586842833cbe58af7ad928d2",
            "codeword",
            "94d0ee1511683ec41f32b6978e0d250a52bdaa1bed219c01ef3eae35833d9a73",
            "januspp",
            "f5bb794439808edcc7655b30070377c0e622ad21f868c333fd09ecc5c3141906",
            "sda",
            "47ab05fb5800927051a88c1d98703f15506bc3160617ce5f34e453f034048a30",
            "sdd",
            "f753a8b83ac6fa6cf5e23517582a26859cb4f0f4fc3c9e4ee6242dfd5f8073d4",
            "suise",
            "bfec0a8918a49e8ac7c4f5125c82893b137a1c3c5b23ef264e3e1266b4b47d44",
            "vasst16",
            "4f3e3cd656eae43d810096f54ae26285f692c9cb95f7b8eed895588eef78c184");

    private static String digest(SseScheme scheme) throws Exception {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        byte[] coins = sha.digest(("known answers of " + scheme.id()).getBytes(StandardCharsets.UTF_8));
        TestArchive archive =
                new TestArchive(scheme, Parameters.standard(scheme), new ReplayableRandom(CoinStream.ofSeed(coins)));
        Keyword owl = Keyword.text("subject", "owl");
        Keyword hawk = Keyword.text("subject", "hawk");
        Capabilities capabilities = scheme.capabilities(Parameters.standard(scheme));
        SseExpression question = capabilities.ask().contains(Ask.WORD)
                ? new SseExpression.Word(owl)
                : new SseExpression.Pattern("subject", "o", "l");
        Document first = Document.of(new DocumentId(1), List.of(owl, hawk, owl));
        archive.add(first);
        archive.add(Document.of(new DocumentId(2), List.of(owl)), Document.of(new DocumentId(-3), List.of(hawk)));
        archive.search(question);
        if (capabilities.deletion() != Capabilities.Deletion.NONE) {
            archive.delete(first);
        }
        archive.add(Document.of(new DocumentId(4), List.of(owl, hawk)));
        assertThat(archive.search(question).ids()).contains(new DocumentId(2), new DocumentId(4));
        archive.search(question);
        archive.transcript.messages().forEach(sha::update);
        return HexFormat.of().formatHex(sha.digest());
    }

    @Test
    void everySchemeSaysWhatItSaidBefore() throws Exception {
        Map<String, String> now = new TreeMap<>();
        for (SseScheme scheme : SseSchemes.all()) {
            now.put(scheme.id(), digest(scheme));
        }
        assertThat(now).isEqualTo(FROZEN);
    }
}

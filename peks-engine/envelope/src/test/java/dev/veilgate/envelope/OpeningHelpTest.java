package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.AttributeBlindedKey;
import dev.veilgate.abe.AttributeKem;
import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.AttributeKeys;
import dev.veilgate.abe.Label;
import dev.veilgate.envelope.TransformRequest.Place;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Envelopes that are opened with the answers of a server, which are right or not. */
class OpeningHelpTest {
    private static final SecureRandom RANDOM = Samples.frozen("help");
    private static final KemSecretKey SHARED = KemSecretKey.generate(RANDOM);

    /** An authority of a scheme, and what is sealed and opened under its pair. */
    private static final class Pair {
        final AttributeKem kem;
        final AttributeKeys keys;
        final PolicyKey policyKey;

        Pair(AttributeKem kem) {
            this.kem = kem;
            keys = kem.setup(RANDOM);
            policyKey = PolicyKey.of(keys.publicKey(), SHARED.publicKey());
        }

        /** Attributes are a policy that asks for all of them where keys have policies, and the other way round. */
        Label label(boolean policy, String... attributes) throws Exception {
            String set = String.join(", ", attributes);
            return (policy ? Label.policy(set.replace(", ", " AND ")) : Label.attributes(set)).in("2026-11");
        }

        ReaderKey reader(String... attributes) throws Exception {
            Label label = label(kem.keysHavePolicies(), attributes);
            return new ReaderKey(
                    "acme",
                    "ada",
                    policyKey,
                    SHARED.copy(),
                    kem.keyGen(keys.masterKey(), keys.publicKey(), label, RANDOM));
        }

        Envelope seal(String... attributes) throws Exception {
            try (EnvelopeSealer sealer = new EnvelopeSealer(
                    "acme",
                    List.of(Samples.indexSealer(RANDOM)),
                    Samples.TENANT.publicKey(),
                    List.of(policyKey),
                    Samples.SENDER,
                    Samples.CLOCK,
                    RANDOM)) {
                EnvelopeDraft draft = Samples.draft(2).forReaders(List.of(label(!kem.keysHavePolicies(), attributes)));
                return Envelope.decode(sealer.seal(draft, ChainPosition.first()).bytes());
            }
        }
    }

    static List<AttributeKem> all() {
        return AttributeKems.all();
    }

    private static AttributeKem bsw07() {
        return all().stream()
                .filter(kem -> kem.id().equals("cp-bsw07"))
                .findFirst()
                .orElseThrow();
    }

    /** Gives one answer to whoever asks. */
    private static final class Fixed implements OpeningHelp {
        final AttributeBlindedKey blinded;
        final byte[] element;
        final List<Envelope> wrong = new ArrayList<>();

        Fixed(AttributeBlindedKey blinded, byte[] element) {
            this.blinded = blinded;
            this.element = element;
        }

        @Override
        public Optional<Answer> answer(Envelope envelope, int wrap, ReaderKey key) {
            return Optional.of(new Answer(blinded.retrievalKey(), element));
        }

        @Override
        public void wasWrong(Envelope envelope) {
            wrong.add(envelope);
        }
    }

    private static TransformAnswer answer(AttributeBlindedKey key, Envelope envelope, int wrap) throws Exception {
        TransformRequest request =
                TransformRequest.decode(TransformRequest.of(key.transformKey(), List.of(new Place(envelope.id(), wrap)))
                        .encode());
        return WrapTransformer.of(request).transform(envelope, wrap);
    }

    private static byte[] element(AttributeBlindedKey key, Envelope envelope) throws Exception {
        TransformAnswer answer = TransformAnswer.decode(TransformAnswer.encode(List.of(answer(key, envelope, 0))))
                .getFirst();
        return ((TransformAnswer.Transformed) answer).element();
    }

    private static EnvelopeOpener with(ReaderKey key, OpeningHelp help) {
        return new EnvelopeOpener(List.of(), ReaderKeys.of(List.of(key)), help);
    }

    @ParameterizedTest
    @MethodSource("all")
    void opensWithoutTheReadersAttributeKey(AttributeKem kem) throws Exception {
        Pair pair = new Pair(kem);
        ReaderKey reader = pair.reader("role:auditor", "site:plant-7");
        Envelope envelope = pair.seal("role:auditor", "site:plant-7");
        AttributeBlindedKey blinded = reader.blind(RANDOM);
        Fixed server = new Fixed(blinded, element(blinded, envelope));
        EnvelopeOpener opener = with(reader, server);
        assertThat(opener.satisfied(envelope)).contains(new EnvelopeOpener.Satisfied(0, reader));
        reader.attributeKey().destroy(); // so that nothing is left but the answer
        assertThat(opener.open(envelope)).containsExactlyElementsOf(Samples.lines(2));
        assertThat(server.wrong).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("all")
    void wrongAnswersAreFoundOutAndTheReaderOpensByItself(AttributeKem kem) throws Exception {
        Pair pair = new Pair(kem);
        ReaderKey reader = pair.reader("role:auditor", "site:plant-7");
        Envelope envelope = pair.seal("role:auditor", "site:plant-7");
        AttributeBlindedKey blinded = reader.blind(RANDOM);
        byte[] right = element(blinded, envelope);
        byte[] altered = right.clone();
        altered[300] ^= 1;
        List<byte[]> lies = List.of(
                altered,
                new byte[TransformAnswer.ELEMENT_BYTES],
                element(blinded, pair.seal("role:auditor", "site:plant-7")),
                element(reader.blind(RANDOM), envelope),
                element(pair.reader("role:auditor", "site:plant-7").blind(RANDOM), envelope),
                Arrays.copyOf(right, 575));
        for (byte[] lie : lies) {
            Fixed server = new Fixed(blinded, lie);
            assertThat(with(reader, server).open(envelope)).containsExactlyElementsOf(Samples.lines(2));
            assertThat(server.wrong).containsExactly(envelope);
        }
        reader.attributeKey().destroy();
        for (byte[] lie : lies) { // what nobody can open by itself is not opened by a lie
            Fixed server = new Fixed(blinded, lie);
            assertThatThrownBy(() -> with(reader, server).open(envelope)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aServerIsNotBlamedForWhatTheSenderAltered() throws Exception {
        Pair pair = new Pair(bsw07());
        ReaderKey reader = pair.reader("role:auditor");
        Envelope envelope = pair.seal("role:auditor");
        byte[] bytes = envelope.bytes().clone();
        byte[] wrapped = envelope.wraps().getFirst().wrapped();
        int at = indexOf(bytes, wrapped);
        bytes[at + 5] ^= 1;
        Envelope altered = Envelope.decode(bytes);
        AttributeBlindedKey blinded = reader.blind(RANDOM);
        Fixed server = new Fixed(blinded, element(blinded, altered));
        assertThatThrownBy(() -> with(reader, server).open(altered)).isInstanceOf(UnopenableEnvelopeException.class);
        assertThat(server.wrong).isEmpty();
    }

    private static int indexOf(byte[] bytes, byte[] part) {
        for (int i = 0; i + part.length <= bytes.length; i++) {
            if (Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        throw new AssertionError("not there");
    }

    /** The steps of one envelope admit finishing an answer and, since it was wrong, opening the largest wrap. */
    @Test
    void theLargestWrapOpensThoughTheServerLies() throws Exception {
        Pair pair = new Pair(bsw07());
        String[] many = IntStream.range(0, 400).mapToObj(i -> "a:" + i).toArray(String[]::new);
        ReaderKey reader = pair.reader(many);
        Envelope envelope = pair.seal(many);
        assertThat(envelope.wraps().getFirst().encapsulation()).hasSizeGreaterThan(60_000);
        AttributeBlindedKey blinded = reader.blind(RANDOM);
        assertThat(answer(blinded, envelope, 0)).isInstanceOf(TransformAnswer.Transformed.class);
        Fixed server = new Fixed(blinded, new byte[TransformAnswer.ELEMENT_BYTES]);
        assertThat(with(reader, server).open(envelope)).hasSize(2);
        assertThat(server.wrong).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("all")
    void aKeyOpensNothingThatItsReaderDoesNot(AttributeKem kem) throws Exception {
        Pair pair = new Pair(kem);
        Envelope envelope = pair.seal("role:auditor", "site:plant-7");
        ReaderKey less = kem.keysHavePolicies() ? pair.reader("role:dpo") : pair.reader("role:auditor");
        assertThat(answer(less.blind(RANDOM), envelope, 0)).isEqualTo(TransformAnswer.Refusal.NOT_FOR_KEY);
        AttributeBlindedKey blinded =
                pair.reader("role:auditor", "site:plant-7").blind(RANDOM);
        assertThat(answer(blinded, envelope, 1)).isEqualTo(TransformAnswer.Refusal.NOT_FOUND);
        Envelope tenants = Envelope.decode(Samples.sealer(Samples.SENDER, RANDOM)
                .seal(Samples.draft(2), ChainPosition.first())
                .bytes());
        assertThat(answer(blinded, tenants, 0))
                .as("a wrap for the tenant")
                .isEqualTo(TransformAnswer.Refusal.NOT_FOR_KEY);
        AttributeKem other = kem.equals(AttributeKems.byDefault()) ? bsw07() : AttributeKems.byDefault();
        Envelope foreign = new Pair(other).seal("role:auditor", "site:plant-7");
        assertThat(answer(blinded, foreign, 0)).isEqualTo(TransformAnswer.Refusal.NOT_FOR_KEY);
    }

    @Test
    void aRequestHasTheWorkOfOneEnvelope() throws Exception {
        Pair pair = new Pair(bsw07());
        String[] many = IntStream.range(0, 100).mapToObj(i -> "a:" + i).toArray(String[]::new);
        AttributeBlindedKey blinded = pair.reader(many).blind(RANDOM);
        Envelope envelope = pair.seal(many);
        List<Place> places = IntStream.range(0, TransformRequest.MAX_WRAPS)
                .mapToObj(i -> new Place(envelope.id(), 0))
                .toList();
        WrapTransformer transformer = WrapTransformer.of(TransformRequest.of(blinded.transformKey(), places));
        long start = System.nanoTime();
        List<TransformAnswer> answers = new ArrayList<>();
        for (Place place : places) {
            answers.add(
                    transformer.mayFind()
                            ? transformer.transform(envelope, place.wrap())
                            : TransformAnswer.Refusal.LATER);
        }
        long done = answers.stream()
                .takeWhile(answer -> answer instanceof TransformAnswer.Transformed)
                .count();
        assertThat(done).isBetween(4L, 12L);
        assertThat(answers.subList((int) done, answers.size())).containsOnly(TransformAnswer.Refusal.LATER);
        assertThat(System.nanoTime() - start).as("nanoseconds").isLessThan(20_000_000_000L);
    }

    @Test
    void answersAreWhatTheSpecificationSays() {
        byte[] element = new byte[TransformAnswer.ELEMENT_BYTES];
        byte[] encoded = TransformAnswer.encode(
                List.of(TransformAnswer.Refusal.NOT_FOUND, new TransformAnswer.Transformed(element)));
        String begin = IntStream.range(0, 30)
                .mapToObj(i -> "%02x".formatted(encoded[i]))
                .collect(Collectors.joining());
        assertThat(begin).isEqualTo("83747665696c676174652d7472616e73666f726d65640182015902400000");
    }
}

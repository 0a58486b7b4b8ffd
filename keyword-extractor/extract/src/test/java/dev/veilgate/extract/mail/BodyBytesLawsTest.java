package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** Laws of the streams below a mail's text, on random bytes read in random steps. Repeat a run with -Dveilgate.seed=N. */
class BodyBytesLawsTest {
    private static final int ROUNDS = 500;
    private final long seed = Long.getLong("veilgate.seed", 1);
    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(seed);

    /** Gives as many bytes as it likes. */
    private InputStream inSteps(byte[] bytes) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public int read(byte[] to, int from, int length) {
                return super.read(to, from, Math.min(length, 1 + random.nextInt(7)));
            }
        };
    }

    private byte[] all(InputStream in) throws IOException {
        var out = new ByteArrayOutputStream();
        byte[] some = new byte[16];
        for (int n = in.read(some, 0, 1 + random.nextInt(16)); n >= 0; n = in.read(some, 0, 1 + random.nextInt(16))) {
            out.write(some, 0, n);
        }
        return out.toByteArray();
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Its twin is the decoder of the runtime. */
    @Test
    void base64InOneOrManyPiecesIsWhatWasEncoded() throws Exception {
        System.out.println("BodyBytesLawsTest: -Dveilgate.seed=" + seed);
        for (int i = 0; i < ROUNDS; i++) {
            var plain = new ByteArrayOutputStream();
            var written = new StringBuilder();
            for (int piece = random.nextInt(5); piece >= 0; piece--) {
                byte[] bytes = bytes();
                plain.writeBytes(bytes);
                written.append(Base64.getMimeEncoder().encodeToString(bytes)).append("\r\n");
            }
            byte[] text = written.toString().getBytes(StandardCharsets.US_ASCII);
            assertThat(all(new Base64Body(inSteps(text)))).as("round %d", i).isEqualTo(plain.toByteArray());
        }
    }

    @Test
    void linesThatEndAsTheyShouldStayAsTheyAre() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            String text = new String(bytes(), StandardCharsets.ISO_8859_1).replace("\r", "\r\n");
            byte[] mail = ("X: y\r\n\r\n" + text).getBytes(StandardCharsets.ISO_8859_1);
            assertThat(all(new LineEnds(inSteps(mail)))).as("round %d", i).isEqualTo(mail);
        }
    }

    /** Of what is added nothing is a letter: without line feeds and spaces all is as it was. */
    @Test
    void onlyLineFeedsAndSpacesAreAdded() throws Exception {
        String letters = "\r\n\r\n-- abc:;=\" ";
        for (int i = 0; i < ROUNDS; i++) {
            var mail = new StringBuilder("Content-Type: multipart/mixed; boundary=a\r\n");
            for (int n = random.nextInt(300); n > 0; n--) {
                mail.append(letters.charAt(random.nextInt(letters.length())));
            }
            byte[] seen = all(new LineEnds(inSteps(mail.toString().getBytes(StandardCharsets.US_ASCII))));
            assertThat(new String(seen, StandardCharsets.US_ASCII).replaceAll("[\n ]", ""))
                    .as("round %d", i)
                    .isEqualTo(mail.toString().replaceAll("[\n ]", ""));
        }
    }
}

package dev.veilgate.benchmarks;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.peks.lattice.ntru.KeyPair;
import dev.veilgate.peks.lattice.ntru.NtruIndexScheme;
import dev.veilgate.peks.lattice.ntru.NtruIndexSealer;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Keys, keywords and admitted blocks to measure on: synthetic, with distinct words where a benchmark asks for them. */
public final class Corpus {
    /** The domain of all keywords. */
    public static final KeywordDomain DOMAIN = new KeywordDomain("acme", "plant-7", "2026-11");

    /** The message of all blocks. */
    public static final MessageContext MESSAGE = new MessageContext("press-4", new UUID(1, 2), new byte[32]);

    private final SecureRandom random = new SecureRandom();
    private final NtruPeks peks;
    private final KeyPair keys;
    private final NtruIndexScheme scheme = NtruIndexScheme.accepting(NtruParameters.all());
    private final TrapdoorStore store = new MemoryStore();

    /** Generates keys. */
    public Corpus(NtruParameters parameters) {
        this.peks = new NtruPeks(parameters, random);
        this.keys = peks.keyGen();
    }

    /** The scheme in the paper's form. */
    public NtruPeks peks() {
        return peks;
    }

    /** The keys. */
    public KeyPair keys() {
        return keys;
    }

    /** The gateway's side. */
    public NtruIndexScheme scheme() {
        return scheme;
    }

    /** The i-th word. */
    public static Keyword word(int i) {
        return Keyword.text("word", "w" + i);
    }

    /** {@code count} postings of the words from {@code first} on. */
    public static List<Posting> postings(int first, int count, int records) {
        List<Posting> postings = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            postings.add(Posting.of(word(first + i), i % records));
        }
        return postings;
    }

    /**
     * Admitted blocks.
     *
     * @param count      blocks
     * @param keywords   keywords of each
     * @param records    records of each
     * @param vocabulary distinct words in all; block i takes the words from i·keywords on, cyclically
     */
    public List<StoredBlock> blocks(
            int count, int keywords, int records, int vocabulary, NtruIndexSealer.SlotPadding padding) {
        NtruIndexSealer sealer = new NtruIndexSealer(keys.publicKey(), random, padding, Math.min(vocabulary, 4096));
        List<StoredBlock> blocks = new ArrayList<>(count);
        try {
            for (int i = 0; i < count; i++) {
                List<Posting> postings = postings((int) ((long) i * keywords % vocabulary), keywords, records);
                for (IndexBlock block : sealer.seal(DOMAIN, MESSAGE, records, postings)) {
                    blocks.add(scheme.storedForm(block, MESSAGE));
                }
            }
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException(e);
        }
        return blocks;
    }

    /** A prepared trapdoor of a word that no block contains. */
    public PreparedTrapdoor wrongTrapdoor(int i) {
        return trapdoor(Keyword.text("absent", "a" + i));
    }

    /** A prepared trapdoor. */
    public PreparedTrapdoor trapdoor(Keyword keyword) {
        try {
            return scheme.prepare(peks.trapdoor(keys.secretKey(), DOMAIN, keyword, store));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A store that forgets at exit: benchmarks measure sampling, not the disk. */
    public static final class MemoryStore implements TrapdoorStore {
        private final Map<String, byte[]> trapdoors = new ConcurrentHashMap<>();

        @Override
        public Optional<byte[]> find(byte[] name) {
            return Optional.ofNullable(trapdoors.get(HexFormat.of().formatHex(name)));
        }

        @Override
        public byte[] storeIfAbsent(byte[] name, byte[] trapdoor) {
            byte[] present = trapdoors.putIfAbsent(HexFormat.of().formatHex(name), trapdoor);
            return Arrays.copyOf(present == null ? trapdoor : present, trapdoor.length);
        }
    }
}

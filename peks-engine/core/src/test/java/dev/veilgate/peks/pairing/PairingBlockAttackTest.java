package dev.veilgate.peks.pairing;

import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.DOMAIN;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who has blocks of others and no trapdoor cannot make them say something else. */
public abstract class PairingBlockAttackTest {
    private static final int KEYWORDS = 5;
    private static final int RECORDS = 9;

    private PairingSchemeUnderTest scheme;
    private PreparedTrapdoor trapdoor;
    private IndexBlock block;
    private IndexBlock twin;
    private OpenPayload open;
    private OpenPayload openTwin;
    private int slot;

    /** The scheme under attack. */
    protected abstract PairingSchemeUnderTest scheme();

    @BeforeEach
    void sealTwoBlocksOfTheSameKeywords() throws MalformedEncodingException {
        scheme = scheme();
        TestSeed seed = TestSeed.of(getClass());
        trapdoor = scheme.scheme().prepare(scheme.trapdoor(DOMAIN, word(1)));
        block = scheme.block(KEYWORDS, RECORDS, new ReplayableRandom(seed.coins("block")));
        twin = scheme.block(KEYWORDS, RECORDS, new ReplayableRandom(seed.coins("twin")));
        open = new OpenPayload(scheme, block.payload());
        openTwin = new OpenPayload(scheme, twin.payload());
        assertThat(open.encode()).isEqualTo(block.payload());
        slot = match(block.payload()).getFirst().slot();
    }

    private List<SlotMatch> match(byte[] payload) throws MalformedEncodingException {
        return scheme.scheme().match(trapdoor, scheme.admit(block, payload));
    }

    @Test
    void asItIsItMatches() throws MalformedEncodingException {
        assertThat(match(block.payload())).containsExactly(new SlotMatch(slot, RecordSet.of(1)));
        assertThat(match(twin.payload())).hasSize(1);
    }

    @Test
    void pointsOfAnotherBlockOpenNothing() throws MalformedEncodingException {
        open.blockPoints = openTwin.blockPoints;
        for (int i = 0; i < open.slots.size(); i++) {
            open.slots.get(i).share = openTwin.slots.get(i).share;
        }
        assertThat(match(open.encode())).isEmpty();
    }

    @Test
    void slotsOfAnotherMessageOpenNothing() throws MalformedEncodingException {
        IndexBlock elsewhere = scheme.scheme()
                .sealer(
                        scheme.publicKey(),
                        new ReplayableRandom(TestSeed.of(getClass()).coins("elsewhere")))
                .seal(
                        DOMAIN,
                        new MessageContext("device-2", new UUID(1, 2), new byte[32]),
                        RECORDS,
                        PairingSchemeUnderTest.postings(KEYWORDS, RECORDS))
                .getFirst();
        OpenPayload taken = new OpenPayload(scheme, elsewhere.payload());
        open.blockPoints = taken.blockPoints;
        open.slots.clear();
        taken.slots.forEach(piece -> open.slots.add(piece.copy()));
        assertThat(match(open.encode())).isEmpty();
    }

    @Test
    void sharesExchangedWithinABlockOpenNothing() throws MalformedEncodingException {
        int other = (slot + 1) % open.slots.size();
        byte[] share = open.slots.get(slot).share;
        open.slots.get(slot).share = open.slots.get(other).share;
        open.slots.get(other).share = share;
        assertThat(match(open.encode())).hasSize(scheme.shareBytes() == 0 ? 1 : 0);
    }

    @Test
    void cellsExchangedWithinABlockOpenNothing() throws MalformedEncodingException {
        int other = (slot + 1) % open.slots.size();
        byte[] cell = open.slots.get(slot).cell;
        open.slots.get(slot).cell = open.slots.get(other).cell;
        open.slots.get(other).cell = cell;
        StoredBlock stored = scheme.admit(block, open.encode());
        assertThat(scheme.scheme().mayMatch(trapdoor, stored.hot(), 0)).isTrue();
        assertThat(scheme.scheme().match(trapdoor, stored)).isEmpty();
    }

    @Test
    void noBitOfATagOrFieldMayChange() throws MalformedEncodingException {
        byte[] cell = open.slots.get(slot).cell;
        for (int bit = 0; bit < 8 * cell.length; bit += 7) {
            cell[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(match(open.encode())).as("bit %d", bit).isEmpty();
            cell[bit / 8] ^= (byte) (1 << bit % 8);
        }
        assertThat(match(open.encode())).hasSize(1);
    }

    @Test
    void anotherLocatorOpensNothing() throws MalformedEncodingException {
        open.slots.get(slot).locator ^= 1;
        open.sort();
        StoredBlock stored = scheme.admit(block, open.encode());
        assertThat(scheme.scheme().mayMatch(trapdoor, stored.hot(), 0)).isFalse();
        assertThat(scheme.scheme().match(trapdoor, stored)).isEmpty();
    }

    @Test
    void anotherNumberOfRecordsOpensNothing() throws MalformedEncodingException {
        open.header[2]++; // 10 records, whose bitmap is as long
        assertThat(match(open.encode())).isEmpty();
    }

    @Test
    void locatorsMustAscend() {
        OpenPayload.Piece first = open.slots.get(3);
        open.slots.set(3, open.slots.get(4));
        open.slots.set(4, first);
        assertThatThrownBy(() -> match(open.encode()))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("locators");
        open.slots.set(3, first.copy());
        assertThatThrownBy(() -> match(open.encode())).isInstanceOf(MalformedEncodingException.class);
    }

    @Test
    void otherNumbersOfSlotsAreRefused() {
        byte[] payload = block.payload();
        for (int slots : new int[] {2, 15, 17, 31, 255}) {
            byte[] wrong = payload.clone();
            wrong[1] = (byte) (slots - 1);
            assertThatThrownBy(() -> match(wrong))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageContaining("slots");
        }
        for (int slots : new int[] {1, 32}) { // possible, but not of this length
            byte[] wrong = payload.clone();
            wrong[1] = (byte) (slots - 1);
            assertThatThrownBy(() -> match(wrong)).isInstanceOf(MalformedEncodingException.class);
        }
    }

    @Test
    void hotValuesOfOtherVersionsMatchNothing() throws MalformedEncodingException {
        StoredBlock stored = scheme.admit(block, block.payload());
        stored.hot()[0]++;
        assertThat(scheme.scheme().mayMatch(trapdoor, stored.hot(), 0)).isFalse();
        assertThat(scheme.scheme().match(trapdoor, stored)).isEmpty();
    }

    @Test
    void equalMessagesShareNoByteOfTheirSlots() {
        for (OpenPayload.Piece one : open.slots) {
            for (OpenPayload.Piece other : openTwin.slots) {
                assertThat(one.locator).isNotEqualTo(other.locator);
                assertThat(Arrays.equals(one.cell, other.cell)).isFalse();
                assertThat(one.share.length > 0 && Arrays.equals(one.share, other.share))
                        .isFalse();
            }
        }
    }
}
